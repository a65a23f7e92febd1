"""Optimus 2: options, whole games against a third reading of the rules, and figures, on both engines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.optimus2_game import follow, legal_actions, outcomes, totals, winners
from tests.rules.optimus2_sheet import (
    AREAS,
    BARS,
    BONUSES,
    area_of,
    area_points,
    free_marks,
    reached,
)
from tests.rules.optimus2_table import (
    DEFAULTS,
    FREE,
    NAME,
    OTHERS,
    OWN,
    ROUNDS,
    RULE_SETS,
)
from tests.rules.shared import load, mean_fits, returns_of
from tests.walks import step, walk

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State
    from tests.rules.optimus2_table import Shown


# Options


@pytest.mark.rule("O2-1")
def test_options_have_their_names_defaults_and_values(engine: ModuleType) -> None:
    specs = engine.game_options(NAME)
    assert {spec.name: spec.default for spec in specs} == DEFAULTS
    assert [spec.name for spec in specs] == list(load(engine, NAME).options) == list(DEFAULTS)
    assert dict(load(engine, NAME).options) == DEFAULTS
    for name, value in {**OTHERS, "players": 4}.items():
        assert load(engine, NAME, **{name: value}).options[name] == value
        assert load(engine, NAME, **{name: DEFAULTS[name]}) == load(engine, NAME)


@pytest.mark.rule("O2-1")
@pytest.mark.parametrize(
    "option",
    [
        *({"players": value} for value in (0, 5, "1", 1.0, True, None)),
        *({"silver_cascade_leftovers": value} for value in (0, 1, None, "true")),
        *({"extra_die_scope": value} for value in ("game", "Round", None, True)),
        *({"return_before_reroll": value} for value in (0, 1, "no")),
        *({"pass_policy": value} for value in ("never", "", None)),
        *({"fox_floor_zero": value} for value in (0, 1.0, "")),
        {"rounds": 6},
        {"max_turns": 1000},
    ],
    ids=str,
)
def test_other_options_are_refused(engine: ModuleType, option: dict[str, Any]) -> None:
    with pytest.raises(tc.OptionError):
        load(engine, NAME, **option)


# Whole games


@pytest.mark.rule("O2-2", "O2-3", "O2-4", "O2-5", "O2-6", "O2-7", "O2-8", "O2-9", "O2-10", "O2-11")
@pytest.mark.rule("O2-13", "O2-14", "O2-15", "O2-17", "O2-18", "O2-20", "O2-22", "O2-24", "O2-25")
@pytest.mark.rule("O2-26", "O2-27", "O2-28", "O2-29", "O2-30", "O2-31", "O2-32", "O2-33", "O2-34")
@pytest.mark.rule("O2-35", "O2-36", "O2-37", "O2-38", "O2-39", "O2-40", "O2-41", "O2-42", "O2-43")
@pytest.mark.rule("O2-44", "O2-45", "O2-46", "O2-47", "O2-48", "O2-49", "O2-50", "O2-51", "O2-52")
@pytest.mark.rule("O2-53", "O2-54", "O2-55", "O2-56", "O2-57", "O2-58", "O2-59", "O2-60", "O2-61")
@pytest.mark.rule("O2-62", "O2-63", "O2-64", "O2-65", "O2-66", "O2-67", "O2-69", "O2-70", "O2-71")
@pytest.mark.rule("O2-74", "O2-75", "O2-76", "O2-77", "O2-78", "O2-80", "O2-81", "O2-82", "O2-83")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_games_go_from_node_to_node_as_the_rules_say(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """The dict is followed by a third reading of the rules."""
    game = load(engine, NAME, **options)
    for seed in range(effort(engine, native=6, reference=2)):
        for state, expected in follow(game, engine.Rng(seed)):
            assert state.to_dict() == expected
            chances = outcomes(expected)
            assert state.is_terminal() == (expected["phase"] == "over")
            if chances:
                assert state.current_player() == tc.PlayerId.CHANCE
                assert state.chance_outcomes() == [(one, 1 / len(chances)) for one in chances]
            elif not state.is_terminal():
                assert state.current_player() == expected["seat"]
                assert state.legal_actions() == legal_actions(expected, game.options)
            assert state.scores().tolist() == totals(expected, game.options)
            assert not state.is_truncated()
            if state.is_terminal():
                check_end(state, expected)
            else:
                assert state.winners() == []
                assert not state.returns().any()


def check_end(state: State, expected: Shown) -> None:
    """Check who wins, and the returns."""
    options = state.get_game().options
    assert state.current_player() == tc.PlayerId.TERMINAL
    assert state.winners() == winners(expected, options)
    if options["players"] == 1:
        assert state.returns().tolist() == totals(expected, options)
    else:
        found = state.returns().tolist()
        assert found == pytest.approx(returns_of(state.winners(), options["players"]))


@pytest.mark.rule("O2-8", "O2-9")
@pytest.mark.fault("A109", "A110")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_each_bonus_is_booked_once(engine: ModuleType, players: int) -> None:
    """Actions and foxes are those of the sources reached; each ? reached is used, or lost in a full area."""
    game = load(engine, NAME, players=players)
    for seed in range(effort(engine, native=25, reference=2)):
        state, rng = game.new_initial_state(), engine.Rng(seed)
        used: list[Counter[str]] = [Counter() for _ in range(players)]
        shown = state.to_dict()
        while shown["phase"] != "over":
            action = step(state, rng)
            if shown["due"] and not shown["cascade"] and FREE <= action < OWN:
                used[shown["seat"]]["q_" + area_of(action - FREE)] += 1
            used[shown["seat"]]["q_any"] += shown["due"][:1] == ["q_any"]
            shown = state.to_dict()
            for seat, sheet in enumerate(shown["sheets"]):
                due = shown["due"] if seat == shown["seat"] else []
                begun = shown["round"] - (shown["phase"] == "round" and seat > shown["seat"])
                source = reached(sheet, begun)
                assert all(sheet[bar]["earned"] + due.count(bar) == source[bar] for bar in BARS)
                assert shown["cascade"] or sheet["foxes"] == source["fox"]
        for seat, sheet in enumerate(shown["sheets"]):
            source = reached(sheet, shown["round"])
            # The black ? was used for one of the colours.
            colours = [bonus for bonus in BONUSES[4:9] if free_marks(sheet, bonus[2:])]
            assert used[seat]["q_any"] == source["q_any"] == 1
            assert all(used[seat][one] >= source[one] for one in colours)
            assert sum(used[seat][one] - source[one] for one in colours) <= 1
            assert all(used[seat][one] <= source[one] + 1 for one in BONUSES[4:9])


@pytest.mark.rule("O2-3", "O2-69")
@pytest.mark.fault("A082")
@pytest.mark.parametrize(("players", "turns"), [(1, 6), (2, 12), (3, 15), (4, 16)])
def test_every_seat_is_active_once_in_a_round(engine: ModuleType, players: int, turns: int) -> None:
    game = load(engine, NAME, players=players)
    rounds = ROUNDS[players]
    expected = [(number, seat) for number in range(1, rounds + 1) for seat in range(players)]
    assert len(expected) == turns
    for seed in range(effort(engine, native=20, reference=2)):
        active: list[tuple[int, int]] = []
        asked: list[tuple[int, int, int]] = []
        for state in walk(game, seed):
            shown = state.to_dict()
            turn = (shown["round"], shown["active"])
            if shown["phase"] == "roll" and active[-1:] != [turn]:
                active.append(turn)
            choice = (*turn, shown["seat"])
            if shown["phase"] == "passive" and not shown["due"]:
                asked.append(choice)
        assert active == expected
        # Each passive seat is asked at most once in a turn, and in seat order.
        assert len(set(asked)) == len(asked)
        order = [(one, act, (seat - act) % players) for one, act, seat in asked]
        assert order == sorted(order)
        assert {turn[:2] for turn in asked} >= set(expected[:4])


@pytest.mark.rule("O2-79")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_declared_length_is_that_of_the_page(engine: ModuleType, players: int) -> None:
    rounds = ROUNDS[players]
    for early in (False, True):
        game = load(engine, NAME, players=players, return_before_reroll=early)
        others = max(players - 1, 1)
        length = players * (rounds * (9 + 2 * others) + 43 + 6 * early)
        assert game.max_game_length() == length
        found = engine.playouts(game, effort(engine, native=2000, reference=5), seed=4)
        assert found.lengths.max() <= length


@pytest.mark.rule("O2-77", "O2-78")
@pytest.mark.parametrize("floor", [False, True])
def test_utilities_are_bounded(engine: ModuleType, floor: bool) -> None:
    solo = load(engine, NAME, fox_floor_zero=floor)
    assert (solo.min_utility(), solo.max_utility()) == (-43.0 if floor else -301.0, 927.0)
    for players in (2, 3, 4):
        game = load(engine, NAME, players=players, fox_floor_zero=floor)
        assert game.max_utility() == 1.0
        assert game.min_utility() == pytest.approx(-1 / (players - 1))


@pytest.mark.rule("O2-79", "O2-103")
@pytest.mark.fault("A083")
def test_solo_games_all_come_to_their_end(engine: ModuleType) -> None:
    game = load(engine, NAME)
    count = effort(engine, native=20_000, reference=10)
    found = engine.playouts(game, count, seed=83)
    assert (found.lengths >= 8).all()
    assert (found.lengths <= game.max_game_length()).all()
    assert (found.returns == found.scores).all()
    assert (found.scores < 600).all()


# Figures

FIGURES = {
    "solo": ({"players": 1}, "60.7", ("34.7", "6.8", "5.9", "1.9", "11.5"), "34.3", 46),
    "two": ({"players": 2}, "60.8", ("34.3", "6.4", "6.0", "1.9", "12.2"), "69.2", 87),
    "three": ({"players": 3}, "61.2", ("32.6", "7.6", "6.5", "1.9", "12.8"), "107.7", 131),
    "four": ({"players": 4}, "55.7", ("28.9", "6.8", "6.2", "1.8", "12.1"), "136.1", 157),
    "stuck": (
        {"pass_policy": "only_when_stuck"},
        "69.4",
        ("36.8", "9.1", "7.1", "2.5", "13.8"),
        "34.4",
        52,
    ),
}


@pytest.mark.rule("O2-103")
@pytest.mark.parametrize(
    ("options", "total", "areas", "decisions", "most"), FIGURES.values(), ids=list(FIGURES)
)
def test_random_games_have_the_known_means(
    engine: ModuleType,
    options: dict[str, Any],
    total: str,
    areas: tuple[str, ...],
    decisions: str,
    most: int,
) -> None:
    game = load(engine, NAME, **options)
    found: list[int] = []
    points: list[list[int]] = []
    counted: list[int] = []
    for seed in range(effort(engine, native=400, reference=8)):
        count = 0
        for state in walk(game, seed):
            count += not state.is_chance_node() and len(state.legal_actions()) > 1
        counted.append(count)
        found += state.scores().tolist()
        points += [area_points(sheet) for sheet in state.to_dict()["sheets"]]
    assert mean_fits(found, total, games=3000)
    assert mean_fits(counted, decisions, games=3000)
    assert max(counted) <= most + 15
    for area, column, mean in zip(AREAS, zip(*points, strict=True), areas, strict=True):
        assert mean_fits(column, mean, games=3000), area
