"""Indigo: board, tiles, options, deal and turn, on both engines."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from tabletop_core.errors import IllegalActionError, OptionError
from tests.engines import effort
from tests.rules.indigo_board import (
    AMBER_EDGES,
    CENTRE,
    COPIES,
    CORNERS,
    FORBIDDEN_CURVE,
    FREE_CELLS,
    GATEWAY_CELLS,
    GATEWAY_EDGES,
    GATEWAY_OF,
    MATCHINGS,
    OWNERS,
    RING_1,
    SETTINGS,
    TYPE_OF,
    action_id,
    beyond,
    build,
    holding,
    is_forbidden,
    load,
    moved,
    place,
    place_all,
    road,
    rotated,
    settled,
    standing,
    start,
    tiles_of,
    tiles_on,
)
from tests.walks import end, walk

if TYPE_CHECKING:
    from types import ModuleType

# Row, first and last q, first cell id.
ROWS = (
    (-4, 0, 4, 0),
    (-3, -1, 4, 5),
    (-2, -2, 4, 11),
    (-1, -3, 4, 18),
    (0, -4, 4, 26),
    (1, -4, 3, 35),
    (2, -4, 2, 43),
    (3, -4, 1, 50),
    (4, -4, 0, 56),
)
CORNER_IDS = (0, 4, 34, 60, 56, 26)
EXITS = [
    (gateway, cell, edge)
    for gateway in range(6)
    for cell in GATEWAY_CELLS[gateway]
    for edge in GATEWAY_EDGES[gateway]
]
FIRST_MOVES = (162, 54, 144, 306, 90)


# --- board ---------------------------------------------------------------------------------------


@pytest.mark.rule("IN-1", "IN-3", "IN-47")
def test_free_cells_are_ranked_row_by_row_without_centre_and_corners(engine: ModuleType) -> None:
    game = load(engine)
    cells = [(q, r) for r, first, last, _ in ROWS for q in range(first, last + 1)]
    free = [cell for cell in cells if cell not in {(0, 0), *CORNERS}]
    assert len(cells) == 61
    assert len(free) == 54
    for rank, (q, r) in enumerate(free):
        assert game.action_to_string(15 * rank) == f"place 02/14/35 on ({q},{r})"


@pytest.mark.rule("IN-1", "IN-7")
def test_cell_ids_start_at_the_top_left_and_ambers_stand_on_the_corners(engine: ModuleType) -> None:
    state = load(engine).new_initial_state()
    field = next(f for f in state.get_game().observation_fields if f.name == "gems")
    gems = state.observation_tensor(0)[field.start : field.stop].reshape(3, 61, 6)
    assert {tuple(map(int, place)) for place in zip(*gems.nonzero(), strict=True)} == {
        (0, cell_id, edge) for cell_id, edge in zip(CORNER_IDS, AMBER_EDGES, strict=True)
    }


@pytest.mark.rule("IN-2", "IN-6", "IN-26")
@pytest.mark.parametrize("edge", range(6))
def test_edges_are_numbered_clockwise_and_face_their_opposites(
    engine: ModuleType, edge: int
) -> None:
    """A straight on any cell around the centre leads an emerald straight out."""
    cell = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))[edge]
    state = place(start(engine), "03/14/25", cell)
    assert moved(state) == {(cell, edge, "emerald")}
    name = ("NE", "E", "SE", "SW", "W", "NW")[edge]
    assert f"emerald ({cell[0]},{cell[1]}) {name}" in str(state)
    assert state.to_dict()["centre"] == {"emerald": 4, "sapphire": 1}


@pytest.mark.rule("IN-4")
@pytest.mark.parametrize(("gateway", "cell", "edge"), EXITS)
def test_each_gateway_has_six_exits_on_three_cells(
    engine: ModuleType, gateway: int, cell: tuple[int, int], edge: int
) -> None:
    """With four players every gateway has a pair of owners of its own."""
    moves = road(gateway, (cell, edge))
    state = build(engine, tiles_of(moves[:-1]), players=4)
    owners = OWNERS[4, "shared"][gateway]
    scores = place(state, *moves[-1]).scores().tolist()
    assert scores == [int(seat in owners) for seat in range(4)]


@pytest.mark.rule("IN-5", "IN-8")
@pytest.mark.parametrize("corner", range(6))
def test_a_corner_leads_from_either_neighbour_to_the_other_and_nowhere_else(
    engine: ModuleType, corner: int
) -> None:
    """Nothing is won by entering a corner, from one side or from the other."""
    cell, stub = CORNERS[corner], AMBER_EDGES[corner]
    for entry, leave in (((stub - 1) % 6, (stub + 1) % 6), ((stub + 1) % 6, (stub - 1) % 6)):
        before = (beyond(cell, entry), (entry + 3) % 6)
        state = place_all(start(engine), road(corner, before))
        assert moved(state) == {(cell, leave, "amber")}
        assert state.scores().tolist() == [0, 0]


@pytest.mark.rule("IN-6", "IN-7", "IN-11")
@pytest.mark.fault("A032")
def test_every_game_starts_with_its_own_twelve_gems(engine: ModuleType) -> None:
    game = load(engine)
    fresh = game.new_initial_state().to_bytes()
    assert not standing(end(game, seed=3))
    assert game.new_initial_state().to_bytes() == fresh
    again = load(engine).new_initial_state()
    assert again.to_bytes() == fresh
    assert again.to_dict()["centre"] == {"emerald": 5, "sapphire": 1}
    assert standing(again) == {
        (cell, edge, "amber") for cell, edge in zip(CORNERS, AMBER_EDGES, strict=True)
    }


# --- tiles ---------------------------------------------------------------------------------------


@pytest.mark.rule("IN-9")
def test_the_pile_holds_54_tiles_of_five_types(engine: ModuleType) -> None:
    assert load(engine).new_initial_state().to_dict()["pile"] == [14, 6, 14, 14, 6]


def turned(matching: str, steps: int) -> str:
    (only,) = rotated([(matching, CENTRE)], steps)
    return only[0]


@pytest.mark.rule("IN-10", "IN-47")
@pytest.mark.fault("A101")
def test_orbits_of_the_types_have_3_1_3_6_and_2_matchings(engine: ModuleType) -> None:
    """The matchings that a hand of one type can place are all turned copies of one another."""
    state = start(engine)
    inside = 15 * FREE_CELLS.index((2, -1))
    for kind, size in enumerate((3, 1, 3, 6, 2)):
        legal = [a - inside for a in holding(state, kind).legal_actions() if 0 <= a - inside < 15]
        texts = [state.get_game().action_to_string(inside + a).split()[1] for a in legal]
        assert len(texts) == size
        for text in texts:
            assert {turned(text, steps) for steps in range(6)} == set(texts)
            assert turned(text, 6) == text


@pytest.mark.rule("IN-10", "IN-29")
@pytest.mark.fault("A101")
@pytest.mark.parametrize("matching", MATCHINGS)
def test_routes_of_a_turned_tile_are_the_turned_routes(engine: ModuleType, matching: str) -> None:
    """In front of every corner the amber comes in through its own edge and leaves by the partner
    of that edge.
    """
    for corner in range(6):
        cell = beyond(CORNERS[corner], AMBER_EDGES[corner])
        entry = str((AMBER_EDGES[corner] + 3) % 6)
        route = next(pair for pair in matching.split("/") if entry in pair)
        leave = int(route.replace(entry, ""))
        assert moved(place(start(engine), matching, cell)) == {(cell, leave, "amber")}


# --- options -------------------------------------------------------------------------------------


@pytest.mark.rule("IN-13", "IN-14", "IN-15")
def test_options_have_defaults_and_are_shown_in_order(engine: ModuleType) -> None:
    game = load(engine)
    assert list(game.options.items()) == [("players", 2), ("ownership", "shared"), ("hand_size", 1)]
    specs = engine.game_options("indigo")
    assert [(spec.name, spec.default) for spec in specs] == list(game.options.items())
    for options in SETTINGS:
        assert dict(load(engine, **options).options) == options
        assert load(engine, **options).num_players() == options["players"]


@pytest.mark.rule("IN-13", "IN-14", "IN-15")
@pytest.mark.parametrize(
    "options",
    [
        {"players": 1},
        {"players": 5},
        {"players": "2"},
        {"players": True},
        {"players": 2.0},
        {"players": None},
        {"hand_size": 0},
        {"hand_size": 3},
        {"hand_size": True},
        {"players": 3, "ownership": "both"},
        {"players": 3, "ownership": None},
        {"players": 2, "ownership": "exclusive"},
        {"players": 4, "ownership": "exclusive"},
        {"games": 3},
    ],
    ids=str,
)
def test_other_options_are_refused(engine: ModuleType, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        load(engine, **options)


@pytest.mark.rule("IN-14", "IN-16", "IN-37")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_gateways_belong_to_the_seats_of_the_table(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    owners = {
        (2, "shared"): ["0", "1", "0", "1", "0", "1"],
        (3, "shared"): ["0", "01", "2", "02", "1", "12"],
        (3, "exclusive"): ["0", "1", "2", "0", "1", "2"],
        (4, "shared"): ["01", "12", "03", "13", "02", "23"],
    }[options["players"], options["ownership"]]
    for gateway in range(6):
        moves = road(gateway, (GATEWAY_CELLS[gateway][0], GATEWAY_EDGES[gateway][0]))
        state = place(build(engine, tiles_of(moves[:-1]), **options), *moves[-1])
        winners = [seat for seat, score in enumerate(state.scores()) if score]
        assert "".join(map(str, winners)) == owners[gateway]


# --- deal ----------------------------------------------------------------------------------------


@pytest.mark.rule("IN-15", "IN-17", "IN-19")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_whole_hands_are_dealt_seat_by_seat_and_seat_0_begins(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    state = load(engine, **options).new_initial_state()
    players, hand_size = options["players"], options["hand_size"]
    hands: list[list[int]] = [[] for _ in range(players)]
    for dealt in range(players * hand_size):
        shown = state.to_dict()
        assert (shown["phase"], shown["seat"]) == ("deal", dealt // hand_size)
        assert state.is_chance_node()
        kind = (3 * dealt + 4) % 5
        state.apply_action(kind)
        hands[dealt // hand_size].append(kind)
        assert state.to_dict()["hands"] == [sorted(hand) for hand in hands]
    assert (state.to_dict()["phase"], state.to_dict()["seat"]) == ("place", 0)
    assert state.current_player() == 0


@pytest.mark.rule("IN-18")
@pytest.mark.fault("A068")
def test_a_type_is_drawn_in_proportion_to_its_copies_left(engine: ModuleType) -> None:
    state = load(engine).new_initial_state()
    assert state.chance_outcomes() == [(kind, copies / 54) for kind, copies in enumerate(COPIES)]
    nodes = 0
    for state in walk(load(engine, players=3), seed=5):
        if not state.is_chance_node():
            continue
        pile = state.to_dict()["pile"]
        listed = [(kind, copies / sum(pile)) for kind, copies in enumerate(pile) if copies]
        assert state.chance_outcomes() == listed
        assert state.legal_actions() == [kind for kind, _ in listed]
        nodes += 1
    assert nodes > 40


@pytest.mark.rule("IN-18")
def test_types_without_a_copy_are_not_drawn(engine: ModuleType) -> None:
    """Six straights lie around the centre, so the pile has none."""
    tiles = tiles_of(("03/14/25", cell) for cell in RING_1)
    state = build(engine, tiles, phase="draw", hands={0: [2]})
    assert [kind for kind, _ in state.chance_outcomes()] == [0, 2, 3, 4]
    assert sum(Fraction(chance) for _, chance in state.chance_outcomes()) == pytest.approx(1)
    with pytest.raises(IllegalActionError):
        state.apply_action(1)


@pytest.mark.rule("IN-9", "IN-18")
@pytest.mark.fault("A086")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_54_tiles_are_on_board_in_hands_and_in_the_pile(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for state in walk(load(engine, **options), seed=11):
        shown = state.to_dict()
        count = Counter(TYPE_OF[matching] for matching in tiles_on(state).values())
        count.update(kind for hand in shown["hands"] for kind in hand)
        count.update(dict(enumerate(shown["pile"])))
        assert [count[kind] for kind in range(5)] == list(COPIES)


# --- turn ----------------------------------------------------------------------------------------


@pytest.mark.rule("IN-20", "IN-21", "IN-47")
@pytest.mark.fault("A017")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_legal_actions_are_what_a_slow_reading_of_the_rules_gives(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    decisions = 0
    for seed in range(effort(engine, native=20, reference=1)):
        for state in walk(load(engine, **options), seed):
            if state.current_player() < 0:
                continue
            hand = state.to_dict()["hands"][state.current_player()]
            tiles = tiles_on(state)
            assert state.legal_actions() == [
                15 * rank + matching
                for rank, cell in enumerate(FREE_CELLS)
                for matching in range(15)
                if cell not in tiles
                and TYPE_OF[matching] in hand
                and not is_forbidden(matching, cell)
            ]
            assert state.legal_actions()
            decisions += 1
    assert decisions > 40


@pytest.mark.rule("IN-20", "IN-21")
@pytest.mark.fault("A014")
def test_what_is_listed_can_be_played_and_nothing_else(engine: ModuleType) -> None:
    game = load(engine, hand_size=2)
    for number, state in enumerate(walk(game, seed=21)):
        if state.current_player() < 0 or number % effort(engine, native=2, reference=16):
            continue
        before = state.to_bytes()
        legal = set(state.legal_actions())
        for action in range(game.num_distinct_actions()):
            assert state.is_legal(action) == (action in legal)
            if action in legal:
                state.child(action)
            else:
                with pytest.raises(IllegalActionError):
                    state.apply_action(action)
        assert state.to_bytes() == before


@pytest.mark.rule("IN-20")
def test_a_tile_may_stand_alone(engine: ModuleType) -> None:
    state = place(start(engine), "01/25/34", (2, 0))
    assert tiles_on(state) == {(2, 0): MATCHINGS.index("01/25/34")}
    assert place(state, "01/25/34", (-2, 0)).to_dict()["won"] == state.to_dict()["won"]


@pytest.mark.rule("IN-20")
@pytest.mark.fault("A013")
def test_an_empty_cell_may_be_closed_in_and_filled_by_every_type(engine: ModuleType) -> None:
    cell = (1, -2)
    ring = [(MATCHINGS[4 * edge % 12], beyond(cell, edge)) for edge in range(6)]
    state = settled(place_all(start(engine), ring))
    for kind in range(5):
        cells = {FREE_CELLS[action // 15] for action in holding(state, kind).legal_actions()}
        assert cell in cells


@pytest.mark.rule("IN-21")
@pytest.mark.parametrize("gateway", range(6))
def test_no_curve_may_join_the_two_exits_of_a_gateway_cell(
    engine: ModuleType, gateway: int
) -> None:
    state = start(engine)
    curve = "".join(map(str, FORBIDDEN_CURVE[gateway]))
    for kind, fitting in enumerate((3, 1, 2, 5, 1)):
        held = holding(state, kind)
        for cell in GATEWAY_CELLS[gateway]:
            ids = [action_id(text, cell) for text in MATCHINGS]
            kinds = [action for action in ids if TYPE_OF[action % 15] == kind]
            legal = [action for action in kinds if held.is_legal(action)]
            assert len(legal) == fitting
            for action in kinds:
                forbidden = curve in MATCHINGS[action % 15].split("/")
                assert (action in legal) == (not forbidden)
                if forbidden:
                    with pytest.raises(IllegalActionError):
                        held.apply_action(action)


@pytest.mark.rule("IN-21")
def test_example_d_three_matchings_are_illegal_on_a_cell_of_gateway_0(engine: ModuleType) -> None:
    state = start(engine)
    illegal = [
        text
        for text, kind in zip(MATCHINGS, TYPE_OF, strict=True)
        if not holding(state, kind).is_legal(action_id(text, (2, -4)))
    ]
    assert sorted(illegal) == ["05/12/34", "05/13/24", "05/14/23"]


@pytest.mark.rule("IN-21")
def test_tight_curves_are_free_beside_a_gateway(engine: ModuleType) -> None:
    """On cells without exits all fifteen matchings are legal."""
    state = start(engine)
    for cell in FREE_CELLS:
        if cell not in GATEWAY_OF:
            for matching, kind in enumerate(TYPE_OF):
                assert holding(state, kind).is_legal(15 * FREE_CELLS.index(cell) + matching)


@pytest.mark.rule("IN-22")
def test_a_chain_of_tiles_may_join_two_exits(engine: ModuleType) -> None:
    """Exit NW of (1,-4) runs straight on to the next cell and out by its exit NE."""
    state = place(start(engine), "02/15/34", (1, -4))
    state = place(state, "04/12/35", (2, -4))
    assert len(tiles_on(state)) == 2
    state = place(start(engine), "04/15/23", (3, -4))
    state = place(state, "03/15/24", (2, -4))
    assert len(tiles_on(state)) == 2


@pytest.mark.rule("IN-23")
@pytest.mark.fault("A011")
def test_first_moves_are_162_54_144_306_and_90(engine: ModuleType) -> None:
    state = start(engine)
    for kind, count in enumerate(FIRST_MOVES):
        assert len(holding(state, kind).legal_actions()) == count


@pytest.mark.rule("IN-15", "IN-23")
def test_a_hand_of_two_has_the_actions_of_both_types_and_equal_tiles_count_once(
    engine: ModuleType,
) -> None:
    counts = {}
    for first in range(5):
        for second in range(first, 5):
            state = build(engine, {}, hand_size=2, hands={0: [first, second]})
            expected = FIRST_MOVES[first] + (FIRST_MOVES[second] if first != second else 0)
            counts[first, second] = len(state.legal_actions())
            assert counts[first, second] == expected
    assert max(counts, key=lambda hand: counts[hand]) == (0, 3)
    assert counts[0, 3] == 468


@pytest.mark.rule("IN-15", "IN-23", "IN-47")
def test_a_placement_takes_its_own_type_out_of_the_hand(engine: ModuleType) -> None:
    state = build(engine, {}, hand_size=2, hands={0: [2, 4], 1: [3, 3]})
    after = place(state, "01/23/45", (2, 0))
    assert after.to_dict()["hands"] == [[2], [3, 3]]
    after = place(settled(after), "01/24/35", (-2, 0))
    assert after.to_dict()["hands"][1] == [3]


@pytest.mark.rule("IN-19", "IN-24", "IN-25", "IN-40", "IN-41", "IN-42", "IN-43")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_turns_follow_one_another_with_a_draw_while_there_is_a_pile(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """Place, draw, next seat; without a pile place, next seat; no draw after the last gem."""
    players, dealt = options["players"], options["players"] * options["hand_size"]
    lengths = set()
    for seed in range(effort(engine, native=12, reference=2)):
        chances = 0
        before: dict[str, Any] = {}
        for state in walk(load(engine, **options), seed):
            now = state.to_dict()
            chances += state.is_chance_node()
            following = (before["seat"] + 1) % players if before else 0
            if not before or before["phase"] == "deal":
                assert now["phase"] == ("deal" if sum(now["pile"]) > 54 - dealt else "place")
            elif before["phase"] == "draw":
                assert (now["phase"], now["seat"]) == ("place", following)
                assert sum(now["pile"]) == sum(before["pile"]) - 1
            elif not now["gems"] and not any(now["centre"].values()):
                assert (now["phase"], now["seat"]) == ("over", before["seat"])
                assert now["pile"] == before["pile"]
            elif any(before["pile"]):
                assert (now["phase"], now["seat"]) == ("draw", before["seat"])
            else:
                assert (now["phase"], now["seat"]) == ("place", following)
            if now["phase"] == "place":
                assert now["hands"][now["seat"]]
                assert state.current_player() == now["seat"]
            before = now
        assert state.is_terminal()
        assert not state.is_truncated()
        placed = len(before["tiles"])
        assert chances == dealt + min(placed - 1, 54 - dealt)
        lengths.add(placed)
    assert max(lengths) == load(engine, **options).max_game_length() == 54
