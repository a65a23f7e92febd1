"""Indigo: end of the game, winners, utilities and numbers of nodes, on both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from tabletop_core.errors import IllegalActionError
from tests.engines import effort
from tests.rules.indigo_board import (
    MATCHINGS,
    RING_1,
    SETTINGS,
    SPOKES,
    TYPE_OF,
    Tiles,
    any_gem_left,
    build,
    load,
    place,
    points,
    road,
    settled,
    spoke,
    tiles_from_rows,
    tiles_of,
)
from tests.walks import end, walk

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State


class Ending(NamedTuple):
    """A full board with what it is worth under some options."""

    players: int
    ownership: str
    sapphire_edge: int
    points: tuple[int, ...]
    gems: tuple[int, ...]
    winners: list[int]
    returns: tuple[float, ...]
    rows: str


THIRD = 1 / 3
ENDINGS = {
    "three players tied on points: most gems win": Ending(
        3,
        "shared",
        0,
        (6, 6, 6),
        (3, 3, 4),
        [2],
        (-0.5, -0.5, 1.0),
        """
            * a j c *
           g d b d o d
          e f a c o k f
         k o e k m g a f
        * g f o @ k m a *
         l h d d m a e m
          a h a c g i g
           g g b d b n
            * o m a *
        """,
    ),
    "three tied on points, two of them on gems": Ending(
        3,
        "shared",
        4,
        (6, 6, 6),
        (3, 4, 4),
        [1, 2],
        (-0.5, 0.25, 0.25),
        """
            * h n d *
           o d e c c o
          b e m f b l d
         k f b k k f f f
        * f a b @ j b d *
         g n c a h b f d
          c l b f d n i
           n i m j c g
            * m e e *
        """,
    ),
    "three players tied on both": Ending(
        3,
        "shared",
        4,
        (6, 6, 6),
        (3, 3, 3),
        [0, 1, 2],
        (0.0, 0.0, 0.0),
        """
            * n n d *
           a m i g d o
          o f i a i o b
         e a j d n h f b
        * a f a @ l j j *
         b a d f a g k j
          d h f a e b g
           g a f e d g
            * b i m *
        """,
    ),
    "two players: gems decide for seat 0": Ending(
        2,
        "shared",
        3,
        (7, 7),
        (6, 4),
        [0],
        (1.0, -1.0),
        """
            * h n d *
           e m d e n f
          c i b b j e g
         b a h e g d b b
        * o f j @ g d f *
         d b k c a l j a
          b e n b h o e
           d b h o f e
            * m k k *
        """,
    ),
    "two players: gems decide for seat 1": Ending(
        2,
        "shared",
        0,
        (8, 8),
        (4, 6),
        [1],
        (-1.0, 1.0),
        """
            * j j k *
           g i b d f m
          e b k a g f g
         c c m a k f n c
        * d o j @ d g a *
         h a b g g d k m
          i o n f b f i
           f o b a d g
            * a d o *
        """,
    ),
    "two players tied on both": Ending(
        2,
        "shared",
        3,
        (7, 7),
        (5, 5),
        [0, 1],
        (0.0, 0.0),
        """
            * c j c *
           c b d o f l
          e n o b d k j
         d h d m l a l b
        * n d d @ b e a *
         f b g g m k c i
          m f e g g a n
           m f g c f a
            * j o e *
        """,
    ),
    "exclusive gateways: two of three share": Ending(
        3,
        "exclusive",
        3,
        (4, 5, 5),
        (2, 3, 3),
        [1, 2],
        (-0.5, 0.25, 0.25),
        """
            * e b f *
           o d j d b f
          j f a g l a l
         c e f d n f f k
        * o a i @ g h c *
         f k d k n a d c
          h h n c k k e
           b f b d c l
            * f o a *
        """,
    ),
    "exclusive gateways: all three share": Ending(
        3,
        "exclusive",
        0,
        (3, 3, 3),
        (2, 2, 2),
        [0, 1, 2],
        (0.0, 0.0, 0.0),
        """
            * c e c *
           e c e c j d
          o c e f g d d
         k a h a d k k o
        * f k o @ b d n *
         n a l a e f b g
          c f c i e e n
           i k m m l b
            * m d e *
        """,
    ),
    "four players: two share": Ending(
        4,
        "shared",
        0,
        (2, 6, 8, 8),
        (1, 5, 5, 5),
        [2, 3],
        (-THIRD, -THIRD, THIRD, THIRD),
        """
            * e h n *
           d b g c a d
          o a j b b g o
         a g h j d d i d
        * b d e @ h c m *
         c e g g l o f b
          g b l f h e l
           n l h l a n
            * e c f *
        """,
    ),
    "four players: three share": Ending(
        4,
        "shared",
        0,
        (3, 9, 9, 9),
        (2, 6, 6, 6),
        [1, 2, 3],
        (-THIRD, THIRD / 3, THIRD / 3, THIRD / 3),
        """
            * n l j *
           l a f g o f
          b l l h b o b
         o o g d g c c c
        * f d m @ l e e *
         m f k j d d g g
          n m b j j c c
           b d b f c a
            * d e e *
        """,
    ),
    "four players: all share": Ending(
        4,
        "shared",
        3,
        (7, 7, 7, 7),
        (5, 5, 5, 5),
        [0, 1, 2, 3],
        (0.0, 0.0, 0.0, 0.0),
        """
            * n n f *
           h m b d a b
          d j j i d g d
         l d f j g g c c
        * n c a @ e o c *
         a i f f l k b d
          f k g o i h b
           g e b g m b
            * e c o *
        """,
    ),
}
each_ending = pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS.keys())


def final_state(engine: ModuleType, ending: Ending) -> State:
    return build(
        engine,
        tiles_from_rows(ending.rows),
        players=ending.players,
        ownership=ending.ownership,
        sapphire_edge=ending.sapphire_edge,
    )


@pytest.mark.rule("IN-39", "IN-44", "IN-45")
@pytest.mark.fault("A100")
@each_ending
def test_most_points_win_then_most_gems_and_equals_share(
    engine: ModuleType, ending: Ending
) -> None:
    state = final_state(engine, ending)
    won = state.to_dict()["won"]
    assert state.is_terminal()
    assert state.scores().tolist() == [points(gems) for gems in won] == list(ending.points)
    assert tuple(sum(gems.values()) for gems in won) == ending.gems
    assert state.winners() == ending.winners
    assert state.returns() == pytest.approx(ending.returns, abs=1e-15)


@pytest.mark.rule("IN-45")
@each_ending
def test_utilities_sum_to_zero_and_stay_in_their_bounds(engine: ModuleType, ending: Ending) -> None:
    game = load(engine, players=ending.players, ownership=ending.ownership)
    returns = final_state(engine, ending).returns()
    assert returns.sum() == pytest.approx(0, abs=1e-15)
    assert game.min_utility() == pytest.approx(-1 / (ending.players - 1), abs=1e-15)
    assert game.max_utility() == 1
    assert np.all(game.min_utility() <= returns)
    assert np.all(returns <= game.max_utility())


@pytest.mark.rule("IN-40", "IN-42", "IN-44", "IN-45")
@each_ending
def test_the_last_tile_ends_the_game_and_names_the_winners(
    engine: ModuleType, ending: Ending
) -> None:
    """The last tile is one without which a gem would be left, and none around the centre."""
    tiles = tiles_from_rows(ending.rows)
    last = next(cell for cell in tiles if cell not in RING_1 and any_gem_left(without(tiles, cell)))
    before = build(
        engine,
        without(tiles, last),
        players=ending.players,
        ownership=ending.ownership,
        sapphire_edge=ending.sapphire_edge,
    )
    assert (before.winners(), before.returns().tolist()) == ([], [0] * ending.players)
    state = place(before, MATCHINGS[tiles[last]], last)
    assert state == final_state(engine, ending)
    assert state.winners() == ending.winners


def without(tiles: Tiles, cell: tuple[int, int]) -> Tiles:
    return {other: matching for other, matching in tiles.items() if other != cell}


@pytest.mark.rule("IN-44", "IN-45")
def test_nobody_has_won_before_the_end(engine: ModuleType) -> None:
    for state in walk(load(engine, players=3), seed=8):
        if not state.is_terminal():
            assert state.winners() == []
            assert state.returns().tolist() == [0, 0, 0]


# --- an early end --------------------------------------------------------------------------------


@pytest.mark.rule("IN-24", "IN-40", "IN-41", "IN-45")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_the_game_is_over_with_the_last_gem_in_the_middle_of_a_round(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """Nobody draws, hands and pile stay, and nobody may act."""
    players = options["players"]
    last = SPOKES[-1]
    kind = TYPE_OF[MATCHINGS.index(last[0])]
    hand = [kind, 3][: options["hand_size"]]
    before = build(engine, tiles_of(SPOKES[:-1]), hands={17 % players: hand}, **options)
    assert before.current_player() == 17 % players
    state = place(before, *last)
    then, now = before.to_dict(), state.to_dict()
    assert (now["phase"], now["seat"]) == ("over", then["seat"])
    assert now["gems"] == []
    assert now["centre"] == {"emerald": 0, "sapphire": 0}
    assert now["pile"] == then["pile"]
    then["hands"][then["seat"]].remove(kind)
    assert now["hands"] == then["hands"]
    assert state.is_terminal()
    assert not state.is_truncated()
    assert state.legal_actions() == []
    assert state.winners() == list(range(players))
    assert state.returns().tolist() == [0] * players
    with pytest.raises(IllegalActionError):
        state.apply_action(0)


@pytest.mark.rule("IN-40")
@pytest.mark.parametrize("missing", range(6))
def test_gems_that_wait_in_the_centre_or_on_a_stub_keep_the_game_going(
    engine: ModuleType, missing: int
) -> None:
    """Without one spoke's tiles an amber is still on its stub, and a gem in the centre."""
    tiles = tiles_of(move for corner in range(6) if corner != missing for move in spoke(corner))
    state = build(engine, tiles)
    assert not state.is_terminal()
    assert state.to_dict()["centre"] == {"emerald": 0, "sapphire": 1}
    assert len(state.to_dict()["gems"]) == 1


