// The building blocks: bits, sets, lists, random numbers, hashes, bytes, values.
#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "check.hpp"
#include "tabletop/action_set.hpp"
#include "tabletop/bools.hpp"
#include "tabletop/bytes.hpp"
#include "tabletop/dict_reader.hpp"
#include "tabletop/fixed_vector.hpp"
#include "tabletop/hash.hpp"
#include "tabletop/observation.hpp"
#include "tabletop/rng.hpp"
#include "tabletop/types.hpp"
#include "tabletop/value.hpp"

namespace {

using namespace tabletop;

TABLETOP_TEST(count_and_select_agree_with_testing_each_bit) {
  Rng rng(1);
  for (int round = 0; round < 2000; ++round) {
    std::uint64_t word = rng.next_u64();
    if (round % 3 == 0) word &= rng.next_u64() & rng.next_u64();
    if (round == 0) word = ~std::uint64_t{0};
    std::vector<int> positions;
    for (int bit = 0; bit < 64; ++bit) {
      if ((word >> bit & 1) != 0) positions.push_back(bit);
    }
    TABLETOP_CHECK_EQUAL(count_bits(word), positions.size());
    std::vector<int> visited;
    for_each_bit(word, [&](int bit) { visited.push_back(bit); });
    TABLETOP_CHECK(visited == positions);
    for (std::size_t k = 0; k < positions.size(); ++k) {
      TABLETOP_CHECK_EQUAL(select_bit(word, static_cast<int>(k)), positions[k]);
    }
  }
}

// Sums of up to `most` in all, rising from lane to lane.
template <int Bits>
void check_lanes(Rng& rng, std::uint64_t most) {
  constexpr int kLanes = 64 / Bits;
  std::uint64_t lanes = 0, sums[kLanes], sum = 0;
  for (int i = 0; i < kLanes; ++i) {
    sum += rng.below(most - sum + 1) / 2;
    sums[i] = sum;
    lanes |= sum << (Bits * i);
  }
  for (std::uint64_t k = 0; k <= sum; ++k) {
    const auto upto = std::ranges::count_if(sums, [&](std::uint64_t lane) { return lane <= k; });
    if (upto == kLanes && kLanes == 1 << Bits) continue;  // one too many
    TABLETOP_CHECK_EQUAL(count_upto<Bits>(lanes, k), upto);
    if (upto == kLanes) continue;
    std::uint64_t rank = k;
    TABLETOP_CHECK_EQUAL(select_lane<Bits>(lanes, rank), upto);
    TABLETOP_CHECK_EQUAL(rank, k - (upto > 0 ? sums[upto - 1] : 0));
  }
}

TABLETOP_TEST(lanes_up_to_an_item_are_counted) {
  Rng rng(2);
  for (int round = 0; round < 200; ++round) {
    check_lanes<4>(rng, 7);
    check_lanes<8>(rng, 127);
    check_lanes<10>(rng, 511);
  }
}

TABLETOP_TEST(select_byte_finds_the_byte_and_the_rank_in_it) {
  const std::uint64_t counts = 0x0300'0105'0000'0200ULL;  // bytes 1, 4, 5, 7 hold 2, 5, 1, 3
  const int byte_of[] = {1, 1, 4, 4, 4, 4, 4, 5, 7, 7, 7};
  const int rank_of[] = {0, 1, 0, 1, 2, 3, 4, 0, 0, 1, 2};
  for (int item = 0; item < 11; ++item) {
    int k = item;
    TABLETOP_CHECK_EQUAL(select_byte(counts, k), byte_of[item]);
    TABLETOP_CHECK_EQUAL(k, rank_of[item]);
  }
}

TABLETOP_TEST(spread_bits_puts_each_bit_into_its_byte) {
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    const std::uint64_t spread = spread_bits(byte | 0xABCD00);
    for (int i = 0; i < 8; ++i) {
      TABLETOP_CHECK_EQUAL(spread >> (8 * i) & 0xFF, byte >> i & 1);
    }
  }
}

TABLETOP_TEST(bits_are_written_as_bools_and_nothing_behind_them) {
  Rng rng(7);
  for (std::size_t count = 0; count <= 256; count += kBoolsAtOnce) {
    const std::array words{rng.next_u64(), rng.next_u64(), rng.next_u64(), rng.next_u64()};
    std::array<bool, 256 + kBoolsAtOnce> bools{};
    bools[count] = bools[count + 1] = true;
    write_bools(words.data(), count, bools.data());
    for (std::size_t i = 0; i < count; ++i) {
      TABLETOP_CHECK_EQUAL(bools[i], (words[i / 64] >> (i % 64) & 1) != 0);
    }
    for (std::size_t i = count; i < bools.size(); ++i) {
      TABLETOP_CHECK_EQUAL(bools[i], i < count + 2);
    }
  }
}

