"""Tile Challenge: options, refill, draws, scoring and whole games, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.challenges_board import TARGETS, figures, winners_of
from tests.rules.shared import load, misfits, returns_of
from tests.rules.tile_challenge_table import (
    DRAW,
    NAME,
    RULE_SETS,
    SCORE,
    after,
    beginning,
    drawn,
    free,
    legal_actions,
    table,
    total,
)
from tests.walks import step

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType


DEFAULTS = {
    "players": 2,
    "free_scoring_tie": "any",
    "free_scoring_take": "all",
    "max_turns": 1000,
    "no_progress_limit": 100,
}


# Options and whole games


@pytest.mark.rule("TC-1")
def test_options_have_their_names_defaults_and_values(engine: ModuleType) -> None:
    specs = engine.game_options(NAME)
    assert {spec.name: spec.default for spec in specs} == DEFAULTS
    assert [spec.name for spec in specs] == list(load(engine, NAME).options) == list(DEFAULTS)
    assert dict(load(engine, NAME).options) == DEFAULTS
    for name, values in {
        "players": (2, 3, 4),
        "free_scoring_tie": ("any", "unique"),
        "free_scoring_take": ("all", "one"),
        "max_turns": (1, 65535),
        "no_progress_limit": (1, 65535),
    }.items():
        for value in values:
            assert load(engine, NAME, **{name: value}).options[name] == value


@pytest.mark.rule("TC-1")
@pytest.mark.parametrize(
    "option",
    [
        *({"players": value} for value in (1, 5, "2", 2.0, True, None)),
        *({"free_scoring_tie": value} for value in ("all", "Any", None, 1)),
        *({"free_scoring_take": value} for value in ("any", "two", 1)),
        *({"max_turns": value} for value in (0, 65536, 1.0, True, "9")),
        *({"no_progress_limit": value} for value in (0, 65536, None, False)),
        {"gate_test": "stepwise"},
        {"target": 7},
    ],
    ids=str,
)
def test_other_options_are_refused(engine: ModuleType, option: dict[str, Any]) -> None:
    with pytest.raises(tc.OptionError):
        load(engine, NAME, **option)


@pytest.mark.rule("TC-2", "TC-3", "TC-4", "TC-5", "TC-6", "TC-7", "TC-8", "TC-9", "TC-10", "TC-11")
@pytest.mark.fault("A086")
@pytest.mark.rule("TC-12", "TC-13", "TC-14", "TC-15", "TC-16", "TC-17", "TC-18", "TC-19", "TC-20")
@pytest.mark.rule("TC-21", "TC-22", "TC-23", "TC-24", "TC-25", "TC-26", "TC-27", "TC-28", "TC-29")
@pytest.mark.rule("TC-30", "TC-31")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_games_go_from_node_to_node_as_the_rules_say(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """The dict is followed by a third reading of the rules; all 126 tiles stay in the game or in the box."""
    game = load(engine, NAME, **options)
    for seed in range(effort(engine, native=12, reference=2)):
        state, rng = game.new_initial_state(), engine.Rng(seed)
        expected = beginning(options["players"])
        while expected["phase"] != "over":
            assert state.to_dict() == expected
            assert total(expected) == [21] * 6
            assert expected["box"] == [sum(row) for row in zip(*expected["pegs"], strict=True)]
            if expected["phase"] in {"refill", "draw"}:
                assert state.current_player() == tc.PlayerId.CHANCE
                pool = expected["pool"]
                shares = [(s, number / sum(pool)) for s, number in enumerate(pool) if number]
                assert state.chance_outcomes() == shares
            else:
                assert state.current_player() == expected["seat"]
                assert state.legal_actions() == legal_actions(expected, game.options)
            assert state.winners() == []
            assert state.scores().tolist() == [min(pegs) for pegs in expected["pegs"]]
            expected = after(expected, step(state, rng), game.options)
        assert state.to_dict() == expected
        assert state.is_terminal()
        assert state.is_truncated() == expected["truncated"]
        assert state.winners() == winners_of(expected)
        assert state.returns().tolist() == returns_of(state.winners(), options["players"])
        assert state.scores().tolist() == [min(pegs) for pegs in expected["pegs"]]


@pytest.mark.rule("TC-49")
@pytest.mark.parametrize(
    ("players", "means"),
    [
        (
            2,
            {
                "turns": "83.8",
                "decisions": "112.8",
                "real": "89.2",
                "chances": "93.8",
                "lowest": "5.84",
            },
        ),
        (
            3,
            {
                "turns": "113.6",
                "decisions": "149.8",
                "real": "122.1",
                "chances": "124.1",
                "lowest": "5.38",
            },
        ),
        (
            4,
            {
                "turns": "105.5",
                "decisions": "138.2",
                "real": "114.8",
                "chances": "116.2",
                "lowest": "3.29",
            },
        ),
    ],
)
def test_random_games_have_the_known_means(
    engine: ModuleType, players: int, means: dict[str, str]
) -> None:
    game = load(engine, NAME, players=players)
    seeds = range(effort(engine, native=300, reference=12))
    assert not misfits([figures(game, seed) for seed in seeds], means, games=1000)


@pytest.mark.rule("TC-32", "TC-49")
@pytest.mark.fault("A080")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_end_by_themselves_or_at_a_cap(engine: ModuleType, players: int) -> None:
    for max_turns in (1, 8, 1000):
        game = load(engine, NAME, players=players, max_turns=max_turns)
        assert game.max_game_length() == 7 * max_turns
        result = engine.playouts(game, effort(engine, native=1000, reference=3), seed=1)
        assert result.lengths.max() <= game.max_game_length()
    assert result.scores.max(axis=1).min() == TARGETS[players]


@pytest.mark.rule("TC-12", "TC-32")
def test_a_turn_has_at_most_seven_decisions(engine: ModuleType) -> None:
    state = table(engine, {"max_turns": 21}, centre=[0, 1, 2, 3, 4, 5])
    decisions = 0
    for symbol in (0, 1, 2, 3, 4, 5, 0):
        assert state.current_player() == 0
        decisions += 1
        state = drawn(state, symbol)
    assert (decisions, state.is_terminal()) == (7, True)


# Refill


@pytest.mark.rule("TC-2", "TC-5", "TC-6", "TC-7")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_game_starts_with_three_tiles_turned_up(engine: ModuleType, players: int) -> None:
    state = load(engine, NAME, players=players).new_initial_state()
    assert state.to_dict()["pool"] == [21] * 6
    for number in range(3):
        shown = state.to_dict()
        assert (shown["phase"], shown["seat"], sum(shown["centre"])) == ("refill", 0, number)
        left = [21 - number, 21, 21, 21, 21, 21]
        assert state.chance_outcomes() == [(s, left[s] / sum(left)) for s in range(6)]
        state.apply_action(0)
    shown = state.to_dict()
    assert (shown["phase"], shown["centre"], shown["pool"][0]) == ("choose", [3, 0, 0, 0, 0, 0], 18)
    assert (shown["seat"], shown["turns"], shown["box"]) == (0, 0, [0] * 6)


@pytest.mark.rule("TC-6")
@pytest.mark.parametrize(
    ("centre", "missing"), [([0, 0, 0], 3), ([0, 0, 3], 2), ([0, 3, 3], 1), ([0, 3, 3, 4], 0)]
)
def test_a_turn_begins_with_the_refill_of_the_centre(
    engine: ModuleType, centre: list[int], missing: int
) -> None:
    """The free scoring takes the red tiles."""
    state = table(engine, centre=centre).child(free(0))
    for _ in range(missing):
        shown = state.to_dict()
        assert (shown["phase"], shown["seat"]) == ("refill", 1)
        state.apply_action(5)
    assert state.to_dict()["phase"] == "choose"
    assert sum(state.to_dict()["centre"]) == 3


@pytest.mark.rule("TC-6")
def test_the_refill_stops_when_the_pool_is_empty(engine: ModuleType) -> None:
    pegs = {0: [7, 7, 7, 7, 7, 6], 1: [7, 7, 7, 7, 7, 6], 2: [7, 7, 7, 7, 7, 6]}
    state = table(engine, players=3, phase="refill", pegs=pegs, pool=[5, 5, 5])
    assert state.to_dict()["centre"] == [0] * 6
    state.apply_action(5)
    state.apply_action(5)
    assert state.to_dict()["phase"] == "refill"
    assert state.chance_outcomes() == [(5, 1.0)]
    state.apply_action(5)
    assert (state.to_dict()["phase"], state.legal_actions()) == ("choose", [free(5)])


@pytest.mark.rule("TC-7")
@pytest.mark.fault("A064", "A068")
def test_a_tile_comes_by_the_tiles_left_in_the_pool(engine: ModuleType) -> None:
    pegs = {0: [7, 7, 0, 0, 0, 0], 1: [7, 7, 0, 0, 0, 0]}
    state = table(engine, pegs=pegs, centre=[0, 0, 0, 0, 0, 0, 0, 2, 2]).child(DRAW)
    left = {1: 7, 2: 19, 3: 21, 4: 21, 5: 21}
    assert state.chance_outcomes() == [(symbol, number / 89) for symbol, number in left.items()]
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(0)


# Draw and score


@pytest.mark.rule("TC-8", "TC-9", "TC-12")
def test_after_a_good_draw_the_player_scores_or_draws_again(engine: ModuleType) -> None:
    state = table(engine, centre=[0, 1, 2])
    assert state.legal_actions() == [DRAW, free(0), free(1), free(2)]
    state.apply_action(DRAW)
    assert state.to_dict()["phase"] == "draw"
    state.apply_action(2)
    shown = state.to_dict()
    assert (shown["phase"], shown["front"], shown["centre"]) == ("decide", [2], [1, 1, 1, 0, 0, 0])
    assert (shown["pool"][2], shown["turns"]) == (19, 20)
    assert state.legal_actions() == [DRAW, SCORE]
    state = drawn(state, 0)
    assert state.to_dict()["front"] == [0, 2]
    assert state.legal_actions() == [DRAW, SCORE]


@pytest.mark.rule("TC-10", "TC-11")
@pytest.mark.parametrize(
    ("draws", "centre"),
    [
        ((3,), [1, 1, 1, 1, 0, 0]),
        ((2, 2), [1, 1, 3, 0, 0, 0]),
        ((0, 2, 0), [3, 1, 2, 0, 0, 0]),
        ((0, 2, 1, 5), [2, 2, 2, 0, 0, 1]),
    ],
)
def test_a_bust_puts_all_drawn_tiles_into_the_centre(
    engine: ModuleType, draws: Sequence[int], centre: list[int]
) -> None:
    pegs = {0: [2, 2, 2, 2, 2, 2], 1: [1] * 6}
    state = drawn(table(engine, pegs=pegs, centre=[0, 1, 2], idle=3), *draws)
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turns"], shown["idle"]) == ("choose", 1, 21, 4)
    assert (shown["centre"], shown["front"]) == (centre, [])
    assert shown["pegs"] == [pegs[0], pegs[1]]
    assert shown["box"] == [3] * 6


@pytest.mark.rule("TC-9", "TC-12")
def test_a_draw_that_must_bust_is_legal(engine: ModuleType) -> None:
    """Six tiles in front; and a pool of one tile that the centre does not have."""
    state = table(engine, phase="decide", centre=[0, 1, 2, 3, 4, 5], front=[0, 1, 2, 3, 4, 5])
    assert state.legal_actions() == [DRAW, SCORE]
    assert drawn(state, 4).to_dict()["centre"] == [2, 2, 2, 2, 3, 2]
    pegs = {0: [7, 6, 6, 7, 7, 7], 1: [7, 7, 7, 7, 7, 6], 2: [6, 7, 7, 7, 7, 7]}
    state = table(engine, players=3, pegs=pegs, pool=[0])
    assert state.to_dict()["centre"] == [0, 1, 1, 0, 0, 1]
    assert state.legal_actions() == [DRAW, free(1), free(2)]
    shown = drawn(state, 0).to_dict()
    assert (shown["centre"], shown["seat"], shown["phase"]) == ([1, 1, 1, 0, 0, 1], 1, "choose")


@pytest.mark.rule("TC-13", "TC-14", "TC-16")
def test_a_score_takes_all_tiles_of_the_symbols_in_front(engine: ModuleType) -> None:
    pegs = {0: [1, 0, 2, 0, 0, 0], 1: [1] * 6}
    state = table(engine, pegs=pegs, centre=[0, 0, 1, 2, 2, 2])
    state = drawn(state, 2, 0).child(SCORE)
    shown = state.to_dict()
    assert shown["pegs"][0] == [4, 0, 6, 0, 0, 0]
    assert shown["box"] == [5, 1, 7, 1, 1, 1]
    assert (shown["centre"], shown["front"]) == ([0, 1, 0, 0, 0, 0], [])
    assert (shown["phase"], shown["seat"], shown["turns"], shown["idle"]) == ("refill", 1, 21, 0)
    assert total(shown) == [21] * 6


@pytest.mark.rule("TC-13", "TC-14")
def test_tiles_beyond_the_target_go_back_to_the_pool(engine: ModuleType) -> None:
    """Four players, row red at 3, a red tile in front and three in the centre: two count, two go back."""
    state = table(
        engine,
        players=4,
        phase="decide",
        pegs={0: [3, 1, 1, 1, 1, 1]},
        centre=[0, 0, 0, 2],
        front=[0],
    )
    before = state.to_dict()
    state.apply_action(SCORE)
    shown = state.to_dict()
    assert shown["pegs"][0] == [5, 1, 1, 1, 1, 1]
    assert shown["box"][0] == before["box"][0] + 2
    assert shown["pool"][0] == before["pool"][0] + 2
    assert (shown["centre"], shown["phase"]) == ([0, 0, 1, 0, 0, 0], "refill")
    state.apply_action(0)
    assert sum(state.to_dict()["centre"]) == 2


@pytest.mark.rule("TC-15")
def test_a_symbol_at_the_target_only_recycles_its_tiles(engine: ModuleType) -> None:
    pegs = {0: [7, 1, 1, 1, 1, 1]}
    state = drawn(table(engine, pegs=pegs, centre=[0, 0, 1, 2]), 0)
    before = state.to_dict()
    state.apply_action(SCORE)
    shown = state.to_dict()
    assert shown["pegs"] == before["pegs"]
    assert shown["box"] == before["box"]
    assert shown["pool"][0] == before["pool"][0] + 3
    assert (shown["idle"], shown["pending_bonus"], shown["seat"]) == (1, 0, 1)


@pytest.mark.rule("TC-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_are_no_gates(engine: ModuleType, players: int) -> None:
    target = TARGETS[players]
    state = drawn(table(engine, players=players, centre=[0] * 7), 0)
    state.apply_action(SCORE)
    assert state.to_dict()["pegs"][0] == [target, 0, 0, 0, 0, 0]
    assert state.to_dict()["box"][0] == target


@pytest.mark.rule("TC-10", "TC-12")
@pytest.mark.fault("A028")
def test_a_copy_in_the_middle_of_a_draw_goes_its_own_way(engine: ModuleType) -> None:
    state = drawn(table(engine), 1).child(DRAW)
    twin, before = state.clone(), state.to_bytes()
    ends = []
    for one in (state, twin):
        rng = engine.Rng(5)
        while not one.is_terminal():
            step(one, rng)
        ends.append(one.to_bytes())
        assert twin.to_bytes() == (before if one is state else ends[0])
    assert ends[0] == ends[1]
