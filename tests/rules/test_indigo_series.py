"""The series of Indigo games: games one after another, points and gems added up, on both engines."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.distribution import check_resampling
from tests.engines import effort
from tests.rules.indigo_board import FULL_BOARD, full_board_without, hidden_deals, position
from tests.rules.shared import (
    GONE,
    NO_COUNTS,
    Case,
    Shown,
    comes_back,
    header,
    load,
    returns_of,
    spoilt,
    u16,
    view_text,
    wrong_values,
)
from tests.walks import step, walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from tabletop_core.protocol import Game, State

NAME = "indigo_series"
KEYS = ("played", "totals", "total_gems", "position")
DEFAULTS = {"players": 2, "ownership": "shared", "hand_size": 1, "games": 3}
SERIES: tuple[dict[str, Any], ...] = (
    {"games": 2},
    {"players": 3, "ownership": "exclusive", "hand_size": 2, "games": 2},
    {"players": 4, "games": 1},
)


def single(engine: ModuleType, series: Game) -> Game:
    """Load Indigo alone with what the series says about it."""
    options = {name: value for name, value in series.options.items() if name != "games"}
    return load(engine, "indigo", **options)


def gems_of(state: State) -> list[int]:
    """Count the gems of each seat in a game of Indigo."""
    return [sum(won.values()) for won in state.to_dict()["won"]]


def some(states: Iterator[State], every: int) -> Iterator[State]:
    """Give some of the positions, and the last."""
    for number, state in enumerate(states):
        if number % every == 0 or state.is_terminal():
            yield state


@pytest.mark.rule("IS-1")
def test_options_are_those_of_indigo_and_the_number_of_games(engine: ModuleType) -> None:
    specs = engine.game_options(NAME)
    assert {spec.name: spec.default for spec in specs} == DEFAULTS
    assert [spec.name for spec in specs] == list(load(engine, NAME).options) == list(DEFAULTS)
    assert dict(load(engine, NAME).options) == DEFAULTS
    for number in (1, 2, 1000):
        assert load(engine, NAME, games=number).options["games"] == number
    game = load(engine, NAME, players=3, ownership="exclusive", hand_size=2)
    assert game.options["ownership"] == "exclusive"


@pytest.mark.rule("IS-1")
@pytest.mark.parametrize(
    "option",
    [
        *({"games": value} for value in (0, -1, 1001, 2.0, True, "3", None)),
        {"players": 5},
        {"hand_size": 3},
        {"ownership": "none"},
        {"players": 2, "ownership": "exclusive"},
        {"max_turns": 9},
    ],
    ids=str,
)
def test_other_options_are_refused(engine: ModuleType, option: dict[str, Any]) -> None:
    with pytest.raises(tc.OptionError):
        load(engine, NAME, **option)


@pytest.mark.rule("IS-2", "IS-3", "IS-4", "IS-5", "IS-6", "IS-8")
@pytest.mark.parametrize("options", SERIES, ids=str)
def test_a_series_is_its_games_one_after_another(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """Each game is played along by itself, with the same ids."""
    game = load(engine, NAME, **options)
    players = game.num_players()
    for seed in range(effort(engine, native=8, reference=1)):
        state, rng = game.new_initial_state(), engine.Rng(seed)
        points = np.zeros(players, dtype=np.int64)
        gems = np.zeros(players, dtype=np.int64)
        for played in range(options["games"]):
            alone = single(engine, game).new_initial_state()
            while not alone.is_terminal():
                assert state.to_dict() == {
                    "played": played,
                    "totals": points.tolist(),
                    "total_gems": gems.tolist(),
                    "position": alone.to_dict(),
                }
                assert state.current_player() == alone.current_player()
                assert state.legal_actions() == alone.legal_actions()
                if alone.is_chance_node():
                    assert state.chance_outcomes() == alone.chance_outcomes()
                assert state.scores().tolist() == (points + alone.scores()).tolist()
                assert (state.winners(), state.is_truncated()) == ([], False)
                assert not state.returns().any()
                alone.apply_action(step(state, rng))
            points += alone.scores()
            gems += gems_of(alone)
        assert state.is_terminal()
        assert state.to_dict() == {
            "played": options["games"],
            "totals": points.tolist(),
            "total_gems": gems.tolist(),
            "position": alone.to_dict(),
        }
        assert state.scores().tolist() == points.tolist()
        ranks = list(zip(points.tolist(), gems.tolist(), strict=True))
        assert state.winners() == [seat for seat in range(players) if ranks[seat] == max(ranks)]
        assert state.returns().tolist() == returns_of(state.winners(), players)
        assert not state.is_truncated()


@pytest.mark.rule("IS-4", "IS-5", "IS-6")
@pytest.mark.fault("A100")
@pytest.mark.parametrize(
    ("points", "gems", "winners"),
    [
        ([1, 0], [0, 1], [0]),
        ([0, 1], [1, 0], [1]),
        ([0, 0], [1, 0], [0]),
        ([0, 0], [0, 2], [1]),
        ([0, 0], [0, 0], [0, 1]),
    ],
)
def test_points_decide_and_then_gems(
    engine: ModuleType, points: list[int], gems: list[int], winners: list[int]
) -> None:
    """The games before the last make up for the difference of the last one, but for some points and gems."""
    last = load(engine, "indigo").state_from_dict(position(FULL_BOARD))
    total = 12 + int(last.scores().sum())
    all_gems = 6 + sum(gems_of(last))
    shown = {
        "played": 5,
        "totals": [total + more for more in points],
        "total_gems": [all_gems + more for more in gems],
        "position": last.to_dict(),
    }
    state = load(engine, NAME, games=5).state_from_dict(shown)
    assert state.is_terminal()
    assert state.scores().tolist() == shown["totals"]
    assert state.winners() == winners
    assert state.returns().tolist() == returns_of(winners, 2)


@pytest.mark.rule("IS-6", "IS-7")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_lengths_and_utilities(engine: ModuleType, players: int) -> None:
    for number in (1, 3, 1000):
        game = load(engine, NAME, players=players, games=number)
        assert game.max_game_length() == 54 * number
        assert (game.max_utility(), game.min_utility()) == (1, -1 / (players - 1))
    game = load(engine, NAME, players=players, games=2)
    result = engine.playouts(game, effort(engine, native=200, reference=2), seed=1)
    assert 80 <= result.lengths.min() <= result.lengths.max() <= 108


# Ids and texts


@pytest.mark.rule("IS-8")
@pytest.mark.fault("A022")
def test_ids_and_texts_are_those_of_indigo(engine: ModuleType) -> None:
    game, alone = load(engine, NAME), load(engine, "indigo")
    assert (game.num_distinct_actions(), game.max_chance_outcomes()) == (810, 5)
    for action in range(810):
        text = alone.action_to_string(action)
        assert game.action_to_string(action) == text
        assert game.action_from_string(text) == action
    for outcome in range(5):
        text = alone.chance_to_string(outcome)
        assert game.chance_to_string(outcome) == text
        assert game.chance_from_string(text) == outcome


@pytest.mark.rule("IS-9")
@pytest.mark.parametrize("options", SERIES, ids=str)
def test_a_position_is_written_with_a_line_of_the_series(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **options)
    for state in some(walk(game, seed=2), 5):
        shown = state.to_dict()
        alone = single(engine, game).state_from_dict(shown["position"])
        place = (
            "over" if state.is_terminal() else f"game {shown['played'] + 1} of {options['games']}"
        )
        points = " ".join(map(str, shown["totals"]))
        gems = " ".join(map(str, shown["total_gems"]))
        assert str(state) == f"{NAME}: {place}, totals {points} points, {gems} gems\n{alone}"


# What a seat knows


@pytest.mark.rule("IS-10", "IS-11", "IS-17", "IS-18")
@pytest.mark.fault("A049")
@pytest.mark.parametrize("options", SERIES, ids=str)
def test_observations_and_resampling_are_those_of_indigo(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **options)
    changed = 0
    for number, state in enumerate(some(walk(game, seed=3), effort(engine, native=3, reference=9))):
        shown = state.to_dict()
        alone = single(engine, game).state_from_dict(shown["position"])
        for seat in range(game.num_players()):
            lines = alone.observation_string(seat).splitlines()
            view = {
                key: json.loads(value) for key, value in (line.split(": ", 1) for line in lines)
            }
            del view["observer"]
            known = {"observer": seat, **shown, "position": view}
            assert state.observation_string(seat) == view_text(known)
            tensor = alone.observation_tensor(seat)
            before = [shown["played"], *shown["totals"], *shown["total_gems"]]
            expected = np.concatenate(
                [np.eye(game.num_players())[seat], before, tensor[game.num_players() :]]
            )
            np.testing.assert_array_equal(state.observation_tensor(seat), expected)
            sample = state.resample_from_infostate(seat, engine.Rng(number))
            dealt = alone.resample_from_infostate(seat, engine.Rng(number))
            assert sample.to_dict() == {**shown, "position": dealt.to_dict()}
            for action in state.legal_actions()[:1]:
                told = alone.observed_action_to_string(seat, action)
                assert state.observed_action_to_string(seat, action) == told
            assert sample.observation_string(seat) == state.observation_string(seat)
            changed += sample != state
    assert changed


@pytest.mark.rule("IS-11")
@pytest.mark.parametrize("hand_size", [1, 2])
def test_resampling_has_the_exact_distribution_of_indigo(
    engine: ModuleType, hand_size: int
) -> None:
    """Seen from every seat, with a small pile."""
    hands = {seat: hand[:hand_size] for seat, hand in enumerate(([0, 2], [0, 3], [2, 3]))}
    pile = [0, 4, 4]
    tiles = full_board_without([*pile, *(kind for hand in hands.values() for kind in hand)])
    indigo = position(tiles, players=3, hand_size=hand_size, hands=hands)
    series = {"played": 1, "totals": [8, 0, 6], "total_gems": [5, 0, 4]}
    game = load(engine, NAME, players=3, hand_size=hand_size)
    state = game.state_from_dict({**series, "position": indigo})
    for seat in range(3):
        deals = hidden_deals(indigo, seat)
        check_resampling(
            state,
            seat,
            (({**series, "position": dealt}, ways) for dealt, ways in deals),
            draws=effort(engine, native=10_000, reference=500),
        )


@pytest.mark.rule("IS-17")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_observation_fields_have_their_names_and_shapes(engine: ModuleType, players: int) -> None:
    game, alone = load(engine, NAME, players=players), load(engine, "indigo", players=players)
    expected: list[tuple[str, tuple[int, ...]]] = [("observer", (players,)), ("played", (1,))]
    expected += [("totals", (players,)), ("total_gems", (players,))]
    expected += [(f"indigo.{f.name}", tuple(f.shape)) for f in alone.observation_fields][1:]
    assert [(f.name, tuple(f.shape)) for f in game.observation_fields] == expected
    assert all(field.meaning for field in game.observation_fields)


# Dict and bytes


@pytest.mark.rule("IS-12", "IS-14", "IS-15", "IS-16", "IS-19")
@pytest.mark.parametrize("options", SERIES, ids=str)
def test_every_position_of_a_series_comes_back_from_its_dict_and_bytes(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **options)
    alone = single(engine, game)
    own = header("indigo", alone.options)
    for state in some(walk(game, seed=4), effort(engine, native=2, reference=9)):
        shown = state.to_dict()
        assert tuple(shown) == KEYS
        assert comes_back(state)
        numbers = [*u16(shown["played"])]
        for total in (*shown["totals"], *shown["total_gems"]):
            numbers += u16(total)
        payload = alone.state_from_dict(shown["position"]).to_bytes().removeprefix(own)
        assert state.to_bytes() == header(NAME, game.options) + bytes(numbers) + payload


# Refusals


def start() -> Shown:
    return {"played": 0, "totals": [0, 0], "total_gems": [0, 0], "position": position({})}


def second() -> Shown:
    return {"played": 1, "totals": [8, 6], "total_gems": [5, 4], "position": position({})}


def over() -> Shown:
    """The totals are those of the last game and 8 and 6 points of the one before."""
    last = position(FULL_BOARD)
    points = [won["amber"] + 2 * won["emerald"] + 3 * won["sapphire"] for won in last["won"]]
    gems = [sum(won.values()) for won in last["won"]]
    return {
        "played": 2,
        "totals": [points[0] + 8, points[1] + 6],
        "total_gems": [gems[0] + 5, gems[1] + 4],
        "position": last,
    }


def plus(key: str, seat: int, more: int) -> list[tuple[tuple[Any, ...], Any]]:
    """Give an edit that adds to a total of `over`."""
    return [((key, seat), over()[key][seat] + more)]


WRONG_TOTALS: list[Any] = [None, {}, [8], [8, 6, 0], [True, 6], [8.0, 6], ["8", 6], 14]
SHAPES: dict[str, list[Any]] = {
    "played": [*NO_COUNTS, 2, 3, 256],
    "totals": WRONG_TOTALS,
    "total_gems": WRONG_TOTALS,
    "position": [None, {}, [], "place", {"phase": "place"}],
}

CASES = [
    *[Case("IS-13", name, second, edits) for name, edits in wrong_values(SHAPES)],
    Case("IS-13", "without a key of the position", second, [(("position", "seat"), GONE)]),
    Case("IS-13", "a position of three players", second, [(("position",), position({}, players=3))]),
    Case("IS-13", "a bad position", second, [(("position", "pile", 0), 54)]),
    Case("IS-14", "played too many", second, [(("played",), 2)]),
    Case("IS-14", "over before the last", over, [(("played",), 1)]),
    Case("IS-14", "the end without an end", over, [(("position",), position({}))]),
    Case("IS-14", "more games than there are", over, [(("played",), 3)]),
    Case("IS-15", "points before the first", start, [(("totals", 0), 1)]),
    Case("IS-15", "points and gems before the first", start, [(("totals", 0), 1), (("total_gems", 0), 1)]),
    Case("IS-15", "below 0", second, [(("totals", 0), -1)]),
    Case("IS-15", "20 points", second, [(("totals", 0), 20), (("total_gems", 0), 12)]),
    Case("IS-15", "13 gems", second, [(("totals", 0), 19), (("total_gems", 0), 13)]),
    Case("IS-15", "points without gems", second, [(("total_gems", 0), 0)]),
    Case("IS-15", "gems without points", second, [(("totals", 0), 0)]),
    Case("IS-15", "fewer points than gems", second, [(("totals", 0), 4)]),
    Case("IS-15", "more than three points a gem", second, [(("totals", 0), 16)]),
    Case("IS-15", "two sapphires of one game", second, [(("totals", 0), 12)]),
    Case("IS-15", "seven ambers of one game", second, [(("totals", 0), 7), (("total_gems", 0), 7)]),
    Case("IS-15", "13 gems together", second, [(("totals",), [10, 5]), (("total_gems",), [8, 5])]),
    Case("IS-15", "20 points together", second, [(("totals",), [11, 9]), (("total_gems",), [6, 6])]),
    Case("IS-15", "12 gems that are together too cheap", second, [(("totals",), [6, 6]), (("total_gems",), [6, 6])]),
    Case("IS-15", "more than two bytes", second, [(("totals", 0), 65544)]),
    Case("IS-16", "less than the last game", over, [(("totals",), [0, 0]), (("total_gems",), [0, 0])]),
    Case("IS-16", "only gems of the last game", over, plus("total_gems", 0, -5)),
    Case("IS-16", "only points of the last game", over, plus("totals", 1, -6)),
    Case("IS-16", "too many points before", over, plus("totals", 0, 12)),
    Case("IS-16", "too many gems before", over, [*plus("total_gems", 1, 9), *plus("totals", 1, 10)]),
]  # fmt: skip


@pytest.mark.rule("IS-13", "IS-14", "IS-15", "IS-16")
@pytest.mark.parametrize("case", CASES, ids=[f"{case.clause}: {case.name}" for case in CASES])
def test_refused(engine: ModuleType, case: Case) -> None:
    with pytest.raises(tc.PositionError) as refusal:
        load(engine, NAME, games=2).state_from_dict(spoilt(case.base(), case.edits))
    assert len(str(refusal.value)) > 10


@pytest.mark.rule("IS-14", "IS-15", "IS-16")
@pytest.mark.parametrize("base", [start, second, over], ids=lambda base: str(base.__name__))
def test_the_positions_that_are_spoilt_are_good(engine: ModuleType, base: Any) -> None:
    state = load(engine, NAME, games=2).state_from_dict(base())
    assert state.to_dict() == base()
    assert state.is_terminal() == (base is over)
    for totals, gems in (
        ([19, 0], [12, 0]),
        ([14, 0], [7, 0]),
        ([6, 11], [6, 5]),
        ([8, 7], [7, 3]),
    ):
        shown = deepcopy(second())
        shown.update(totals=totals, total_gems=gems)
        assert load(engine, NAME, games=2).state_from_dict(shown).to_dict() == shown


@pytest.mark.rule("IS-15")
def test_a_gem_counts_for_every_owner_of_a_gateway(engine: ModuleType) -> None:
    for options, owners in (
        ({"players": 4}, 2),
        ({"players": 3}, 2),
        ({"players": 3, "ownership": "exclusive"}, 1),
    ):
        game = load(engine, NAME, games=2, **options)
        shown = game.new_initial_state().to_dict()
        rest = [0] * (game.num_players() - 2)
        shown.update(played=1, totals=[19, 19, *rest], total_gems=[12, 12, *rest])
        if owners == 2:
            assert game.state_from_dict(shown).to_dict() == shown
        else:
            with pytest.raises(tc.PositionError):
                game.state_from_dict(shown)


@pytest.mark.rule("IS-13", "IS-19")
def test_what_is_no_position_at_all_is_refused(engine: ModuleType) -> None:
    game = load(engine, NAME, games=2)
    values: list[Any] = [None, [], "place", 3, {}]
    for value in values:
        with pytest.raises(tc.PositionError):
            game.state_from_dict(value)
    good = game.new_initial_state().to_bytes()
    for bad in (*(good[:size] for size in range(len(good))), good + b"\0"):
        with pytest.raises(tc.PositionError):
            game.state_from_bytes(bad)
