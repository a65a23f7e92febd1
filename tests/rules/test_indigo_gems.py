"""Indigo: how gems move, meet and leave, on both engines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from tests.engines import effort
from tests.rules.indigo_board import (
    AMBER_EDGES,
    CENTRE,
    CORNERS,
    GEMS,
    MATCHINGS,
    OWNERS,
    RING_1,
    SETTINGS,
    STEPS,
    TYPE_OF,
    Cell,
    Move,
    Standing,
    Tiles,
    beyond,
    build,
    load,
    mirrored,
    mirrored_cell,
    moved,
    place,
    place_all,
    points,
    road,
    rotated,
    rotated_cell,
    spoke,
    standing,
    start,
    tiles_from_rows,
    tiles_of,
    tiles_on,
    trace_gems,
    track_end,
    won_by_seat,
)
from tests.walks import end, walk

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State

# The worked examples: tiles in the order in which they are placed, with the gems that have left
# their start after each.
SCORE_AN_AMBER: list[tuple[Move, set[Standing]]] = [
    (("03/14/25", (0, -3)), {((0, -3), 2, "amber")}),
    (("03/14/25", (0, -1)), {((0, -3), 2, "amber"), ((0, -1), 5, "emerald")}),
    (("05/12/34", (0, -2)), {((0, -2), 0, "amber"), ((0, -2), 1, "emerald")}),
    (("03/14/25", (1, -3)), {((1, -3), 0, "amber"), ((0, -2), 1, "emerald")}),
    (("03/14/25", (2, -4)), {((0, -2), 1, "emerald")}),
]
COLLISION = [*SCORE_AN_AMBER[:2], (("03/14/25", (0, -2)), set[Standing]())]
U_TURN: list[tuple[Move, set[Standing]]] = [
    (("05/12/34", (0, -3)), {((0, -3), 0, "amber")}),
    (("02/15/34", (1, -4)), {((0, -4), 3, "amber")}),
    (("04/13/25", (-1, -3)), set()),
]
ACROSS_TWO_ROUTES: list[tuple[Move, set[Standing]]] = [
    (("05/13/24", (-1, 1)), {((-1, 1), 5, "emerald")}),
    (("03/12/45", (-2, 0)), {((-1, 1), 5, "emerald")}),
    (("05/12/34", (-2, 1)), {((-1, 1), 5, "emerald")}),
    (("05/14/23", (-1, 0)), set()),
]
INTO_THE_CENTRE: list[tuple[Move, set[Standing]]] = [
    (("03/14/25", (0, 3)), {((0, 3), 5, "amber")}),
    (("03/14/25", (0, 2)), {((0, 2), 5, "amber")}),
    (("03/14/25", (0, 1)), set()),
]
SYMMETRIES = [(steps, mirror) for mirror in (False, True) for steps in range(6)]


def image(moves: list[Move], steps: int, mirror: bool) -> list[Move]:
    return rotated(mirrored(moves) if mirror else moves, steps)


def image_of_gem(gem: Standing, steps: int, mirror: bool) -> Standing:
    cell, edge, colour = gem
    if mirror:
        cell, edge = mirrored_cell(cell), (4 - edge) % 6
    return (rotated_cell(cell, steps), (edge + steps) % 6, colour)


def image_of_gateway(gateway: int, steps: int, mirror: bool) -> int:
    return ((5 - gateway if mirror else gateway) + steps) % 6


def check_steps(
    engine: ModuleType, steps: list[tuple[Move, set[Standing]]], turn: int, mirror: bool
) -> State:
    """Place an example's image tile by tile and compare the gems that have left their start."""
    state = start(engine)
    for move, gems in steps:
        (placed,) = image([move], turn, mirror)
        state = place(state, *placed)
        assert moved(state) == {image_of_gem(gem, turn, mirror) for gem in gems}
    return state


def points_of_gateway(gateway: int) -> list[int]:
    """The scores of two players after an amber has left through a gateway."""
    return [int(seat in OWNERS[2, "shared"][gateway]) for seat in range(2)]


each_symmetry = pytest.mark.parametrize(("turn", "mirror"), SYMMETRIES)


@pytest.mark.rule("IN-26", "IN-28", "IN-29", "IN-37")
@each_symmetry
def test_example_a_an_amber_is_led_to_a_gateway(
    engine: ModuleType, turn: int, mirror: bool
) -> None:
    state = check_steps(engine, SCORE_AN_AMBER, turn, mirror)
    assert state.scores().tolist() == points_of_gateway(image_of_gateway(0, turn, mirror))
    assert state.to_dict()["centre"] == {"emerald": 4, "sapphire": 1}
    assert len(standing(state)) == 6


