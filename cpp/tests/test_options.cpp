// Options: stated once by a game, read from keywords, written back, listed.
#include "check.hpp"
#include "tabletop/games/indigo_series.hpp"
#include "tabletop/games/ingenious_challenges.hpp"

namespace {

using namespace tabletop;

Indigo::Options read(const Value::Dict& given) {
  Indigo::Options options;
  OptionReader reader("indigo", given);
  Indigo::visit_options(reader, options);
  reader.finish();
  return options;
}

TABLETOP_TEST(options_have_defaults_and_take_keywords) {
  TABLETOP_CHECK_EQUAL(read({}).players, 2);
  const Indigo::Options options = read({{"players", 3}, {"ownership", "exclusive"}});
  TABLETOP_CHECK_EQUAL(options.players, 3);
  TABLETOP_CHECK(options.ownership == Indigo::Ownership::kExclusive);
}

TABLETOP_TEST(bad_options_are_refused_with_their_value) {
  for (const Value& bad : {Value(5), Value("2"), Value(true), Value(), Value(Value::List{2})}) {
    TABLETOP_CHECK_THROWS(OptionError, read({{"players", bad}}));
  }
  TABLETOP_CHECK_THROWS(OptionError, read({{"ownership", "both"}}));
  TABLETOP_CHECK_THROWS(OptionError, Indigo({.players = 5}));
  TABLETOP_CHECK_THROWS(OptionError,
                        Indigo({.players = 2, .ownership = Indigo::Ownership::kExclusive}));
  try {
    (void)read({{"tiles", 3}});
    TABLETOP_CHECK(false);
  } catch (const OptionError& error) {
    TABLETOP_CHECK_EQUAL(std::string(error.what()),
                         "option \"tiles\" is unknown to indigo; its options are players, "
                         "ownership, hand_size");
  }
}

template <class G>
std::string refusal(const typename G::Options& options) {
  try {
    (void)G(options);
  } catch (const OptionError& error) {
    return error.what();
  }
  return "none";
}

TABLETOP_TEST(a_value_without_a_name_is_refused) {
  TABLETOP_CHECK_EQUAL(refusal<CardChallenge>({.gate_test = ingenious::Gates::kNone}),
                       "option gate_test of card_challenge is None; it must be "
                       "stepwise|strict");
}

TABLETOP_TEST(a_match_checks_its_own_options_first) {
  TABLETOP_CHECK_EQUAL(refusal<IngeniousChallenges>({.players = 5, .max_turns = 0}),
                       "option players of ingenious_challenges is 5; it must be 2|3|4");
  TABLETOP_CHECK_EQUAL(refusal<IndigoSeries>({.hand_size = 3, .games = -1}),
                       "option hand_size of indigo_series is 3; it must be 1|2");
  TABLETOP_CHECK_EQUAL(IngeniousChallenges({.players = 4, .max_turns = 5}).max_length(),
                       CardChallenge({.players = 4, .max_turns = 5}).max_length() +
                           DiceChallenge({.players = 4, .max_turns = 5}).max_length() +
                           TileChallenge({.players = 4, .max_turns = 5}).max_length());
}

TABLETOP_TEST(written_options_read_back) {
  Indigo::Options options = read({{"players", 4}, {"hand_size", 2}});
  OptionWriter writer;
  Indigo::visit_options(writer, options);
  TABLETOP_CHECK_EQUAL(to_json(writer.options),
                       R"({"players": 4, "ownership": "shared", "hand_size": 2})");
  TABLETOP_CHECK_EQUAL(read(writer.options).hand_size, 2);
}

TABLETOP_TEST(listed_options_show_what_is_allowed) {
  Indigo::Options options;
  OptionLister lister;
  Indigo::visit_options(lister, options);
  TABLETOP_CHECK_EQUAL(lister.specs.size(), 3);
  TABLETOP_CHECK_EQUAL(lister.specs[0].values, "2|3|4");
  TABLETOP_CHECK_EQUAL(lister.specs[1].values, "shared|exclusive");
  TABLETOP_CHECK(lister.specs[1].default_value == Value("shared"));
}

}  // namespace

int main() { return tabletop::test::run(); }
