// The vectors of tests/goldens, which Python has stored: the headers play the same games, count the
// same results and write the same bytes, whatever compiles them and how.
#include <bit>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "check.hpp"
#include "fuzz.hpp"

namespace {

using namespace tabletop;

using Strings = std::vector<std::string>;

constexpr std::size_t kGames = 3;  // as in tests/goldens.py
constexpr std::uint64_t kSeed = 1;

// Reads the JSON of a golden file, which has neither fractions nor escapes.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Value value() {
    if (took('{')) {
      Value::Dict dict;
      for (; !took('}'); took(',')) {
        took('"');
        std::string key(until("\""));
        took('"');
        took(':');
        dict.emplace_back(std::move(key), value());
      }
      return dict;
    }
    if (took('[')) {
      Value::List list;
      for (; !took(']'); took(',')) list.push_back(value());
      return list;
    }
    if (took('"')) {
      std::string text(until("\""));
      took('"');
      return text;
    }
    const std::string word(until(",]} \n"));
    if (word == "null") return {};
    if (word == "true" || word == "false") return word == "true";
    return std::stoll(word);
  }

 private:
  // Passes blanks, and the mark if it stands behind them.
  bool took(char mark) {
    at_ = text_.find_first_not_of(" \n", at_);
    const bool found = text_.at(at_) == mark;
    at_ += found ? 1 : 0;
    return found;
  }

  std::string_view until(const char* ends) {
    const std::size_t first = at_;
    at_ = text_.find_first_of(ends, first);
    return text_.substr(first, at_ - first);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Value golden_of(const GameOps& ops) {
  const std::string path = "tests/goldens/" + std::string(ops.name) + ".json";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no " + path + " from here: run at the root of the project");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return JsonReader(text).value();
}

Value entry(const Value& dict, std::string_view name) {
  for (const auto& [key, value] : *dict.dict()) {
    if (key == name) return value;
  }
  throw std::runtime_error("no entry " + std::string(name) + " in a golden file");
}

void put_u64(std::uint64_t value, ByteWriter& out) {
  out.u32(static_cast<std::uint32_t>(value));
  out.u32(static_cast<std::uint32_t>(value >> 32));
}

// What to_bytes() begins with; see docs/design.md.
void put_header(const fuzz::Game& game, ByteWriter& out) {
  for (const char byte : {'T', 'T', 'C', '\1'}) out.u8(byte);
  out.text(game.ops->name);
  out.text(game.ops->version);
  out.text(to_json(game.ops->options(game.rules())));
}

std::uint32_t crc32(std::span<const std::uint8_t> bytes) {
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

// The same as `vector` in tests/goldens.py.
std::string vector_of(const fuzz::Game& game) {
  const GameOps& ops = *game.ops;
  ByteWriter header;
  put_header(game, header);
  const std::uint64_t hash_seed = hash64(header.bytes(), 0);
  ByteWriter seen;
  fuzz::Position state(game);

  const auto cells = kGames * static_cast<std::size_t>(game.players());
  std::vector<double> returns(cells);
  std::vector<std::int64_t> scores(cells);
  std::vector<std::int64_t> lengths(kGames);
  std::vector<std::uint64_t> hashes(kGames);
  ops.playouts(game.rules(), state.at(), kSeed, hash_seed, 0, kGames,
               {returns.data(), scores.data(), lengths.data(), hashes.data()});
  for (const std::int64_t length : lengths) put_u64(static_cast<std::uint64_t>(length), seen);
  for (const std::int64_t score : scores) put_u64(static_cast<std::uint64_t>(score), seen);
  for (const double utility : returns) put_u64(std::bit_cast<std::uint64_t>(utility), seen);
  for (const std::uint64_t hash : hashes) put_u64(hash, seen);

  Rng rng(kSeed);
  for (;;) {
    put_u64(ops.stable_hash(game.rules(), state.at(), hash_seed), seen);
    const Seat player = ops.current_player(game.rules(), state.at());
    if (player == kTerminal) break;
    const auto pick = player == kChance ? ops.pick_outcome : ops.pick_action;
    ops.apply(game.rules(), state.at(), pick(game.rules(), state.at(), rng));
  }
  put_header(game, seen);
  ops.encode(game.rules(), state.at(), seen);

  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(crc32(seen.bytes())));
  return digits;
}

TABLETOP_TEST(games_are_those_of_the_stored_vectors) {
  for (const GameOps* ops : fuzz::games()) {
    const Value golden = golden_of(*ops);
    TABLETOP_CHECK_EQUAL(*entry(golden, "version").text(), ops->version);
    const Value vectors = entry(golden, "vectors");
    TABLETOP_CHECK(!vectors.dict()->empty());
    for (const auto& [name, stored] : *vectors.dict()) {
      const Value::List& row = *stored.list();
      const std::string found = vector_of({ops, ops->create(*row[0].dict())});
      TABLETOP_CHECK_EQUAL((Strings{name, found}), Strings{name, *row[1].text()});
    }
  }
}

}  // namespace

int main() { return tabletop::test::run(); }