@pytest.mark.rule("IN-32")
@each_symmetry
def test_example_b_gems_that_meet_on_one_route_are_lost(
    engine: ModuleType, turn: int, mirror: bool
) -> None:
    state = check_steps(engine, COLLISION, turn, mirror)
    assert state.scores().tolist() == [0, 0]
    assert state.to_dict()["centre"] == {"emerald": 4, "sapphire": 1}
    assert len(standing(state)) == 5


@pytest.mark.rule("IN-8", "IN-31", "IN-34")
@each_symmetry
def test_example_c_a_gem_rests_on_a_u_turn_and_goes_on(
    engine: ModuleType, turn: int, mirror: bool
) -> None:
    state = check_steps(engine, U_TURN, turn, mirror)
    assert state.scores().tolist() == points_of_gateway(image_of_gateway(5, turn, mirror))
    assert len(standing(state)) == 5


@pytest.mark.rule("IN-31")
@each_symmetry
def test_a_gem_passes_a_u_turn_in_one_go(engine: ModuleType, turn: int, mirror: bool) -> None:
    """The tiles of example C with the middle one last: the amber does not stop on the corner."""
    first, middle, last = image([move for move, _ in U_TURN], turn, mirror)
    state = place_all(start(engine), [first, last, middle])
    assert moved(state) == set()
    assert state.scores().tolist() == points_of_gateway(image_of_gateway(5, turn, mirror))


@pytest.mark.rule("IN-30", "IN-33")
@each_symmetry
def test_example_e_gems_on_different_routes_of_the_new_tile_meet(
    engine: ModuleType, turn: int, mirror: bool
) -> None:
    state = check_steps(engine, ACROSS_TWO_ROUTES, turn, mirror)
    assert state.scores().tolist() == [0, 0]
    # The centre releases one gem for each of the two tiles that touch it.
    assert state.to_dict()["centre"] == {"emerald": 3, "sapphire": 1}
    assert len(standing(state)) == 6


@pytest.mark.rule("IN-33", "IN-34")
@each_symmetry
def test_example_f_a_gem_that_walks_into_the_centre_meets_the_one_due_there(
    engine: ModuleType, turn: int, mirror: bool
) -> None:
    state = check_steps(engine, INTO_THE_CENTRE, turn, mirror)
    assert state.to_dict()["centre"] == {"emerald": 4, "sapphire": 1}
    assert Counter(gem for _, _, gem in standing(state)) == {"amber": 5}
    assert state.scores().tolist() == [0, 0]


# --- release -------------------------------------------------------------------------------------


@pytest.mark.rule("IN-26", "IN-27", "IN-34")
@pytest.mark.parametrize("first", range(6))
def test_the_centre_gives_five_emeralds_and_then_the_sapphire(
    engine: ModuleType, first: int
) -> None:
    state = start(engine)
    for number in range(6):
        edge = (first + 5 * number) % 6
        state = place(state, "03/14/25", RING_1[edge])
        colour = "emerald" if number < 5 else "sapphire"
        assert (RING_1[edge], edge, colour) in moved(state)
        left = {"emerald": max(0, 4 - number), "sapphire": int(number < 5)}
        assert state.to_dict()["centre"] == left


@pytest.mark.rule("IN-27", "IN-34")
def test_a_gem_at_the_centre_takes_the_sapphire_only_as_the_sixth(engine: ModuleType) -> None:
    """An amber waits before the last empty cell around the centre; the sapphire dies with it."""
    moves = [("03/14/25", cell) for cell in RING_1[:5]]
    state = place_all(start(engine), [*moves, *spoke(0)[:2]])
    assert ((0, -2), 2, "amber") in moved(state)
    state = place(state, "01/25/34", (0, -1))
    assert state.to_dict()["centre"] == {"emerald": 0, "sapphire": 0}
    assert Counter(gem for _, _, gem in standing(state)) == {"amber": 5, "emerald": 5}


