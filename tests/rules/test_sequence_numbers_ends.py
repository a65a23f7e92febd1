"""Sequence Numbers: winning, stalemates, dead positions, the cap on turns, and what everybody gets."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.sequence_numbers_board import (
    CANONICAL,
    MINUS,
    PLUS,
    SEATINGS,
    Board,
    Ends,
    after,
    load,
    lowest_chances,
    mirror_board,
    place_with_plus,
    position,
    random_step,
    row_cells,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from tabletop_core.protocol import Game, State

BOARD = CANONICAL
FULL = {0: BOARD.cells[::2], 1: BOARD.cells[1::2]}
FOUR = row_cells(2, (1, 2, 3, 4))
LINES: tuple[Ends, ...] = tuple(((row, 4), (row, 8)) for row in (4, 6, 8))


def sequences_of(*counts: int) -> dict[int, list[Ends]]:
    """Give each team so many sequences, all apart from one another."""
    starts = [(row, col) for row in (3, 4, 5, 6, 7, 8) for col in (0, 5)]
    lines = iter(starts)
    found: dict[int, list[Ends]] = {}
    for team, count in enumerate(counts):
        found[team] = [
            ((row, col), (row, col + 4)) for row, col in (next(lines) for _ in range(count))
        ]
    return found


def members(game: Game, *teams: int) -> list[int]:
    return [seat for seat in range(game.num_players()) if seat % game.options["teams"] in teams]


def assert_result(state: State, *teams: int) -> None:
    """Hold the end of the game to the winning teams that it must have."""
    players = state.num_players()
    winners = members(state.get_game(), *teams)
    assert state.is_terminal()
    assert state.winners() == winners == state.to_dict()["winners"]
    share = (players - len(winners)) / (len(winners) * (players - 1)) if winners else 0.0
    other = -1 / (players - 1) if winners else 0.0
    expected = [share if seat in winners else other for seat in range(players)]
    assert list(state.returns()) == pytest.approx(expected, abs=1e-12)
    assert abs(state.returns().sum()) < 1e-12
    for seat in range(players):
        assert state.player_return(seat) == state.returns()[seat]


# Winning


@pytest.mark.rule("SN-49", "SN-50", "SN-51", "SN-52")
@pytest.mark.fault("A088", "A095")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_any_seat_wins_for_its_team(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating)
    teams, target = game.options["teams"], game.options["sequences_to_win"]
    for seat in range(game.num_players()):
        team = seat % teams
        state = place_with_plus(
            game,
            (2, 5),
            chips={team: FOUR},
            sequences={team: LINES[: target - 1]},
            turn=seat + game.num_players(),
        )
        assert_result(state, team)
        assert not state.is_truncated()
        assert state.current_player() == tc.PlayerId.TERMINAL
        assert list(state.scores()) == [
            target if other % teams == team else 0 for other in range(game.num_players())
        ]
        assert state.legal_actions() == []


@pytest.mark.rule("SN-49", "SN-50")
def test_a_win_ends_the_turn_where_it_stands(engine: ModuleType) -> None:
    game = load(engine)
    state = position(
        game,
        hands={0: [PLUS, 7], 1: [8]},
        chips={0: FOUR},
        turn=12,
        swapped=True,
        idle=1,
        discards=[1, 2],
    )
    before = state.to_dict()
    state.apply_action(BOARD.plus((2, 5)))
    shown = state.to_dict()
    assert shown["phase"] == "over"
    assert (shown["seat"], shown["turn"], shown["swapped"], shown["idle"]) == (0, 12, True, 0)
    assert shown["deck"] == before["deck"]
    assert shown["hands"] == [[7], [8]]
    assert shown["discards"] == [1, 2, PLUS]
    assert shown["truncated"] is False


@pytest.mark.rule("SN-49")
def test_a_number_card_wins_as_well(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [BOARD.at((2, 5))]}, chips={0: FOUR})
    state.apply_action(BOARD.place((2, 5)))
    assert_result(state, 0)


@pytest.mark.rule("SN-49")
@pytest.mark.parametrize("seating", SEATINGS[2:], ids=str)
def test_one_sequence_of_two_does_not_win(engine: ModuleType, seating: dict[str, int]) -> None:
    state = place_with_plus(load(engine, **seating), (2, 5), chips={0: FOUR})
    assert state.to_dict()["phase"] == "turn_draw"
    assert state.winners() == []
    assert not state.returns().any()


@pytest.mark.rule("SN-49")
def test_a_choice_of_windows_can_win(engine: ModuleType) -> None:
    game = load(engine, players=4, lock_policy="choose")
    windows = [BOARD.window((2, 1), (2, 5)), BOARD.window((2, 2), (2, 6))]
    state = position(
        game,
        phase="choose_lock",
        chips={0: row_cells(2, range(1, 7))},
        sequences={0: LINES[:1]},
        pending_locks=[windows, [], [], []],
    )
    assert_result(after(state, BOARD.lock(windows[1])), 0)


@pytest.mark.rule("SN-49", "SN-101")
def test_a_choice_that_wins_ends_all_choices(engine: ModuleType) -> None:
    game = load(engine, players=4, lock_policy="choose")
    row = [BOARD.window((2, 1), (2, 5)), BOARD.window((2, 2), (2, 6))]
    column = [BOARD.window((2, 1), (6, 1)), BOARD.window((3, 1), (7, 1))]
    state = position(
        game,
        phase="choose_lock",
        chips={0: [*row_cells(2, range(1, 7)), *[(cell, 1) for cell in range(3, 8)]]},
        sequences={0: LINES[:1]},
        pending_locks=[row, column, [], []],
    )
    state.apply_action(BOARD.lock(row[0]))
    assert_result(state, 0)
    assert state.to_dict()["pending_locks"] == [[], [], [], []]


@pytest.mark.rule("SN-51")
def test_scores_are_not_capped(engine: ModuleType) -> None:
    game = load(engine)
    cross = [*row_cells(4, (3, 4, 5, 6)), *[(row, 2) for row in (2, 3, 5, 6)]]
    state = place_with_plus(game, (4, 2), chips={0: cross})
    assert list(state.scores()) == [2, 0]
    assert_result(state, 0)


@pytest.mark.rule("SN-51")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_scores_before_the_end(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating, sequences_to_win=5)
    counts = [3, 1, 2][: game.options["teams"]]
    state = position(game, sequences=sequences_of(*counts))
    assert list(state.scores()) == [
        counts[seat % len(counts)] for seat in range(game.num_players())
    ]


@pytest.mark.rule("SN-53")
@pytest.mark.parametrize(
    ("seating", "most", "least"),
    list(
        zip(
            SEATINGS, (1, 1, 1 / 3, 1 / 5, 2 / 5), (-1, -1 / 2, -1 / 3, -1 / 5, -1 / 5), strict=True
        )
    ),
)
def test_utility_bounds(
    engine: ModuleType, seating: dict[str, int], most: float, least: float
) -> None:
    game = load(engine, **seating)
    assert game.max_utility() == pytest.approx(most, abs=1e-15)
    assert game.min_utility() == pytest.approx(least, abs=1e-15)


# Idle turns and stalemate


@pytest.mark.rule("SN-60", "SN-61", "SN-52")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_a_round_of_passes_is_a_stalemate(engine: ModuleType, seating: dict[str, int]) -> None:
    game = load(engine, **seating)
    players = game.num_players()
    state = position(game, hands={0: [PLUS], 1: [PLUS]}, chips=FULL, turn=2 * players)
    for passes in range(players):
        assert not state.is_terminal()
        assert state.to_dict()["idle"] == passes
        assert state.legal_actions() == [BOARD.passing]
        state.apply_action(BOARD.passing)
    assert_result(state)
    assert not state.is_truncated()
    shown = state.to_dict()
    assert (shown["idle"], shown["turn"], shown["seat"]) == (players, 3 * players, 0)


@pytest.mark.rule("SN-60")
def test_a_swap_leaves_idle_alone_and_the_pass_after_it_clears_it(engine: ModuleType) -> None:
    game = load(engine, players=3)
    state = position(game, hands={0: [1]}, chips=FULL, idle=2)
    state.apply_action(BOARD.swap(1))
    assert state.to_dict()["idle"] == 2
    state.apply_action(BOARD.kind(2))
    assert (state.to_dict()["phase"], state.to_dict()["idle"]) == ("play", 2)
    state.apply_action(BOARD.passing)
    assert not state.is_terminal()
    assert (state.to_dict()["seat"], state.to_dict()["idle"]) == (1, 0)


@pytest.mark.rule("SN-60")
def test_every_card_played_clears_idle(engine: ModuleType) -> None:
    game = load(engine, players=3)
    state = position(game, hands={0: [1, PLUS, MINUS]}, chips={1: [(5, 5)]}, idle=2)
    for action in (BOARD.place((0, 1)), BOARD.plus((4, 4)), BOARD.minus((5, 5))):
        child = after(state, action)
        assert (child.to_dict()["phase"], child.to_dict()["idle"]) == ("turn_draw", 0)
        assert lowest_chances(child).to_dict()["idle"] == 0


@pytest.mark.rule("SN-61", "SN-62")
def test_a_full_board_is_no_end_while_somebody_can_act(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [PLUS], 1: [3]}, chips=FULL, idle=1, turn=3)
    assert state.current_player() == 1
    state.apply_action(BOARD.swap(3))
    state.apply_action(BOARD.kind(4))
    state.apply_action(BOARD.passing)
    state.apply_action(BOARD.passing)
    assert not state.is_terminal()
    state.apply_action(BOARD.swap(4))
    state.apply_action(BOARD.kind(MINUS))
    state.apply_action(BOARD.minus(FULL[0][0]))
    state = lowest_chances(state)
    assert not state.is_terminal()
    assert state.legal_actions() == [BOARD.plus(FULL[0][0])]


# The cap on turns


@pytest.mark.rule("SN-64", "SN-65", "SN-67", "SN-59")
@pytest.mark.fault("A080")
@pytest.mark.parametrize("max_turns", [1, 2, 7, 13])
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_max_turns_ends_the_game(
    engine: ModuleType, seating: dict[str, int], max_turns: int
) -> None:
    game = load(engine, **seating, max_turns=max_turns, sequences_to_win=9)
    state = game.new_initial_state()
    state.resolve_chance(engine.Rng(max_turns))
    decisions = 0
    while not state.is_terminal():
        assert state.to_dict()["turn"] < max_turns
        state.apply_action(state.legal_actions()[0])
        state.resolve_chance(engine.Rng(decisions))
        decisions += 1
    assert state.is_truncated()
    assert_result(state)
    shown = state.to_dict()
    assert shown["turn"] == max_turns <= decisions <= game.max_game_length()
    assert shown["seat"] == max_turns % game.num_players()
    assert (shown["swapped"], shown["truncated"]) == (False, True)


@pytest.mark.rule("SN-64", "SN-49")
def test_a_win_in_the_last_turn_is_a_win(engine: ModuleType) -> None:
    game = load(engine, max_turns=9)
    state = place_with_plus(game, (2, 5), chips={0: FOUR}, turn=8)
    assert_result(state, 0)
    assert not state.is_truncated()
    assert state.to_dict()["turn"] == 8


@pytest.mark.rule("SN-63", "SN-65")
def test_stalemate_comes_before_max_turns(engine: ModuleType) -> None:
    what: dict[str, Any] = {"turn": 9, "idle": 1, "sequences": sequences_of(1, 0)}
    options = {"sequences_to_win": 2, "max_turns": 10}
    for stalemate, capped, winners in (
        ("draw", "most_sequences", ()),
        ("most_sequences", "draw", (0,)),
    ):
        game = load(engine, **options, stalemate_result=stalemate, max_turns_result=capped)
        state = after(position(game, **what), BOARD.passing)
        assert_result(state, *winners)
        assert not state.is_truncated()
        busy = after(position(game, **{**what, "idle": 0}), BOARD.passing)
        assert_result(busy, *(() if winners else (0,)))
        assert busy.is_truncated()


# Who wins when nobody reached the target


RESULTS: list[tuple[dict[str, int], tuple[int, ...], tuple[int, ...]]] = [
    ({"players": 2}, (0, 0), ()),
    ({"players": 2}, (1, 0), (0,)),
    ({"players": 2}, (1, 2), (1,)),
    ({"players": 2}, (2, 2), ()),
    ({"players": 3}, (0, 0, 1), (2,)),
    ({"players": 3}, (1, 0, 1), (0, 2)),
    ({"players": 3}, (1, 1, 1), ()),
    ({"players": 4}, (3, 2), (0,)),
    ({"players": 6}, (0, 1), (1,)),
    ({"players": 6, "teams": 3}, (1, 1, 0), (0, 1)),
    ({"players": 6, "teams": 3}, (2, 3, 2), (1,)),
    ({"players": 6, "teams": 3}, (0, 0, 0), ()),
]


@pytest.mark.rule("SN-66", "SN-51", "SN-52")
@pytest.mark.parametrize(("seating", "counts", "teams"), RESULTS)
@pytest.mark.parametrize("cause", ["max_turns", "stalemate"])
def test_most_sequences(
    engine: ModuleType,
    seating: dict[str, int],
    counts: tuple[int, ...],
    teams: tuple[int, ...],
    cause: str,
) -> None:
    players = seating["players"]
    options: dict[str, Any] = {**seating, "sequences_to_win": 5, "max_turns": 4 * players}
    what: dict[str, Any] = {
        "turn": 4 * players - 1 if cause == "max_turns" else players - 1,
        "idle": 0 if cause == "max_turns" else players - 1,
        "sequences": sequences_of(*counts),
    }
    for result in ("draw", "most_sequences"):
        game = load(engine, **options, **{f"{cause}_result": result})
        state = after(position(game, **what), BOARD.passing)
        assert_result(state, *(teams if result == "most_sequences" else ()))
        assert state.is_truncated() == (cause == "max_turns")
        assert list(state.scores()) == [counts[seat % len(counts)] for seat in range(players)]
        other = load(engine, **options)
        assert_result(after(position(other, **what), BOARD.passing))


# Dead positions


SMALL = Board(mirror_board(6, 6))
DEAD: dict[int, dict[int, list[Ends]]] = {
    2: {
        0: [((0, 4), (4, 0)), ((0, 1), (0, 5)), ((1, 1), (1, 5))],
        1: [((4, 1), (4, 5)), ((5, 1), (5, 5)), ((1, 0), (5, 4))],
    },
    3: {
        0: [((1, 0), (5, 4)), ((1, 4), (5, 0)), ((0, 1), (4, 5))],
        1: [((0, 4), (4, 0))],
        2: [((1, 5), (5, 1))],
    },
}


def has_live_window(shown: Mapping[str, Any], board: Board, shared: int = 1) -> bool:
    """Say whether some team has a window that it might still complete (SN-78)."""
    locked = board.locked(shown["sequences"])
    for team, sequences in enumerate(shown["sequences"]):
        for window in range(len(board.windows)):
            cells = board.chips_of(window)
            owners = [shown["owner"][row][col] for row, col in cells]
            if all(
                owner in {None, team} or cell not in locked
                for owner, cell in zip(owners, cells, strict=True)
            ) and all(board.shared(window, sequence) <= shared for sequence in sequences):
                return True
    return False


def dead_game(engine: ModuleType, players: int, **options: Any) -> Game:
    return load(
        engine,
        **{
            "players": players,
            "board": SMALL.layout,
            "sequences_to_win": 9,
            "dead_position_check": True,
            **options,
        },
    )


@pytest.mark.rule("SN-78", "SN-65", "SN-67")
@pytest.mark.parametrize("players", [2, 3])
def test_a_dead_position_ends_the_game_at_the_end_of_the_turn(
    engine: ModuleType, players: int
) -> None:
    game = dead_game(engine, players)
    state = position(game, sequences=DEAD[players], turn=4)
    assert not has_live_window(state.to_dict(), SMALL)
    assert not state.is_terminal()
    state.apply_action(SMALL.passing)
    assert_result(state)
    assert not state.is_truncated()
    shown = state.to_dict()
    assert (shown["turn"], shown["seat"], shown["idle"]) == (5, 5 % players, 1)
    unchecked = load(
        engine, players=players, board=SMALL.layout, sequences_to_win=9, dead_position_check=False
    )
    assert not after(position(unchecked, sequences=DEAD[players]), SMALL.passing).is_terminal()


@pytest.mark.rule("SN-78")
def test_a_dead_position_is_noticed_after_the_draw(engine: ModuleType) -> None:
    game = dead_game(engine, 2)
    state = position(game, sequences=DEAD[2], hands={0: [PLUS]})
    state.apply_action(state.legal_actions()[0])
    assert state.to_dict()["phase"] == "turn_draw"
    state.apply_action(0)
    assert_result(state)
    assert len(state.to_dict()["hands"][0]) == 1


@pytest.mark.rule("SN-78", "SN-66", "SN-63")
def test_result_of_a_dead_position(engine: ModuleType) -> None:
    for result, winners in (("draw", ()), ("most_sequences", (0,))):
        game = dead_game(engine, 3, stalemate_result=result, max_turns=1)
        state = after(position(game, sequences=DEAD[3]), SMALL.passing)
        assert_result(state, *winners)
        assert not state.is_truncated()


@pytest.mark.rule("SN-78")
@pytest.mark.parametrize("players", [2, 3])
def test_one_sequence_less_leaves_hope_or_not(engine: ModuleType, players: int) -> None:
    game = dead_game(engine, players)
    alive = set()
    for team, lines in DEAD[players].items():
        for line in lines:
            fewer = {
                other: [kept for kept in ends if (other, kept) != (team, line)]
                for other, ends in DEAD[players].items()
            }
            state = position(game, sequences=fewer)
            expected = has_live_window(state.to_dict(), SMALL)
            assert after(state, SMALL.passing).is_terminal() != expected
            alive.add(expected)
    assert any(alive)


@pytest.mark.rule("SN-78")
def test_unlocked_chips_can_still_go(engine: ModuleType) -> None:
    game = dead_game(engine, 2)
    full = {team: SMALL.cells[team::2] for team in range(2)}
    assert not after(position(game, chips=full), SMALL.passing).is_terminal()
    locked = SMALL.locked([[SMALL.window(*ends) for ends in lines] for lines in DEAD[2].values()])
    rest = {0: [cell for cell in SMALL.cells if cell not in locked]}
    assert after(position(game, chips=rest, sequences=DEAD[2]), SMALL.passing).is_terminal()


@pytest.mark.rule("SN-79")
def test_chips_in_supply_do_not_matter_for_dead_positions(engine: ModuleType) -> None:
    chips = {0: [(2, 2)], 1: [(3, 3)]}
    game = dead_game(engine, 2, chips_per_colour=1)
    assert not after(position(game, chips=chips), SMALL.passing).is_terminal()


@pytest.mark.rule("SN-79")
@pytest.mark.parametrize("target", [4, 9])
def test_the_target_does_not_matter_for_dead_positions(engine: ModuleType, target: int) -> None:
    game = dead_game(engine, 2, sequences_to_win=target)
    assert after(position(game, sequences=DEAD[2]), SMALL.passing).is_terminal()
    fewer = {0: DEAD[2][0], 1: DEAD[2][1][:1]}
    assert not after(position(game, sequences=fewer), SMALL.passing).is_terminal()


def random_locks(rng: random.Random, teams: int, shared: int) -> dict[int, list[Ends]]:
    """Make up sequences of all teams, none disturbing another, until few cells are left."""
    owner: dict[tuple[int, int], int] = {}
    found: dict[int, list[int]] = {team: [] for team in range(teams)}
    order = list(product(range(len(SMALL.windows)), range(teams)))
    rng.shuffle(order)
    for window, team in order[: rng.randrange(20, len(order))]:
        cells = SMALL.chips_of(window)
        if (
            len(found[team]) < 8
            and all(owner.get(cell, team) == team for cell in cells)
            and all(SMALL.shared(window, other) <= shared for other in found[team])
        ):
            found[team].append(window)
            owner.update(dict.fromkeys(cells, team))
    return {
        team: [(SMALL.windows[window][0], SMALL.windows[window][-1]) for window in windows]
        for team, windows in found.items()
    }


@pytest.mark.rule("SN-78")
@pytest.mark.parametrize("shared", [1, 4])
@pytest.mark.parametrize("players", [2, 3])
def test_dead_positions_against_a_search(engine: ModuleType, players: int, shared: int) -> None:
    game = dead_game(engine, players, shared_cells_allowed=shared)
    rng = random.Random(players * 10 + shared)
    seen = []
    for _ in range(effort(engine, native=300, reference=60)):
        state = position(game, sequences=random_locks(rng, players, shared))
        expected = has_live_window(state.to_dict(), SMALL, shared)
        assert after(state, SMALL.passing).is_terminal() != expected
        seen.append(expected)
    assert {True, False} <= set(seen)


@pytest.mark.rule("SN-61", "SN-63")
def test_ends_by_play_are_told_apart(engine: ModuleType) -> None:
    game = load(engine, board=SMALL.layout, sequences_to_win=9, max_turns=400)
    causes = set()
    for seed in range(effort(engine, native=30, reference=4)):
        state = game.new_initial_state()
        rng = engine.Rng(seed)
        while not state.is_terminal():
            random_step(state, rng)
        shown = state.to_dict()
        reached = [team for team in (0, 1) if len(shown["sequences"][team]) >= 9]
        if reached:
            assert_result(state, *reached)
        else:
            assert state.is_truncated() == (shown["turn"] == 400)
            assert_result(state)
        causes.add("win" if reached else "cap" if shown["turn"] == 400 else "stalemate")
    assert causes