TABLETOP_TEST(action_set_is_ascending_and_exact) {
  Rng rng(2);
  for (int round = 0; round < 500; ++round) {
    ActionSet<200> set;
    bool expected[200] = {};
    for (int i = 0; i < 10; ++i) {
      const auto action = static_cast<Action>(rng.below(200));
      set.add(action);
      expected[action] = true;
      const auto first = static_cast<Action>(rng.below(186));
      const std::uint64_t bits = rng.below(1 << 14);
      set.add_bits(first, bits);
      for_each_bit(bits, [&](int bit) { expected[first + bit] = true; });
    }
    int count = 0;
    for (Action action = 0; action < 200; ++action) {
      TABLETOP_CHECK_EQUAL(set.contains(action), expected[action]);
      if (!expected[action]) continue;
      TABLETOP_CHECK_EQUAL(set.nth(count), action);
      ++count;
    }
    TABLETOP_CHECK_EQUAL(set.count(), count);
    TABLETOP_CHECK(!set.contains(-1) && !set.contains(200) && !set.contains(1 << 30));
  }
}

TABLETOP_TEST(chance_list_keeps_weights_and_leaves_zeros_out) {
  ChanceList<4> list{};
  list.add(0, 3);
  list.add(1, 0);
  list.add(2, 5);
  TABLETOP_CHECK_EQUAL(list.total(), 8);
  TABLETOP_CHECK_EQUAL(list.entries().size(), 2);
  const Action expected[] = {0, 0, 0, 2, 2, 2, 2, 2};
  for (std::uint64_t x = 0; x < 8; ++x) TABLETOP_CHECK_EQUAL(list.at_weight(x), expected[x]);
}

TABLETOP_TEST(fixed_vector_keeps_unused_places_zero) {
  FixedVector<std::uint8_t, 5> a{}, b{};
  for (const int item : {4, 1, 3, 1}) a.insert_sorted(to_byte(item));
  TABLETOP_CHECK_EQUAL(std::vector<int>(a.begin(), a.end()), std::vector<int>({1, 1, 3, 4}));
  TABLETOP_CHECK(a.contains(3) && !a.contains(2));
  a.remove(1);
  a.remove(4);
  b.push_back(1);
  b.push_back(3);
  TABLETOP_CHECK(a == b);
  TABLETOP_CHECK(std::memcmp(&a, &b, sizeof a) == 0);
  a.clear();
  TABLETOP_CHECK(a.empty());
  TABLETOP_CHECK_EQUAL(a.size(), 0);
}

TABLETOP_TEST(seat_set_is_a_set) {
  SeatSet seats;
  TABLETOP_CHECK(seats.empty());
  seats.add(5);
  seats.add(2);
  TABLETOP_CHECK(seats.contains(5) && !seats.contains(0));
  TABLETOP_CHECK_EQUAL(seats.first(), 2);
  TABLETOP_CHECK_EQUAL(seats.size(), 2);
  std::vector<Seat> visited;
  seats.for_each([&](Seat seat) { visited.push_back(seat); });
  TABLETOP_CHECK_EQUAL(visited, std::vector<Seat>({2, 5}));
  seats.remove(2);
  TABLETOP_CHECK(seats == SeatSet(1U << 5));
}

TABLETOP_TEST(rng_is_splitmix64) {
  Rng rng(1234567);
  // The first numbers of the published generator for this seed.
  TABLETOP_CHECK_EQUAL(rng.next_u64(), 6457827717110365317ULL);
  TABLETOP_CHECK_EQUAL(rng.next_u64(), 3203168211198807973ULL);
  TABLETOP_CHECK_EQUAL(rng.next_u64(), 9817491932198370423ULL);
}

TABLETOP_TEST(below_is_in_range_and_split_leaves_the_parent) {
  Rng rng(3);
  for (const std::uint64_t n :
       {std::uint64_t{1}, std::uint64_t{6}, std::uint64_t{1} << 63, (std::uint64_t{3} << 62) + 1,
        std::numeric_limits<std::uint64_t>::max()}) {
    for (int i = 0; i < 200; ++i) TABLETOP_CHECK(rng.below(n) < n);
  }
  const Rng before = rng;
  const Rng stream = rng.split(0);
  TABLETOP_CHECK(rng == before);
  TABLETOP_CHECK(stream != rng.split(1));
}

TABLETOP_TEST(hash_depends_on_every_byte_the_length_and_the_seed) {
  std::vector<std::uint8_t> bytes(21);
  const std::uint64_t zero = hash64(bytes, 0);
  TABLETOP_CHECK(hash64(bytes, 1) != zero);
  TABLETOP_CHECK(hash64({bytes.data(), 20}, 0) != zero);
  for (std::uint8_t& byte : bytes) {
    byte = 1;
    TABLETOP_CHECK(hash64(bytes, 0) != zero);
    byte = 0;
  }
}