@pytest.mark.rule("IN-28")
@pytest.mark.parametrize("corner", range(6))
def test_an_amber_waits_until_the_cell_before_its_stub_is_filled(
    engine: ModuleType, corner: int
) -> None:
    cell, stub = CORNERS[corner], AMBER_EDGES[corner]
    state = start(engine)
    for side in (stub - 1, stub + 1):
        state = place(state, "03/14/25", beyond(cell, side % 6))
        assert moved(state) == set()
    state = place(state, "03/14/25", beyond(cell, stub))
    assert moved(state) == {(beyond(cell, stub), stub, "amber")}


# --- walking -------------------------------------------------------------------------------------


@pytest.mark.rule("IN-29")
def test_a_gem_runs_on_over_older_tiles_to_the_end_of_the_track(engine: ModuleType) -> None:
    """The tiles of a road placed from its end: nothing moves until the first tile, then the amber
    leaves at once.
    """
    moves = road(0, ((3, -4), 0))
    assert len(moves) == 4
    state = place_all(start(engine), moves[:0:-1])
    assert moved(state) == set()
    state = place(state, *moves[0])
    assert moved(state) == set()
    assert state.scores().tolist() == [1, 0]


@pytest.mark.rule("IN-29")
def test_a_gem_without_the_new_tile_on_its_track_stays(engine: ModuleType) -> None:
    state = place(start(engine), "03/14/25", (0, -3))
    gems = standing(state)
    assert standing(place(state, "03/14/25", (1, -3))) == gems
    assert standing(place(state, "03/14/25", (-1, -2))) == gems


@pytest.mark.rule("IN-29", "IN-36")
def test_every_gem_at_the_new_tile_moves(engine: ModuleType) -> None:
    """Amber from above, emerald from below, each on a route of its own."""
    state = place_all(start(engine), [move for move, _ in SCORE_AN_AMBER[:2]])
    assert moved(place(state, "01/25/34", (1, -3))) == moved(state)
    assert moved(place(state, "04/12/35", (0, -2))) == {
        ((0, -2), 1, "emerald"),
        ((0, -2), 3, "amber"),
    }


@pytest.mark.rule("IN-30")
def test_a_gem_crosses_the_new_tile_twice(engine: ModuleType) -> None:
    """Example E without the first emerald: the way out leads through the new tile again."""
    moves = [move for move, _ in ACROSS_TWO_ROUTES[1:]]
    state = place_all(start(engine), moves)
    assert moved(state) == {((-1, 0), 2, "emerald")}


@pytest.mark.rule("IN-30")
def test_a_gem_crosses_the_new_tile_three_times(engine: ModuleType) -> None:
    tiles = tiles_from_rows(
        """
            * . . . *
           . . . . . .
          . . . . . . .
         . . . . . . . .
        * . . . @ . . . *
         . . . o c e . .
          . . . m m . .
           . . . . . .
            * . . . *
        """
    )
    last = (0, 1)
    track = track_end(tiles, CENTRE, 2)
    assert track.path.count(last) == 3
    check_last_tile(engine, tiles, last)
    assert track.kind == "open"


def check_last_tile(engine: ModuleType, tiles: Tiles, last: Cell) -> State:
    """Place one tile of a board last and compare with what the tracks of the board imply."""
    rest = {cell: matching for cell, matching in tiles.items() if cell != last}
    before = build(engine, rest)
    state = place(before, MATCHINGS[tiles[last]], last)
    expected = trace_gems(tiles)
    assert standing(state) == set(expected.standing)
    assert state.to_dict()["centre"] == expected.centre
    assert state.to_dict()["won"] == won_by_seat(expected.exits, 2, "shared")
    return state


@pytest.mark.rule("IN-29", "IN-35")
def test_a_closed_loop_concerns_no_gem(engine: ModuleType) -> None:
    """Three tight curves round a point close a loop; the other routes of the same tiles still lead
    gems.
    """
    loop = [("05/14/23", (2, 0)), ("03/12/45", (2, 1)), ("01/25/34", (1, 1))]
    state = place_all(start(engine), loop)
    assert moved(state) == set()
    state = place(state, "03/14/25", (3, 0))
    assert moved(state) == {((2, 0), 4, "amber")}


# --- several gems in one turn --------------------------------------------------------------------


THREE_EXITS = """
    * . . . *
   . . . . . .
  . . . . . . .
 . . . . . . . f
* . . . @ j . . *
 . . . . j m c l
  . . . . c d .
   . . . o m n
    * . . j *
"""
THREE_PAIRS = """
    * . . . *
   . . . . d .
  . . . g d . .
 . . . f j o . .
* . . e @ k . . *
 . . . . m . . .
  . . . . . . .
   . . . . . .
    * . . . *
"""
TWO_EXITS_AND_A_PAIR = """
    * . . . *
   . . . . . .
  . . . . . . .
 . . . . . . . .
* . . f @ . . . *
 . . f e f . . .
  . . d k . . .
   . f k . . .
    * a . . *
"""