@pytest.mark.rule("IN-24", "IN-40")
def test_one_gem_in_the_centre_keeps_the_game_going_when_no_gem_stands(engine: ModuleType) -> None:
    """Five ambers died with the emeralds, the sixth leaves; the sapphire is still in the centre."""
    spokes = [move for corner in range(5) for move in spoke(corner)]
    *moves, last = road(5, ((-4, 1), 4))
    state = place(build(engine, tiles_of([*spokes, *moves])), *last)
    assert state.to_dict()["gems"] == []
    assert state.to_dict()["centre"] == {"emerald": 0, "sapphire": 1}
    assert state.is_chance_node()
    assert settled(state).current_player() == 1


@pytest.mark.rule("IN-40")
def test_one_amber_on_its_stub_keeps_the_game_going_when_the_centre_is_empty(
    engine: ModuleType,
) -> None:
    """The sapphire leaves by the last tile of its way, and only the amber of corner 0 remains."""
    spokes = [move for corner in range(1, 6) for move in spoke(corner)]
    way_out = [
        *[("03/12/45", (0, -2)), ("04/13/25", (1, -2))],
        *[("02/14/35", (2, -3)), ("02/14/35", (2, -4))],
    ]
    state = place(build(engine, tiles_of([*spokes, *way_out])), "03/14/25", (0, -1))
    assert state.scores().tolist() == [3, 0]
    assert state.to_dict()["centre"] == {"emerald": 0, "sapphire": 0}
    assert state.to_dict()["gems"] == [{"cell": [0, -4], "edge": 2, "gem": "amber"}]
    assert state.is_chance_node()