TABLETOP_TEST(hash_of_a_changed_bit_differs_in_half_of_the_bits) {
  std::vector<std::uint8_t> bytes(40);
  const std::uint64_t before = hash64(bytes, 7);
  int changed = 0;
  for (std::uint8_t& byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      byte = static_cast<std::uint8_t>(1 << bit);
      const int differ = std::popcount(hash64(bytes, 7) ^ before);
      TABLETOP_CHECK(differ > 12 && differ < 52);
      changed += differ;
    }
    byte = 0;
  }
  TABLETOP_CHECK(changed > 31 * 320 && changed < 33 * 320);
}

TABLETOP_TEST(hashes_of_small_numbers_are_all_different) {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint8_t> bytes(24);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (std::size_t other = 0; other < at; ++other) {
      for (int value = 0; value < 256; ++value) {
        bytes[at] = static_cast<std::uint8_t>(1 + value % 16);
        bytes[other] = static_cast<std::uint8_t>(1 + value / 16);
        hashes.push_back(hash64(bytes, 0));
      }
      bytes[other] = 0;
    }
    bytes[at] = 0;
  }
  std::ranges::sort(hashes);
  TABLETOP_CHECK(std::ranges::adjacent_find(hashes) == hashes.end());
}

TABLETOP_TEST(bytes_come_back_and_bad_ones_are_refused) {
  ByteWriter writer;
  writer.u8(7);
  writer.u16(65534);
  writer.u32(4000000000U);
  writer.text("pile");
  const std::uint8_t more[] = {1, 2};
  writer.each_u8(more);
  ByteReader reader(writer.bytes());
  TABLETOP_CHECK_EQUAL(reader.u8(0, 7, "a"), 7);
  TABLETOP_CHECK_EQUAL(reader.u16("b"), 65534);
  TABLETOP_CHECK_EQUAL(reader.u32("c"), 4000000000U);
  TABLETOP_CHECK_EQUAL(reader.text("d"), "pile");
  TABLETOP_CHECK_THROWS(PositionError, reader.finish());
  TABLETOP_CHECK_THROWS(PositionError, reader.u8(2, 3, "e"));
  TABLETOP_CHECK_EQUAL(reader.u8(1, 1, "e"), 1);
  TABLETOP_CHECK_EQUAL(reader.u8(2, 2, "f"), 2);
  reader.finish();
  TABLETOP_CHECK_THROWS(PositionError, reader.u8(0, 255, "g"));
}

TABLETOP_TEST(values_read_as_json) {
  const Value value =
      Value::Dict{{"a", Value::List{1, -2, true}}, {"b \"c\"", Value()}, {"d", "e"}};
  TABLETOP_CHECK_EQUAL(to_json(value), R"({"a": [1, -2, true], "b \"c\"": null, "d": "e"})");
  TABLETOP_CHECK_EQUAL(shown(std::string(100, 'x')).size(), 60);
}

TABLETOP_TEST(dict_reader_names_the_place) {
  Value::List hands;
  hands.emplace_back(Value::List{1, "plus"});
  const Value value = Value::Dict{{"hands", hands}};
  const DictReader hand = DictReader(value).at("hands").at(0);
  TABLETOP_CHECK_EQUAL(hand.at(0).integer(0, 3), 1);
  try {
    (void)hand.at(1).integer(0, 3);
    TABLETOP_CHECK(false);
  } catch (const PositionError& error) {
    TABLETOP_CHECK_EQUAL(std::string(error.what()),
                         R"(position["hands"][0][1] is "plus"; it must be an integer from 0..3)");
  }
  TABLETOP_CHECK_THROWS(PositionError, DictReader(value).at("deck"));
  TABLETOP_CHECK_THROWS(PositionError, DictReader(value).expect_keys({}));
  constexpr const char* kNames[] = {"hands", "deck"};
  DictReader(value).expect_keys(std::span(kNames).first(1));
  TABLETOP_CHECK_THROWS(PositionError, DictReader(value).expect_keys(kNames));
  TABLETOP_CHECK_THROWS(PositionError, hand.length(3, 4));
  TABLETOP_CHECK_THROWS(PositionError, hand.flag());
}

TABLETOP_TEST(tensor_writer_fills_fields_in_order) {
  std::vector<float> tensor(8, 9.0F);
  TensorWriter out(tensor);
  out.one_hot(3, 1);
  out.number(7);
  out.seats(2, SeatSet(2));
  out.block(2)[1] = 4.0F;
  TABLETOP_CHECK_EQUAL(tensor, std::vector<float>({0, 1, 0, 7, 0, 1, 0, 4}));
}

}  // namespace

int main() { return tabletop::test::run(); }