@pytest.mark.rule("IN-36", "IN-37")
def test_three_gems_leave_over_one_tile(engine: ModuleType) -> None:
    tiles = tiles_from_rows(THREE_EXITS)
    state = check_last_tile(engine, tiles, (0, 3))
    assert sum(sum(won.values()) for won in state.to_dict()["won"]) == 3


@pytest.mark.rule("IN-32", "IN-36")
def test_three_pairs_are_lost_over_one_tile(engine: ModuleType) -> None:
    tiles = tiles_from_rows(THREE_PAIRS)
    state = check_last_tile(engine, tiles, (1, -1))
    assert len(standing(state)) == 5
    assert state.to_dict()["centre"] == {"emerald": 0, "sapphire": 1}
    assert state.scores().tolist() == [0, 0]


@pytest.mark.rule("IN-32", "IN-36", "IN-37")
def test_two_gems_leave_and_a_pair_is_lost_over_one_tile(engine: ModuleType) -> None:
    tiles = tiles_from_rows(TWO_EXITS_AND_A_PAIR)
    state = check_last_tile(engine, tiles, (-1, 1))
    assert sum(sum(won.values()) for won in state.to_dict()["won"]) == 2
    assert len(trace_gems(tiles).lost) == 2


# --- the law of tracks ---------------------------------------------------------------------------


@pytest.mark.rule("IN-12", "IN-29", "IN-30", "IN-32", "IN-33", "IN-35", "IN-37")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_gems_are_where_whole_tracks_say(engine: ModuleType, options: dict[str, Any]) -> None:
    """In random games, after every tile; the sapphire comes from the centre edge that was opened
    last.
    """
    for seed in range(effort(engine, native=12, reference=2)):
        opened = set[int]()
        last_edge = None
        for state in walk(load(engine, **options), 100 + seed):
            now = state.to_dict()
            tiles = tiles_on(state)
            for edge in range(6):
                if STEPS[edge] in tiles and edge not in opened:
                    opened.add(edge)
                    last_edge = edge
            expected = trace_gems(tiles, last_edge)
            assert standing(state) == set(expected.standing)
            assert now["centre"] == expected.centre
            won = won_by_seat(expected.exits, options["players"], options["ownership"])
            assert now["won"] == won
            assert state.scores().tolist() == [points(gems) for gems in won]


@pytest.mark.rule("IN-35")
def test_the_order_of_tiles_does_not_matter(engine: ModuleType) -> None:
    """Without the sixth tile around the centre all gems there are alike, so every order gives one
    position.
    """
    moves = [
        (MATCHINGS[matching], cell)
        for cell, matching in tiles_from_rows(TWO_EXITS_AND_A_PAIR).items()
    ]
    forward = place_all(start(engine), moves).to_dict()
    for order in (moves[::-1], moves[::2] + moves[1::2], moves[5:] + moves[:5]):
        other = place_all(start(engine), order).to_dict()
        for key in ("tiles", "gems", "centre", "won"):
            assert other[key] == forward[key]


@pytest.mark.rule("IN-32", "IN-34", "IN-35")
@pytest.mark.fault("A103")
def test_gems_are_kept_won_or_lost_in_pairs(engine: ModuleType) -> None:
    """With owners that share nothing: 12 gems, those lost in even number, and none comes back."""
    for seed in range(effort(engine, native=40, reference=3)):
        gone = lost = 0
        for state in walk(load(engine), 500 + seed):
            now = state.to_dict()
            left = len(now["gems"]) + sum(now["centre"].values())
            won = sum(sum(gems.values()) for gems in now["won"])
            assert 12 - left >= gone
            assert 12 - left - won >= lost
            gone, lost = 12 - left, 12 - left - won
            assert lost % 2 == 0


