"""Optimus 2: the end of the game, foxes, winners and titles, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.rules.optimus2_forms import TITLES, title
from tests.rules.optimus2_sheet import ALL_SILVER, SILVER_ROWS, area_points
from tests.rules.optimus2_table import (
    GO_ON,
    NO_DIE,
    ROUNDS,
    act,
    choices,
    table,
    throw,
)
from tests.rules.shared import returns_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from tabletop_core.protocol import State

EXAMPLE: dict[str, Any] = {
    "silver": {"yellow": [1, 2, 3, 4, 5], "blue": [1, 2, 3, 4, 6], "green": [3, 5], "pink": [3, 6]},
    "yellow": {0: 2, 1: 2, 4: 2, 5: 2, 9: 2},
    "blue": [12, 11, 9, 9, 8, 6, 3],
    "green_faces": [6, 1, 6, 1, 4, 1],
    "pink": [6, 6, 6, 5, 2, 3, 3, 2],
}
"""Areas of 40, 55, 28, 30 and 33 points, and three foxes."""

NEGATIVE: dict[str, Any] = {
    "silver": {row: [3] for row in SILVER_ROWS},
    "yellow": {0: 2},
    "blue": [12],
    "green_faces": [1, 6],
    "pink": [6],
}
"""Areas of 8, 3, 1, -10 and 6 points, and one fox."""


def sheets(state: State) -> list[dict[str, Any]]:
    """Give all sheets."""
    found: list[dict[str, Any]] = state.to_dict()["sheets"]
    return found


# Score


@pytest.mark.rule("O2-71", "O2-72", "O2-75")
@pytest.mark.fault("A107")
def test_a_worked_check_of_the_total(engine: ModuleType) -> None:
    """Example: 40, 55, 28, 30 and 33 points and three foxes are 186 + 3 * 28 = 270."""
    state = table(engine, phase="over", sheets={0: EXAMPLE})
    assert area_points(sheets(state)[0]) == [40, 55, 28, 30, 33]
    assert sheets(state)[0]["foxes"] == 3
    assert state.scores().tolist() == [270]
    assert state.returns().tolist() == [270.0]
    assert state.winners() == [0]
    # The same before the end.
    state = table(engine, round=6, players=2, sheets={1: EXAMPLE}, pool="w1 y1 b1 g1 p1 s1")
    assert state.scores().tolist() == [0, 270]


@pytest.mark.rule("O2-71", "O2-73")
def test_a_lowest_area_of_0_makes_foxes_worthless(engine: ModuleType) -> None:
    state = table(engine, phase="over", sheets={0: {**EXAMPLE, "green_faces": [6]}})
    assert sheets(state)[0]["foxes"] == 3
    assert state.scores().tolist() == [40 + 55 + 28 + 33]


@pytest.mark.rule("O2-73", "O2-74")
def test_a_negative_lowest_area_counts_for_foxes_unless_the_floor_is_0(engine: ModuleType) -> None:
    sheet = {0: NEGATIVE}
    assert table(engine, phase="over", sheets=sheet).scores().tolist() == [8 - 10]
    state = table(engine, {"fox_floor_zero": True}, phase="over", sheets=sheet)
    assert state.scores().tolist() == [8]
    for floor in (False, True):
        state = table(engine, {"fox_floor_zero": floor}, phase="over", sheets={0: EXAMPLE})
        assert state.scores().tolist() == [270]


@pytest.mark.rule("O2-73", "O2-78")
def test_the_lowest_green_makes_six_foxes_cost_most(engine: ModuleType) -> None:
    sheet: dict[str, Any] = {
        "silver": {row: [3] for row in SILVER_ROWS},
        "yellow": {1: 1, 5: 1, 9: 1, 2: 1, 6: 1},
        "blue": [2] * 9,
        "green_faces": [1, 6] * 6,
        "pink": [1, 1, 2, 1, 1, 1, 1, 2, 1, 5],
    }
    state = table(engine, phase="over", sheets={0: sheet})
    assert sheets(state)[0]["foxes"] == 6
    assert area_points(sheets(state)[0]) == [8, 0, 45, -43, 16]
    assert state.scores().tolist() == [26 + 6 * -43]
    assert state.scores()[0] >= state.get_game().min_utility()
    state = table(engine, {"fox_floor_zero": True}, phase="over", sheets={0: sheet})
    assert state.scores().tolist() == [26]


@pytest.mark.rule("O2-70")
def test_actions_that_are_left_score_nothing(engine: ModuleType) -> None:
    for used in ({}, {"reroll": 1, "return": 1, "extra_die": 1}):
        state = table(engine, phase="over", sheets={0: {**EXAMPLE, "used": used}})
        assert state.scores().tolist() == [270]


@pytest.mark.rule("O2-75")
def test_scores_count_the_foxes_booked_so_far(engine: ModuleType) -> None:
    crossed: dict[str, Any] = {"yellow": [3, 4], "blue": [3], "green": [3]}
    sheet: dict[str, Any] = {"silver": crossed, "yellow": {0: 2}, "blue": [12], "pink": [6]}
    sheet |= {"green_faces": [6, 1], "used": {"reroll": 1}}
    state = table(engine, sheets={0: sheet}, pool="w1 y6 b6 g6 p3 s5")
    state = act(state, "pick silver 5, cross the 5 of the yellow row")
    assert state.to_dict()["due"] == ["fox"]
    assert state.scores().tolist() == [sum(area_points(sheets(state)[0]))]
    state = act(state, "cross the 1 of the blue row")
    assert sheets(state)[0]["foxes"] == 1
    found = area_points(sheets(state)[0])
    assert state.scores().tolist() == [sum(found) + min(found)]


# The last turn


@pytest.mark.rule("O2-69", "O2-70", "O2-60")
@pytest.mark.fault("A094")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_last_passive_players_still_mark_and_use_extra_dice(
    engine: ModuleType, players: int
) -> None:
    state = table(
        engine,
        phase="extra",
        players=players,
        round=ROUNDS[players],
        active=players - 1,
        roll=3,
        field="w6 g5 p5",
        platter="y2 b3 s1",
    )
    assert not state.is_terminal()
    state = act(state, "pick green 5, write 5 in green")
    assert sheets(state)[players - 1]["green"] == [10]
    for seat in range(players - 1):
        shown = state.to_dict()
        assert (shown["phase"], shown["seat"]) == ("passive", seat)
        state = act(state, "pick blue, write 9 in blue")
        assert state.to_dict()["phase"] == "extra"
        assert "reroll" not in choices(state)
        state = act(state, "pick blue, write 9 in blue")
        assert sheets(state)[seat]["blue"] == [9, 9]
    shown = state.to_dict()
    assert state.is_terminal()
    assert (shown["phase"], shown["round"], shown["roll"]) == ("over", ROUNDS[players], 0)
    assert (shown["active"], shown["seat"]) == (players - 1, players - 2)
    assert shown["dice"]["white"] == {"face": 6, "place": "field"}
    # Rerolls and returns that are left are lost.
    assert all(sheet["reroll"] == {"earned": 1, "used": 0} for sheet in shown["sheets"])
    assert state.scores().tolist() == [3] * (players - 1) + [0]


@pytest.mark.rule("O2-69", "O2-64", "O2-67")
@pytest.mark.fault("A094")
def test_a_solo_game_ends_with_the_window_of_its_passive_turn(engine: ModuleType) -> None:
    state = throw(table(engine, phase="passive_roll", round=6), "w6 y2 b3 g5 p5 s1")
    state = act(state, "pick yellow 2, circle the 2 of row 2")
    assert state.to_dict()["phase"] == "extra"
    for state_after in (act(state, GO_ON), act(state, "pick pink 5, write 5 in pink")):
        shown = state_after.to_dict()
        assert (shown["phase"], shown["seat"], shown["active"]) == ("over", 0, 0)
        assert state_after.is_terminal()
        assert state_after.current_player() == tc.PlayerId.TERMINAL
        assert state_after.legal_actions() == []
        assert [die["place"] for die in shown["dice"].values()].count("aside") == 3


@pytest.mark.rule("O2-69")
def test_the_last_passive_player_may_decline(engine: ModuleType) -> None:
    state = table(
        engine,
        phase="passive",
        players=2,
        round=6,
        active=1,
        seat=0,
        sheets={0: {"used": {"extra_die": 1}}},
        field="w6 g5 p5",
        platter="y2 b3 s1",
    )
    assert act(state, NO_DIE).is_terminal()


# Winners

FOUR_IN_ONE: dict[str, Any] = {"silver": {"yellow": [1, 2]}}
TWO_AND_TWO: dict[str, Any] = {"silver": {"yellow": [1]}, "pink": [2]}
FOUR_OF_PINK: dict[str, Any] = {"pink": [4]}
FIVE: dict[str, Any] = {"pink": [5]}
THREE_AND_TWO: dict[str, Any] = {"yellow": {0: 2}, "pink": [2]}


@pytest.mark.rule("O2-76", "O2-77")
@pytest.mark.fault("A100")
@pytest.mark.parametrize(
    ("seats", "winners"),
    [
        ([FOUR_IN_ONE, TWO_AND_TWO], [0]),
        ([TWO_AND_TWO, FOUR_IN_ONE], [1]),
        ([FOUR_IN_ONE, FOUR_OF_PINK], [0, 1]),
        ([FOUR_IN_ONE, THREE_AND_TWO], [1]),
        ([FIVE, THREE_AND_TWO], [0]),
        ([TWO_AND_TWO, FOUR_IN_ONE, FOUR_OF_PINK], [1, 2]),
        ([FOUR_OF_PINK, TWO_AND_TWO, FOUR_IN_ONE, FOUR_OF_PINK], [0, 2, 3]),
        ([FIVE, FIVE, THREE_AND_TWO], [0, 1]),
        ([FOUR_IN_ONE, FOUR_IN_ONE, TWO_AND_TWO, FIVE], [3]),
        ([{}, {}, {}], [0, 1, 2]),
        ([EXAMPLE, NEGATIVE], [0]),
        ([NEGATIVE, {}], [1]),
    ],
)
def test_ties_go_to_the_highest_area_and_then_are_shared(
    engine: ModuleType, seats: Sequence[dict[str, Any]], winners: list[int]
) -> None:
    state = table(engine, phase="over", players=len(seats), sheets=dict(enumerate(seats)))
    assert state.winners() == winners
    assert state.returns().tolist() == pytest.approx(returns_of(winners, len(seats)))


@pytest.mark.rule("O2-76")
def test_the_floor_of_foxes_can_decide(engine: ModuleType) -> None:
    for floor, winners in ((False, [1]), (True, [0])):
        state = table(
            engine,
            {"fox_floor_zero": floor},
            phase="over",
            players=2,
            sheets={0: NEGATIVE, 1: FIVE},
        )
        assert state.winners() == winners


@pytest.mark.rule("O2-77")
@pytest.mark.fault("A095")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_seat_can_win_alone(engine: ModuleType, players: int) -> None:
    for seat in range(players):
        state = table(engine, phase="over", players=players, sheets={seat: FIVE})
        assert state.winners() == [seat]
        assert state.returns()[seat] == 1.0
        assert state.returns().sum() == pytest.approx(0)


# Titles


def worth(points: int) -> dict[str, Any]:
    """Give a sheet of so many points: silver without its third column, and as much of the other areas as it takes."""
    sheet: dict[str, Any] = {
        "silver": {row: [1, 2, 4, 5, 6] for row in SILVER_ROWS},
        "blue": [2] * 8,
    }
    rest = points - 64 - 36
    crosses = (0, 3, 10, 21, 36, 55, 75, 96, 118)
    count = max(number for number, value in enumerate(crosses) if value <= rest)
    cells = [0, 2, 3, 4, 6, 7, 8, 9][:count]
    sheet["yellow"] = dict.fromkeys(cells, 2)
    rest -= crosses[count]
    greens: list[int] = []
    for pair in ([6, 1], [6, 1], [6, 1]):
        worth_of_pair = (10, 11, 15)[len(greens) // 2]
        if rest >= worth_of_pair + 42:
            greens += pair
            rest -= worth_of_pair
    sheet["green_faces"] = greens
    faces: list[int] = []
    while rest > 0:
        faces.append(min(6, rest))
        rest -= faces[-1]
    sheet["pink"] = faces
    return sheet


@pytest.mark.rule("O2-68", "O2-86")
@pytest.mark.parametrize(
    "total", [edge + more for edge in (140, 160, 180, 200, 220, 240) for more in (-1, 0)]
)
def test_a_solo_game_earns_a_title(engine: ModuleType, total: int) -> None:
    state = table(engine, phase="over", sheets={0: worth(total)})
    assert state.scores().tolist() == [total]
    assert str(state).splitlines()[-1] == f"rating: {title(total)}"
    assert title(total) in TITLES.values()


@pytest.mark.rule("O2-68", "O2-86")
def test_the_titles_at_both_ends(engine: ModuleType) -> None:
    top: dict[str, Any] = {**EXAMPLE, "silver": ALL_SILVER}
    for sheet, total, text in (
        ({}, 0, "Half as clever."),
        (NEGATIVE, -2, "Half as clever."),
        (EXAMPLE, 270, "This can't be luck!"),
        ({**EXAMPLE, "pink": [6] * 8}, 285, "Respect!"),
        (top, 318, "Points = IQ!"),
        ({**top, "pink": [6, 6, 6, 5, 2, 3, 3, 4]}, 320, "Twice as clever!"),
        ({**top, "pink": [6, 6, 6, 5, 2, 3, 3, 3]}, 319, "Points = IQ!"),
    ):
        state = table(engine, phase="over", sheets={0: sheet})
        assert state.scores().tolist() == [total]
        assert str(state).splitlines()[-1] == f"rating: {text}"
    state = table(engine, phase="over", players=2)
    assert "rating" not in str(state)
    assert "rating" not in str(table(engine, pool="w1 y1 b1 g1 p1 s1"))