# --- numbers of nodes ----------------------------------------------------------------------------

PERFT: dict[str, tuple[dict[str, Any], str]] = {
    "2 players": ({}, "1c 5c 25d 3780c 18900d"),
    "3 players": ({"players": 3}, "1c 5c 25c 125d 18900c 94500d"),
    "3 players, exclusive": (
        {"players": 3, "ownership": "exclusive"},
        "1c 5c 25c 125d 18900c 94500d",
    ),
    "4 players": ({"players": 4}, "1c 5c 25c 125c 625d 94500c"),
    "2 players, hand 2": ({"hand_size": 2}, "1c 5c 25c 125c 625d 170100c"),
}


@pytest.mark.rule("IN-18", "IN-23", "IN-46")
@pytest.mark.parametrize("name", PERFT)
def test_numbers_of_nodes_by_depth(engine: ModuleType, name: str) -> None:
    options, counts = PERFT[name]
    state = load(engine, **options).new_initial_state()
    for depth, entry in enumerate(counts.split()):
        number, kind = int(entry[:-1]), entry[-1]
        if number > effort(engine, native=10**6, reference=20_000):
            continue
        expected = {"d": (number, 0, 0), "c": (0, number, 0)}[kind]
        assert tuple(engine.perft(state, depth)) == expected


@pytest.mark.rule("IN-42", "IN-43")
@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_a_game_of_t_tiles_has_its_number_of_chance_nodes(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    dealt = options["players"] * options["hand_size"]
    for seed in range(effort(engine, native=30, reference=2)):
        chances = decisions = 0
        for state in walk(load(engine, **options), 300 + seed):
            chances += state.is_chance_node()
            decisions += state.current_player() >= 0
        assert decisions <= 54
        assert chances == dealt + min(decisions - 1, 54 - dealt)


@pytest.mark.rule("IN-42")
def test_a_game_that_fills_the_board_has_54_decisions(engine: ModuleType) -> None:
    tiles = [len(end(load(engine), seed).to_dict()["tiles"]) for seed in range(8)]
    assert max(tiles) == 54