@pytest.mark.rule("IN-31", "IN-34")
def test_gems_never_stand_in_the_centre_or_go_back_to_a_stub(engine: ModuleType) -> None:
    """On a corner only the amber of its start stands at the stub; others stand at the ends of the
    U-turn.
    """
    on_u_turns = 0
    for seed in range(effort(engine, native=60, reference=4)):
        left_start = set[Cell]()
        for state in walk(load(engine), 900 + seed):
            gems = standing(state)
            assert not any(cell == CENTRE for cell, _, _ in gems)
            for corner, stub in zip(CORNERS, AMBER_EDGES, strict=True):
                edges = {edge for cell, edge, _ in gems if cell == corner}
                assert edges <= {(stub - 1) % 6, stub, (stub + 1) % 6}
                on_u_turns += bool(edges - {stub})
                if corner in left_start:
                    assert stub not in edges
                elif stub not in edges:
                    left_start.add(corner)
    assert on_u_turns


# --- scoring -------------------------------------------------------------------------------------


@pytest.mark.rule("IN-37", "IN-38")
@pytest.mark.fault("A088")
def test_both_owners_are_paid_and_the_mover_is_not(engine: ModuleType) -> None:
    """Four players, gateway 1 of the seats 1 and 2: four tiles, so seat 3 places the last one."""
    moves = road(1, ((4, -1), 0))
    assert len(moves) == 4
    state = place_all(start(engine, players=4), moves)
    assert state.to_dict()["seat"] == 3
    amber, nothing = {"amber": 1, "emerald": 0, "sapphire": 0}, dict.fromkeys(GEMS, 0)
    assert state.to_dict()["won"] == [nothing, amber, amber, nothing]


@pytest.mark.rule("IN-38")
def test_one_can_score_for_the_opponent_alone(engine: ModuleType) -> None:
    """Gateway 1 belongs to seat 1; three tiles, so seat 0 places the last one."""
    moves = road(1, ((4, -2), 0))
    assert len(moves) == 3
    state = place_all(start(engine), moves)
    assert state.to_dict()["seat"] == 0
    assert state.scores().tolist() == [0, 1]


@pytest.mark.rule("IN-29", "IN-37")
@pytest.mark.fault("A037")
def test_a_gem_runs_through_two_tiles_to_a_shared_gateway_and_the_old_state_keeps_it(
    engine: ModuleType,
) -> None:
    first, second = road(1, ((4, -3), 1))
    kind = TYPE_OF[MATCHINGS.index(first[0])]
    before = build(engine, tiles_of([second]), players=4, hands={1: [kind]})
    kept = before.to_bytes()
    after = place(before, *first)
    assert after.scores().tolist() == [0, 1, 1, 0]
    assert ((4, -4), 3, "amber") not in standing(after)
    assert before.to_bytes() == kept
    assert ((4, -4), 3, "amber") in standing(before)
    assert before.scores().tolist() == [0, 0, 0, 0]


@pytest.mark.rule("IN-11", "IN-39")
@pytest.mark.parametrize(("sapphire_edge", "value"), [(5, 3), (0, 2)])
def test_gems_are_worth_1_2_and_3_points(
    engine: ModuleType, sapphire_edge: int, value: int
) -> None:
    """An amber and the gem of centre edge NW leave through gateway 0, which belongs to seat 0."""
    moves = [
        *(("02/14/35", cell) for cell in RING_1[:5]),
        *(move for move, _ in SCORE_AN_AMBER),
        *[("04/13/25", (1, -2)), ("02/14/35", (2, -3))],
    ]
    state = build(engine, tiles_of(moves), sapphire_edge=sapphire_edge)
    assert state.scores().tolist() == [1 + value, 0]
    assert state.to_dict()["won"][0]["amber"] == 1


@pytest.mark.rule("IN-12", "IN-37")
def test_second_owners_get_copies_and_nobody_goes_without(engine: ModuleType) -> None:
    """The same random games with other owners: four players are paid exactly twice what two are."""
    for seed in range(effort(engine, native=30, reference=2)):
        state = end(load(engine), 40 + seed)
        tiles, exits = tiles_on(state), Counter[str]()
        for won in state.to_dict()["won"]:
            exits.update(won)
        sapphire_edges = [
            edge
            for edge in range(6)
            if won_by_seat(trace_gems(tiles, edge).exits, 2, "shared") == state.to_dict()["won"]
        ]
        four = build(engine, tiles, players=4, sapphire_edge=sapphire_edges[0]).to_dict()["won"]
        assert {gem: sum(won[gem] for won in four) for gem in GEMS} == {
            gem: 2 * exits[gem] for gem in GEMS
        }
        assert exits["amber"] <= 6
        assert exits["emerald"] <= 5
        assert exits["sapphire"] <= 1
