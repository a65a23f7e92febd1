"""Dice Challenge: options, rolls and whole games, on both engines."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.challenges_board import figures, gates_hold, winners_of
from tests.rules.dice_challenge_table import (
    DICE,
    NAME,
    REROLL,
    RULE_SETS,
    STOP,
    after,
    beginning,
    legal_actions,
    match,
    rolled,
    rolls,
    table,
    use,
    weight,
)
from tests.rules.shared import load, misfits, returns_of
from tests.walks import step, walk

if TYPE_CHECKING:
    from types import ModuleType


DEFAULTS = {"players": 2, "gate_test": "stepwise", "max_turns": 1000, "no_progress_limit": 100}


# Options and whole games


@pytest.mark.rule("DC-1")
def test_options_have_their_names_defaults_and_values(engine: ModuleType) -> None:
    specs = engine.game_options(NAME)
    assert {spec.name: spec.default for spec in specs} == DEFAULTS
    assert [spec.name for spec in specs] == list(load(engine, NAME).options) == list(DEFAULTS)
    assert dict(load(engine, NAME).options) == DEFAULTS
    for name, values in {
        "players": (2, 3, 4),
        "gate_test": ("stepwise", "strict"),
        "max_turns": (1, 65535),
        "no_progress_limit": (1, 65535),
    }.items():
        for value in values:
            assert load(engine, NAME, **{name: value}).options[name] == value


@pytest.mark.rule("DC-1")
@pytest.mark.parametrize(
    "option",
    [
        *({"players": value} for value in (1, 5, "2", 2.0, True, None)),
        *({"gate_test": value} for value in ("none", "Strict", None)),
        *({"max_turns": value} for value in (0, 65536, 1.0, True, "9")),
        *({"no_progress_limit": value} for value in (0, 65536, None, False)),
        {"dump_tie_rule": "all"},
        {"two_player_row": "fifo"},
    ],
    ids=str,
)
def test_other_options_are_refused(engine: ModuleType, option: dict[str, Any]) -> None:
    with pytest.raises(tc.OptionError):
        load(engine, NAME, **option)


@pytest.mark.rule("DC-2", "DC-3", "DC-4", "DC-5", "DC-7", "DC-8", "DC-9", "DC-10", "DC-11", "DC-12")
@pytest.mark.rule("DC-13", "DC-14", "DC-15", "DC-16", "DC-17", "DC-18", "DC-19", "DC-20", "DC-22")
@pytest.mark.rule("DC-23", "DC-24", "DC-25", "DC-26", "DC-27", "DC-28", "DC-29", "DC-30")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_games_go_from_node_to_node_as_the_rules_say(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """The dict is followed by a third reading of the rules."""
    game = load(engine, NAME, **options)
    players = options["players"]
    total = 6 ** DICE[players]
    shares = [(number, weight(roll) / total) for number, roll in enumerate(rolls(players))]
    for seed in range(effort(engine, native=10, reference=2)):
        state, rng = game.new_initial_state(), engine.Rng(seed)
        expected = beginning(players)
        while expected["phase"] != "over":
            assert state.to_dict() == expected
            if expected["phase"] in {"opening", "roll"}:
                assert state.current_player() == tc.PlayerId.CHANCE
                assert state.chance_outcomes() == shares
            else:
                assert state.current_player() == expected["seat"]
                assert state.legal_actions() == legal_actions(expected)
            assert state.winners() == []
            assert state.scores().tolist() == [min(pegs) for pegs in expected["pegs"]]
            expected = after(expected, step(state, rng), game.options)
        assert state.to_dict() == expected
        assert state.is_terminal()
        assert state.is_truncated() == expected["truncated"]
        assert state.winners() == winners_of(expected)
        assert state.returns().tolist() == returns_of(state.winners(), players)
        assert state.scores().tolist() == [min(pegs) for pegs in expected["pegs"]]


@pytest.mark.rule("DC-6")
@pytest.mark.parametrize("options", RULE_SETS[:5], ids=str)
def test_pegs_never_go_back_and_never_span_more_than_two_areas(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for seed in range(effort(engine, native=20, reference=1)):
        before: list[list[int]] = [[0] * 6 for _ in range(options["players"])]
        mover = 0
        for state in walk(load(engine, NAME, **options), seed):
            shown = state.to_dict()
            for seat, (old, pegs) in enumerate(zip(before, shown["pegs"], strict=True)):
                assert gates_hold(pegs)
                assert all(0 <= a <= b <= 10 for a, b in zip(old, pegs, strict=True))
                assert seat == mover or old == pegs
            before, mover = shown["pegs"], shown["seat"]


@pytest.mark.rule("DC-51")
@pytest.mark.parametrize(
    ("players", "means"),
    [
        (
            2,
            {
                "turns": "52.4",
                "decisions": "250",
                "real": "201",
                "chances": "93.8",
                "lowest": "5.91",
            },
        ),
        (
            3,
            {
                "turns": "72.6",
                "decisions": "298",
                "real": "230",
                "chances": "130.6",
                "lowest": "5.35",
            },
        ),
        (
            4,
            {
                "turns": "133.2",
                "decisions": "447",
                "real": "333",
                "chances": "237.3",
                "lowest": "5.07",
            },
        ),
    ],
)
def test_random_games_have_the_known_means(
    engine: ModuleType, players: int, means: dict[str, str]
) -> None:
    game = load(engine, NAME, players=players)
    seeds = range(effort(engine, native=300, reference=10))
    assert not misfits([figures(game, seed) for seed in seeds], means, games=1000)


@pytest.mark.rule("DC-31", "DC-51")
@pytest.mark.fault("A080")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_end_by_themselves_or_at_a_cap(engine: ModuleType, players: int) -> None:
    for max_turns in (1, 8, 1000):
        game = load(engine, NAME, players=players, max_turns=max_turns)
        assert game.max_game_length() == max_turns * (2 + DICE[players])
        result = engine.playouts(game, effort(engine, native=1000, reference=2), seed=1)
        assert result.lengths.max() <= game.max_game_length()
    assert result.scores.max(axis=1).min() >= 7


# Rolls


@pytest.mark.rule("DC-7", "DC-8")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_rolls_once_and_then_seat_0_rolls_again(
    engine: ModuleType, players: int
) -> None:
    state = load(engine, NAME, players=players).new_initial_state()
    for seat in range(players):
        shown = state.to_dict()
        assert (shown["phase"], shown["seat"]) == ("opening", seat)
        assert [len(dice) for dice in shown["dice"]] == [
            DICE[players] * (other < seat) for other in range(players)
        ]
        state.apply_action(seat + 3)
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["rolls_used"]) == ("roll", 0, 0)
    assert shown["dice"] == [list(rolls(players)[seat + 3]) for seat in range(players)]
    assert state.is_chance_node()
    assert shown["pegs"] == [[0] * 6] * players


@pytest.mark.rule("DC-11")
@pytest.mark.fault("A064")
@pytest.mark.parametrize(("players", "number"), [(2, 126), (3, 56), (4, 21)])
def test_a_roll_is_one_multiset_of_faces(engine: ModuleType, players: int, number: int) -> None:
    ways = Counter(tuple(sorted(faces)) for faces in product(range(6), repeat=DICE[players]))
    state = load(engine, NAME, players=players).new_initial_state()
    outcomes = state.chance_outcomes()
    assert [outcome for outcome, _ in outcomes] == list(range(number))
    for outcome, share in outcomes:
        assert share == ways[rolls(players)[outcome]] / 6 ** DICE[players]


@pytest.mark.rule("DC-9", "DC-10", "DC-12", "DC-13")
@pytest.mark.fault("A008")
def test_after_the_third_roll_there_is_no_reroll_and_the_next_turn_has_three_again(
    engine: ModuleType,
) -> None:
    state = table(engine, phase="roll", dice={0: [0, 1, 2, 3], 1: [5, 5, 5, 5]})
    old = [0, 1, 2, 3]
    for number, roll in enumerate(([1, 1, 2, 2], [3, 3, 3, 3], [0, 0, 0, 4])):
        shown = state.to_dict()
        assert (shown["phase"], shown["rolls_used"], shown["dice"][0]) == ("roll", number, old)
        assert state.is_chance_node()
        state.apply_action(rolls(2).index(tuple(roll)))
        old = roll
        shown = state.to_dict()
        assert shown["dice"][0] == roll
        if number < 2:
            assert (shown["phase"], shown["rolls_used"]) == ("reroll", number + 1)
            assert state.legal_actions() == [STOP, REROLL]
            state.apply_action(REROLL)
    shown = state.to_dict()
    assert (shown["phase"], shown["rolls_used"], shown["unused"]) == ("resolve", 0, old)
    assert not state.is_legal(REROLL)
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(REROLL)
    state = use(state, match(0), match(0), match(0), match(4))
    assert (state.to_dict()["phase"], state.to_dict()["seat"]) == ("roll", 1)
    state = use(rolled(state, [0, 1, 2, 3]), STOP, *map(match, range(4)))
    state = rolled(state, [0, 1, 2, 3])
    assert (state.to_dict()["seat"], state.legal_actions()) == (0, [STOP, REROLL])


@pytest.mark.rule("DC-9", "DC-14")
@pytest.mark.parametrize("number", [1, 2])
def test_stop_takes_the_dice_as_they_lie(engine: ModuleType, number: int) -> None:
    state = rolled(table(engine, phase="roll"), *([[1, 1, 4, 4]] * number))
    state.apply_action(STOP)
    shown = state.to_dict()
    assert (shown["phase"], shown["unused"], shown["rolls_used"]) == ("resolve", [1, 1, 4, 4], 0)
    assert shown["dice"][0] == [1, 1, 4, 4]


@pytest.mark.rule("DC-9", "DC-12")
@pytest.mark.fault("A028")
def test_a_copy_between_two_rolls_goes_its_own_way(engine: ModuleType) -> None:
    state = rolled(table(engine, phase="roll"), [0, 0, 1, 1])
    state.apply_action(REROLL)
    twin, before = state.clone(), state.to_bytes()
    ends = []
    for one in (state, twin):
        rng = engine.Rng(5)
        while not one.is_terminal():
            step(one, rng)
        ends.append(one.to_bytes())
        assert twin.to_bytes() == (before if one is state else ends[0])
    assert ends[0] == ends[1]
