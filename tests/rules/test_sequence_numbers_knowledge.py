"""Sequence Numbers: what a seat knows, how it is shown, and how the rest is dealt again."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.distribution import check_resampling
from tests.engines import effort
from tests.rules.sequence_numbers_board import (
    CANONICAL,
    MINUS,
    PHASES,
    PLUS,
    ROUGH_GAMES,
    Board,
    after,
    board_of,
    hidden_deals,
    load,
    mirror_board,
    position,
    row_cells,
    sample,
    unseen_by,
    with_deal,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    import numpy.typing as npt

    from tabletop_core.protocol import Game, State

BOARD = CANONICAL

FIELDS = (
    "observer",
    "phase",
    "seat",
    "turn",
    "idle",
    "swapped",
    "hand",
    "hand_sizes",
    "deck_size",
    "discards",
    "owner",
    "locked",
    "sequences",
    "pending_locks",
    "talkers",
    "winners",
    "truncated",
)


@pytest.fixture(params=list(ROUGH_GAMES.values()), ids=list(ROUGH_GAMES))
def rough_game(engine: ModuleType, request: pytest.FixtureRequest) -> Game:
    """Load a game with rules under which much happens."""
    return load(engine, **request.param)


def view(shown: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """Give what a seat knows of a position."""
    return {
        "observer": seat,
        "phase": shown["phase"],
        "seat": shown["seat"],
        "turn": shown["turn"],
        "idle": shown["idle"],
        "swapped": shown["swapped"],
        "hand": shown["hands"][seat],
        "hand_sizes": [len(hand) for hand in shown["hands"]],
        "deck_size": len(shown["deck"]),
        "discards": shown["discards"],
        "owner": shown["owner"],
        "sequences": shown["sequences"],
        "pending_locks": shown["pending_locks"],
        "talkers": shown["talkers"],
        "winners": shown["winners"],
        "truncated": shown["truncated"],
    }


def hot(size: int, indices: Any) -> npt.NDArray[np.float32]:
    """Give zeros with ones at some places."""
    values = np.zeros(size, dtype=np.float32)
    values[list(indices)] = 1
    return values


def tensor_fields(
    game: Game, board: Board, seen: Mapping[str, Any]
) -> dict[str, npt.NDArray[np.float32]]:
    """Give the fields of the tensor for what a seat knows."""
    players, teams = game.num_players(), game.options["teams"]
    owner = np.array([[-1 if cell is None else cell for cell in row] for row in seen["owner"]])
    locked = np.zeros((board.rows, board.cols), dtype=np.float32)
    for cell in board.locked(seen["sequences"]):
        locked[cell] = 1

    def counts(cards: Any) -> npt.NDArray[np.float32]:
        held = Counter(cards)
        return np.array([held[kind] for kind in board.kinds], dtype=np.float32)

    return {
        "observer": hot(players, [seen["observer"]]),
        "phase": hot(9, [PHASES.index(seen["phase"])]),
        "seat": hot(players, [seen["seat"]]),
        "turn": np.array([seen["turn"]], dtype=np.float32),
        "idle": np.array([seen["idle"]], dtype=np.float32),
        "swapped": np.array([seen["swapped"]], dtype=np.float32),
        "hand": counts(seen["hand"]),
        "hand_sizes": np.array(seen["hand_sizes"], dtype=np.float32),
        "deck_size": np.array([seen["deck_size"]], dtype=np.float32),
        "discards": counts(seen["discards"]),
        "owner": np.stack([owner == team for team in range(teams)]).astype(np.float32),
        "locked": locked,
        "sequences": np.stack([hot(len(board.windows), ids) for ids in seen["sequences"]]),
        "pending_locks": hot(len(board.windows), [w for ids in seen["pending_locks"] for w in ids]),
        "talkers": hot(players, seen["talkers"]),
        "winners": hot(players, seen["winners"]),
        "truncated": np.array([seen["truncated"]], dtype=np.float32),
    }


def redealt(state: State, seat: int, rng: random.Random) -> State:
    """Deal again, in a way of our own, what a seat cannot know."""
    shown, board = state.to_dict(), board_of(state.get_game())
    unseen = unseen_by(shown, seat, board)
    rng.shuffle(unseen)
    return state.get_game().state_from_dict(with_deal(shown, seat, board, unseen))


@pytest.mark.rule("SN-106", "SN-107")
def test_observation_string_shows_what_a_seat_knows(engine: ModuleType, rough_game: Game) -> None:
    for state in sample(engine, rough_game, effort(engine, native=200, reference=40)):
        shown = state.to_dict()
        for seat in range(state.num_players()):
            seen = view(shown, seat)
            text = "\n".join(f"{key}: {json.dumps(value)}" for key, value in seen.items())
            assert state.observation_string(seat) == text


@pytest.mark.rule("SN-109")
def test_observation_fields(rough_game: Game) -> None:
    game, board = rough_game, board_of(rough_game)
    players, teams = game.num_players(), game.options["teams"]
    kinds, windows = len(board.kinds), len(board.windows)
    shapes: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(FIELDS, (1,)),
        **dict.fromkeys(("observer", "seat", "hand_sizes", "talkers", "winners"), (players,)),
        **dict.fromkeys(("hand", "discards"), (kinds,)),
        "phase": (9,),
        "owner": (teams, board.rows, board.cols),
        "locked": (board.rows, board.cols),
        "sequences": (teams, windows),
        "pending_locks": (windows,),
    }
    assert [field.name for field in game.observation_fields] == list(FIELDS)
    start = 0
    for field in game.observation_fields:
        assert (field.start, field.shape) == (start, shapes[field.name])
        assert field.meaning
        start = field.stop
    assert list(game.observation_tensor_shape()) == [start]


@pytest.mark.rule("SN-109")
@pytest.mark.fault("A059")
def test_observation_tensor_shows_what_a_seat_knows(engine: ModuleType, rough_game: Game) -> None:
    board = board_of(rough_game)
    phases = set()
    for state in sample(engine, rough_game, effort(engine, native=200, reference=40)):
        shown = state.to_dict()
        phases.add(shown["phase"])
        for seat in range(state.num_players()):
            fields = tensor_fields(rough_game, board, view(shown, seat))
            tensor = state.observation_tensor(seat)
            assert tensor.dtype == np.float32
            for field in rough_game.observation_fields:
                part = tensor[field.start : field.stop].reshape(field.shape)
                assert np.array_equal(part, fields[field.name]), field.name
    assert {"deal", "play", "turn_draw", "over"} <= phases
    if rough_game.options["missed_draw_per_mille"] > 0:
        assert {"talk_discard", "choose_lock", "miss"} <= phases


@pytest.mark.rule("SN-106", "SN-108")
@pytest.mark.fault("A049")
def test_what_a_seat_cannot_know_does_not_show(engine: ModuleType, rough_game: Game) -> None:
    rng = random.Random(1)
    differing = 0
    for state in sample(engine, rough_game, effort(engine, native=150, reference=30)):
        for seat in range(state.num_players()):
            other = redealt(state, seat, rng)
            differing += other != state
            assert other.observation_string(seat) == state.observation_string(seat)
            assert np.array_equal(other.observation_tensor(seat), state.observation_tensor(seat))
            assert other.legal_actions(seat) == state.legal_actions(seat)
            texts = [state.action_to_string(action) for action in state.legal_actions(seat)]
            assert [other.action_to_string(action) for action in other.legal_actions(seat)] == texts
    assert differing > 0


@pytest.mark.rule("SN-106")
def test_a_draw_is_told_to_the_seat_that_gets_the_card(
    engine: ModuleType, rough_game: Game
) -> None:
    for state in sample(engine, rough_game, effort(engine, native=150, reference=30)):
        if state.is_terminal():
            continue
        shown, action = state.to_dict(), state.legal_actions()[0]
        drawing = shown["seat"] if shown["phase"] in {"swap_draw", "turn_draw"} else None
        if shown["phase"] == "deal":
            full = 5 if state.num_players() <= 3 else 4
            drawing = sum(len(hand) for hand in shown["hands"]) // full
        for seat in range(state.num_players()):
            hidden = drawing is not None and seat != drawing
            text = "draw (hidden)" if hidden else state.action_to_string(action)
            assert state.observed_action_to_string(seat, action) == text


@pytest.mark.rule("SN-106")
@pytest.mark.fault("A061")
@pytest.mark.parametrize("card", [1, 17, 48, PLUS, MINUS])
@pytest.mark.parametrize("place", range(5))
def test_every_card_of_the_hand_shows(engine: ModuleType, card: int | str, place: int) -> None:
    game = load(engine)
    hand: list[Any] = [5, 6, 7, 8, 9]
    before = position(game, hands={0: hand})
    hand[place] = card
    changed = position(game, hands={0: hand})
    assert not np.array_equal(before.observation_tensor(0), changed.observation_tensor(0))
    assert np.array_equal(before.observation_tensor(1), changed.observation_tensor(1))
    assert before.observation_string(0) != changed.observation_string(0)


@pytest.mark.rule("SN-106")
def test_hands_stay_hidden_from_team_mates_and_at_the_end(engine: ModuleType) -> None:
    game = load(engine, players=4)
    for phase, extra in (
        ("play", {}),
        ("over", {"idle": 4}),
    ):
        hands = {0: [1], 1: [2], 2: [3, 4], 3: [5]}
        others = {**hands, 2: [6, 7]}
        one = position(game, phase=phase, hands=hands, **extra)
        two = position(game, phase=phase, hands=others, **extra)
        for seat in (0, 1, 3):
            assert one.observation_string(seat) == two.observation_string(seat)
        assert one.observation_string(2) != two.observation_string(2)


@pytest.mark.rule("SN-108", "SN-56")
def test_nothing_is_remembered_across_a_reshuffle(engine: ModuleType) -> None:
    game = load(engine)
    state = position(game, hands={0: [1, 2]}, deck=[], turn=2)
    state = after(state, BOARD.place((0, 1)))
    fresh = position(game, phase="turn_draw", hands={0: [2]}, chips={0: [(0, 1)]}, turn=2)
    assert state == fresh
    for seat in (0, 1):
        assert state.observation_string(seat) == fresh.observation_string(seat)


@pytest.mark.rule("SN-108")
def test_the_order_of_events_does_not_show(engine: ModuleType) -> None:
    game = load(engine)
    start = position(game, hands={0: [1, 2], 1: [3, 4]})
    places = {number: BOARD.place(BOARD.cells_of(number)[0]) for number in (1, 2, 3, 4)}
    one = after(start, places[1], 40, places[3], 41, places[2], 42, places[4], 43)
    two = after(start, places[2], 42, places[4], 43, places[1], 40, places[3], 41)
    assert one == two
    assert one.stable_hash() == two.stable_hash()
    assert one.observation_string(0) == two.observation_string(0)


@pytest.mark.rule("SN-112")
def test_chances_know_the_deck(engine: ModuleType) -> None:
    game = load(engine)
    what: dict[str, Any] = {"phase": "turn_draw", "discards": BOARD.full_deck()[10:]}
    one = position(game, hands={1: [1, 1, 2, 2]}, **what)
    two = position(game, hands={1: [3, 4, 5, 5]}, **what)
    assert one.observation_string(0) == two.observation_string(0)
    assert one.chance_outcomes() == [(2, 2 / 6), (3, 2 / 6), (4, 2 / 6)]
    assert two.chance_outcomes() == [(0, 2 / 6), (1, 2 / 6), (2, 1 / 6), (3, 1 / 6)]


# Resampling


@pytest.mark.rule("SN-110")
def test_resampling_draws_from_the_unseen_cards_in_order(
    engine: ModuleType, rough_game: Game
) -> None:
    board = board_of(rough_game)
    for number, state in enumerate(
        sample(engine, rough_game, effort(engine, native=100, reference=25))
    ):
        before = state.to_bytes()
        for seat in range(state.num_players()):
            seed = 1000 * number + seat
            rng = engine.Rng(seed)
            shown = state.to_dict()
            unseen = unseen_by(shown, seat, board)
            order = [
                unseen.pop(rng.below(len(unseen)))
                for other, hand in enumerate(shown["hands"])
                if other != seat
                for _ in hand
            ]
            expected = with_deal(shown, seat, board, [*order, *unseen])
            spent = engine.Rng(seed)
            found = state.resample_from_infostate(seat, spent)
            assert found.to_dict() == expected
            assert spent == rng
            assert found.observation_string(seat) == state.observation_string(seat)
            assert found.legal_actions(seat) == state.legal_actions(seat)
        assert state.to_bytes() == before


SMALL_BOARD = Board(mirror_board(6, 6))
TALK: dict[str, Any] = {"players": 4, "table_talk_per_mille": 50}

SMALL: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "play": ({}, {"hands": {0: [1, 1, 2], 1: [2, 3, PLUS]}, "deck": [3, 5, PLUS, MINUS]}),
    "three players": ({"players": 3}, {"hands": {0: [1, 1], 1: [3, 5], 2: [3]}, "turn": 1}),
    "four players": (
        {"players": 4},
        {"hands": {0: [1, 2], 1: [1], 2: [3], 3: [2, 3]}, "deck": [5], "turn": 6},
    ),
    "six players": (
        {"players": 6},
        {"hands": {0: [1], 1: [1], 2: [2], 3: [2], 5: [3]}, "deck": [3], "turn": 5},
    ),
    "three teams of two": (
        {"players": 6, "teams": 3},
        {"hands": {0: [1], 1: [1], 2: [MINUS], 4: [MINUS], 5: [2]}, "deck": [5], "turn": 3},
    ),
    "table talk, the first of two": (
        TALK,
        {
            "phase": "talk_discard",
            "hands": {0: [1, 1], 1: [2], 2: [2, 3]},
            "deck": [3, 5],
            "talkers": [2, 0],
            "turn": 1,
        },
    ),
    "table talk, the second of two": (
        TALK,
        {
            "phase": "talk_discard",
            "hands": {0: [1, 1], 1: [2, 2], 2: [3], 3: [3]},
            "deck": [5],
            "talkers": [0],
            "turn": 1,
        },
    ),
    "draws can be missed": (
        {"missed_draw_per_mille": 20},
        {"phase": "miss", "hands": {0: [1, 2], 1: [1, 2, 3]}},
    ),
    "a turn ends with a draw": ({}, {"phase": "turn_draw", "hands": {0: [1, PLUS], 1: [1, 2, 3]}}),
    "a card was swapped": (
        {"swap_draw_before_discard": True},
        {"phase": "swap_draw", "swapped": True, "hands": {0: [1, 2], 1: [1, 2, 3]}},
    ),
    "a window is chosen": (
        {"lock_policy": "choose", "sequences_to_win": 5},
        {
            "phase": "choose_lock",
            "hands": {0: [1, 2], 1: [1, 2, 3]},
            "chips": {0: row_cells(1, range(6))},
            "pending_locks": [
                [SMALL_BOARD.window((1, 0), (1, 4)), SMALL_BOARD.window((1, 1), (1, 5))],
                [],
                [],
                [],
            ],
        },
    ),
    "a stalemate": (
        {"no_play_policy": "discard_and_draw"},
        {"phase": "over", "idle": 2, "hands": {0: [1, 2], 1: [1, 2, 3]}, "turn": 8},
    ),
}


@pytest.mark.rule("SN-106", "SN-111")
@pytest.mark.parametrize(("options", "what"), SMALL.values(), ids=list(SMALL))
def test_resampling_has_the_exact_distribution(
    engine: ModuleType, options: dict[str, Any], what: dict[str, Any]
) -> None:
    """Seen from every seat, with a small deck."""
    game = load(engine, board=SMALL_BOARD.layout, **options)
    state = position(game, **{"deck": [5, PLUS, MINUS], **what})
    for seat in range(game.num_players()):
        check_resampling(
            state,
            seat,
            hidden_deals(state, seat),
            draws=effort(engine, native=10_000, reference=500),
        )


@pytest.mark.rule("SN-111")
@pytest.mark.parametrize(("players", "seats"), [(2, (1,)), (4, (1, 2, 3))])
def test_resampling_has_the_exact_distribution_in_the_deal(
    engine: ModuleType, players: int, seats: tuple[int, ...]
) -> None:
    """Two cards are hidden in a hand, all the rest in the deck."""
    game = load(engine, players=players, board=SMALL_BOARD.layout)
    state = after(game.new_initial_state(), 0, 3)
    for seat in seats:
        check_resampling(
            state,
            seat,
            hidden_deals(state, seat),
            draws=effort(engine, native=10_000, reference=500),
        )
