"""Card Challenge: options, components, the score board, the deal and whole games, on both engines."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, pairwise
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.card_challenge_table import (
    CARDS,
    NAME,
    RULE_SETS,
    Hand,
    after,
    all_cards,
    beginning,
    chance_weights,
    counts,
    kind,
    legal_actions,
    play,
    row_length,
    table,
)
from tests.rules.challenges_board import SYMBOLS, VECTORS, figures, gates_hold, winners_of
from tests.rules.shared import load, mean_fits, misfits, returns_of
from tests.walks import step, walk

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType


OPTIONS = (
    "players",
    "two_player_row",
    "gate_test",
    "dump_tie_rule",
    "max_turns",
    "no_progress_limit",
)
DEFAULTS = (2, "fifo", "stepwise", "all", 1000, 100)


@pytest.mark.rule("CC-1")
def test_options_have_their_names_defaults_and_values(engine: ModuleType) -> None:
    assert tuple(spec.name for spec in engine.game_options(NAME)) == OPTIONS
    assert tuple(spec.default for spec in engine.game_options(NAME)) == DEFAULTS
    assert dict(load(engine, NAME).options) == dict(zip(OPTIONS, DEFAULTS, strict=True))
    for name, values in {
        "players": (2, 3, 4),
        "two_player_row": ("fifo", "static_centre"),
        "gate_test": ("stepwise", "strict"),
        "dump_tie_rule": ("all", "any"),
        "max_turns": (1, 30, 65535),
        "no_progress_limit": (1, 3, 65535),
    }.items():
        for value in values:
            assert load(engine, NAME, **{name: value}).options[name] == value


@pytest.mark.rule("CC-1")
@pytest.mark.parametrize(
    "option",
    [
        *({"players": value} for value in (0, 1, 5, "2", 2.0, True, None)),
        *({"two_player_row": value} for value in ("FIFO", "static", None, 0)),
        *({"gate_test": value} for value in ("loose", "", True)),
        *({"dump_tie_rule": value} for value in ("none", "unique", 1)),
        *({"max_turns": value} for value in (0, -1, 65536, 2**40, 10.0, True, "30", None)),
        *({"no_progress_limit": value} for value in (0, 65536, False, "3")),
        {"challenges": ("card",)},
        {"free_scoring_tie": "any"},
    ],
    ids=str,
)
def test_other_options_are_refused(engine: ModuleType, option: dict[str, Any]) -> None:
    with pytest.raises(tc.OptionError):
        load(engine, NAME, **option)


@pytest.mark.rule("CC-2", "CC-3")
def test_there_are_four_cards_of_each_pair_of_symbols(engine: ModuleType) -> None:
    game = load(engine, NAME)
    assert game.max_chance_outcomes() == len(CARDS) == 15
    pairs = [game.chance_to_string(number).removeprefix("draw ").split("+") for number in range(15)]
    assert [[SYMBOLS.index(symbol) for symbol in pair] for pair in pairs] == list(CARDS)
    deck = game.new_initial_state().to_dict()["deck"]
    assert len(deck) == 60
    assert all(low < high for low, high in deck)
    assert counts(deck) == [4] * 15
    assert Counter(symbol for card in deck for symbol in card) == dict.fromkeys(range(6), 20)


# Whole games


@pytest.mark.rule("CC-3", "CC-4", "CC-26", "CC-27", "CC-29", "CC-30", "CC-31", "CC-32", "CC-33")
@pytest.mark.fault("A086")
@pytest.mark.rule("CC-34", "CC-36", "CC-37", "CC-38", "CC-39", "CC-40", "CC-41", "CC-42", "CC-43")
@pytest.mark.rule("CC-6", "CC-7", "CC-8", "CC-9", "CC-10", "CC-12", "CC-13", "CC-14", "CC-15")
@pytest.mark.rule("CC-16", "CC-17", "CC-18", "CC-19", "CC-20", "CC-22", "CC-25", "CC-44", "CC-45")
@pytest.mark.rule("CC-23", "CC-24", "CC-46", "CC-47", "CC-48")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_games_go_from_node_to_node_as_the_rules_say(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """The dict is followed by a third reading of the rules; all 60 cards stay on the table."""
    game = load(engine, NAME, **options)
    for seed in range(effort(engine, native=12, reference=2)):
        state, rng = game.new_initial_state(), engine.Rng(seed)
        expected = beginning(options["players"])
        while expected["phase"] != "over":
            assert state.to_dict() == expected
            assert counts(all_cards(expected)) == [4] * 15
            if expected["phase"] in {"deal", "draw"}:
                assert state.current_player() == tc.PlayerId.CHANCE
                weights = chance_weights(expected)
                total = len(expected["deck"])
                shares = [(number, weight / total) for number, weight in weights.items()]
                assert state.chance_outcomes() == shares
            else:
                assert state.current_player() == expected["seat"]
                assert state.legal_actions() == legal_actions(expected)
            assert state.winners() == []
            assert not state.returns().any()
            assert state.scores().tolist() == [min(pegs) for pegs in expected["pegs"]]
            expected = after(expected, step(state, rng), game.options)
        assert state.to_dict() == expected
        assert state.current_player() == tc.PlayerId.TERMINAL
        assert state.is_truncated() == expected["truncated"]
        assert state.scores().tolist() == [min(pegs) for pegs in expected["pegs"]]
        assert state.winners() == winners_of(expected)
        assert state.returns().tolist() == returns_of(state.winners(), options["players"])


@pytest.mark.rule("CC-5", "CC-11", "CC-13")
@pytest.mark.parametrize("options", RULE_SETS[:6], ids=str)
def test_pegs_never_go_back_and_never_span_more_than_two_areas(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for seed in range(effort(engine, native=30, reference=2)):
        before: list[list[int]] = [[0] * 6 for _ in range(options["players"])]
        mover = 0
        for state in walk(load(engine, NAME, **options), seed):
            shown = state.to_dict()
            for seat, (old, pegs) in enumerate(zip(before, shown["pegs"], strict=True)):
                assert gates_hold(pegs)
                assert all(0 <= hole <= 10 for hole in pegs)
                assert all(a <= b for a, b in zip(old, pegs, strict=True))
                assert seat == mover or old == pegs
            before, mover = shown["pegs"], shown["seat"]


@pytest.mark.rule("CC-78")
@pytest.mark.parametrize(
    ("players", "means"),
    [
        (2, {"turns": "54.5", "decisions": "56.2", "chances": "73.6", "lowest": "5.98"}),
        (3, {"turns": "91.2", "decisions": "93.9", "chances": "118.1", "lowest": "5.53"}),
        (4, {"turns": "93.3", "decisions": "96.5", "chances": "128.3", "lowest": "5.12"}),
    ],
)
def test_random_games_have_the_known_means(
    engine: ModuleType, players: int, means: dict[str, str]
) -> None:
    game = load(engine, NAME, players=players)
    found = [figures(game, seed) for seed in range(effort(engine, native=300, reference=16))]
    assert all(one["real"] == one["decisions"] for one in found)
    assert not misfits(found, means, games=1000)


@pytest.mark.rule("CC-78")
@pytest.mark.parametrize(("players", "mean"), [(2, "0.9"), (3, "1.9"), (4, "2.5")])
def test_the_deck_is_renewed_as_often_as_known(engine: ModuleType, players: int, mean: str) -> None:
    game = load(engine, NAME, players=players)
    found = []
    for seed in range(effort(engine, native=300, reference=16)):
        sizes = [len(state.to_dict()["deck"]) for state in walk(game, seed)]
        found.append(sum(now > before for before, now in pairwise(sizes)))
    assert mean_fits(found, mean, games=1000)


@pytest.mark.rule("CC-49", "CC-78")
@pytest.mark.fault("A080")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_end_by_themselves_or_at_a_cap(engine: ModuleType, players: int) -> None:
    for max_turns in (1, 7, 1000):
        game = load(engine, NAME, players=players, max_turns=max_turns)
        assert game.max_game_length() == 2 * max_turns
        result = engine.playouts(game, effort(engine, native=2000, reference=3), seed=1)
        assert result.lengths.max() <= 2 * max_turns
        assert result.lengths.min() >= min(max_turns, 20)
    assert result.scores.max(axis=1).min() >= 7


# Score board


def front_with(wanted: Mapping[int, int]) -> dict[int, Hand]:
    """Give two rows of two cards that show these symbols so many times."""
    for found in combinations_with_replacement(CARDS, 4):
        shown = Counter(symbol for card in found for symbol in card)
        if all(shown[symbol] == number for symbol, number in wanted.items()):
            return {0: [*found[:2]], 1: [*found[2:]]}
    message = f"no four cards show {wanted}"
    raise AssertionError(message)


ONE_CARD = [
    name
    for name, (_, scores, _) in VECTORS.items()
    if max(points for _, points in scores) <= 4 and sum(points for _, points in scores) < 8
]
"""What one card can score: not four points in both of its symbols, for that takes five copies of it."""


@pytest.mark.rule("CC-6", "CC-7", "CC-8", "CC-9", "CC-34")
@pytest.mark.parametrize("vector", ONE_CARD)
def test_known_scores(engine: ModuleType, vector: str) -> None:
    pegs, scores, result = VECTORS[vector]
    (first, points), *rest = scores
    # The second symbol of a card that scores once is one that lies nowhere.
    second, more = rest[0] if rest else (next(s for s in range(5, 0, -1) if s != first), 0)
    card = sorted((first, second))
    state = table(
        engine,
        pegs={0: pegs, 1: [5] * 6},
        front=front_with({first: points, second: more}),
        hands={0: [card]},
    )
    shown = state.child(play(card, first)).to_dict()
    assert shown["pegs"] == [result, [5] * 6]
    assert shown["pending_bonus"] == result.count(10) - pegs.count(10)


@pytest.mark.rule("CC-6", "CC-8")
def test_points_beyond_the_last_hole_are_lost_and_a_peg_there_stays(engine: ModuleType) -> None:
    state = table(
        engine, pegs={0: [10, 8, 7, 7, 7, 6]}, front=front_with({0: 3, 1: 3}), hands={0: [(0, 1)]}
    )
    shown = state.child(play([0, 1], 0)).to_dict()
    assert shown["pegs"][0] == [10, 10, 7, 7, 7, 6]
    assert shown["pending_bonus"] == 1


@pytest.mark.rule("CC-7", "CC-8")
@pytest.mark.parametrize("blocker", range(1, 6))
@pytest.mark.parametrize(
    ("hole", "others", "closed", "opened", "result"),
    [(3, 1, 0, 1, 6), (6, 4, 3, 4, 10), (6, 4, 1, 4, 10), (2, 4, 0, 1, 6)],
)
def test_each_other_peg_closes_the_gates(
    engine: ModuleType, blocker: int, hole: int, others: int, closed: int, opened: int, result: int
) -> None:
    """The other symbol of the card is not on the table, so only peg 0 could move."""
    other = 5 if blocker < 5 else 4
    others = min(others, 3) if closed == 0 else others
    for low, end in ((closed, max(hole, 3)), (opened, result)):
        pegs = [hole, *([others] * 5)]
        pegs[blocker] = low
        state = table(
            engine, pegs={0: pegs}, front=front_with({0: 4, other: 0}), hands={0: [(0, other)]}
        )
        after = state.child(play([0, other], 0)).to_dict()["pegs"][0]
        assert after == [end, *pegs[1:]]


@pytest.mark.rule("CC-7", "CC-11")
def test_pegs_of_other_seats_close_no_gate(engine: ModuleType) -> None:
    state = table(
        engine,
        pegs={0: [3, 1, 1, 1, 1, 1], 1: [0] * 6},
        front=front_with({0: 2, 5: 0}),
        hands={0: [(0, 5)]},
    )
    assert state.child(play([0, 5], 0)).to_dict()["pegs"] == [[5, 1, 1, 1, 1, 1], [0] * 6]


@pytest.mark.rule("CC-10")
@pytest.mark.parametrize(
    ("pegs", "points", "stepwise", "strict"),
    [
        ([0, 1, 1, 1, 1, 1], 4, 4, 3),
        ([0, 2, 3, 3, 3, 3], 4, 4, 3),
        ([1, 4, 4, 4, 4, 4], 4, 5, 5),
        ([2, 5, 5, 4, 4, 4], 4, 6, 6),
        ([1, 1, 1, 1, 1, 1], 4, 5, 5),
        ([3, 4, 4, 4, 4, 4], 4, 7, 6),
        ([3, 3, 4, 4, 4, 4], 4, 6, 6),
        ([3, 1, 1, 1, 1, 1], 1, 4, 4),
        ([4, 4, 4, 4, 4, 4], 4, 8, 8),
        ([6, 4, 4, 4, 4, 4], 1, 7, 7),
        ([0, 0, 1, 1, 1, 1], 4, 3, 3),
    ],
    ids=str,
)
def test_the_strict_gate_test_looks_at_where_the_peg_started(
    engine: ModuleType, pegs: list[int], points: int, stepwise: int, strict: int
) -> None:
    for gate_test, hole in (("stepwise", stepwise), ("strict", strict)):
        state = table(
            engine,
            {"gate_test": gate_test},
            pegs={0: pegs},
            front=front_with({0: points, 5: 0}),
            hands={0: [(0, 5)]},
        )
        assert state.child(play([0, 5], 0)).to_dict()["pegs"][0] == [hole, *pegs[1:]]


@pytest.mark.rule("CC-10")
def test_each_symbol_of_a_card_is_a_strict_score_of_its_own(engine: ModuleType) -> None:
    """The first score brings peg 1 from 0 to 1; in the second one peg 0 starts at 3 and may go to 4."""
    state = table(
        engine,
        {"gate_test": "strict"},
        pegs={0: [3, 0, 1, 1, 1, 1]},
        front=front_with({0: 2, 1: 1}),
        hands={0: [(0, 1)]},
    )
    assert state.child(play([0, 1], 1)).to_dict()["pegs"][0] == [5, 1, 1, 1, 1, 1]
    assert state.child(play([0, 1], 0)).to_dict()["pegs"][0] == [3, 1, 1, 1, 1, 1]


# Deal


@pytest.mark.rule("CC-4", "CC-5", "CC-26", "CC-27", "CC-28", "CC-29")
@pytest.mark.parametrize(("players", "nodes", "deck"), [(2, 16, 44), (3, 21, 39), (4, 28, 32)])
def test_the_deal(engine: ModuleType, players: int, nodes: int, deck: int) -> None:
    state = load(engine, NAME, players=players).new_initial_state()
    receivers = [seat for seat in range(players) for _ in range(6)]
    receivers += [seat for seat in range(players) for _ in range(row_length(players))]
    assert len(receivers) == nodes
    for number, seat in enumerate(receivers):
        shown = state.to_dict()
        assert (shown["phase"], shown["seat"], shown["pile"]) == ("deal", seat, [])
        assert [sum(map(len, shown[place])) for place in ("hands", "front")] == [
            min(number, 6 * players),
            max(0, number - 6 * players),
        ]
        left = {action: round(share * (60 - number)) for action, share in state.chance_outcomes()}
        assert left == chance_weights(shown)
        state.apply_action(state.legal_actions()[number % len(state.legal_actions())])
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turns"]) == ("play", 0, 0)
    assert (len(shown["deck"]), shown["pile"], shown["pegs"]) == (deck, [], [[0] * 6] * players)


@pytest.mark.rule("CC-27")
def test_the_first_of_two_cards_lies_on_the_side_of_the_centre(engine: ModuleType) -> None:
    state = load(engine, NAME).new_initial_state()
    while sum(map(len, state.to_dict()["hands"])) < 12:
        state.apply_action(state.legal_actions()[0])
    for number in (14, 5, 9, 7):
        state.apply_action(number)
    assert state.to_dict()["front"] == [[[4, 5], [1, 2]], [[2, 3], [1, 4]]]


@pytest.mark.rule("CC-29")
@pytest.mark.fault("A064", "A068")
def test_a_kind_comes_by_the_copies_left_in_the_deck(engine: ModuleType) -> None:
    state = load(engine, NAME).new_initial_state()
    for copies in (4, 3, 2, 1):
        shares = dict(state.chance_outcomes())
        total = 56 + copies
        assert shares == {0: copies / total, **dict.fromkeys(range(1, 15), 4 / total)}
        state.apply_action(0)
    assert state.legal_actions() == list(range(1, 15))
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(0)


@pytest.mark.rule("CC-29")
def test_a_draw_with_one_outcome_is_a_node(engine: ModuleType) -> None:
    state = table(engine, phase="draw", deck=[(2, 3), (2, 3)])
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(kind([2, 3]), 1.0)]
