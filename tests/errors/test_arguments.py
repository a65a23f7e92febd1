"""Wrong ids, seats, arrays and random numbers: an error of the documented class, and the state stays as it was."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.engines import ENGINES
from tests.errors.strange import HUGE, Unspeakable, Whole, every_kind
from tests.walks import (
    after,
    end,
    first_decision,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabletop_core.protocol import Game, State


def test_ids_of_the_wrong_type_are_refused(seated_game: Game) -> None:
    for state in every_kind(seated_game):
        before = state.to_bytes()
        loose: Any = state
        for wrong in (
            "0",
            0.0,
            1.5,
            math.nan,
            None,
            [0],
            b"0",
            object(),
            np.array([0, 1]),
            np.float64(0),
            Unspeakable(),
        ):
            for call in (loose.apply_action, loose.child, loose.is_legal, loose.action_to_string):
                with pytest.raises(tc.ArgumentTypeError):
                    call(wrong)
        assert state.to_bytes() == before


def test_ids_may_be_any_integer(seated_game: Game) -> None:
    for state in every_kind(seated_game)[:3]:
        action = state.legal_actions()[0]
        expected = state.child(action)
        for integer in (np.int16(action), np.uint64(action), np.array(action), Whole(action)):
            assert state.is_legal(integer)
            assert state.child(integer) == expected
            assert state.action_to_string(integer) == state.action_to_string(action)
            clone = state.clone()
            clone.apply_action(integer)
            assert clone == expected


def test_unknown_ids_have_no_text(seated_game: Game) -> None:
    state = first_decision(seated_game)
    for text_of, count in (
        (seated_game.action_to_string, seated_game.num_distinct_actions()),
        (seated_game.chance_to_string, seated_game.max_chance_outcomes()),
        (state.action_to_string, seated_game.num_distinct_actions()),
        (
            lambda number: state.action_to_string(tc.PlayerId.CHANCE, number),
            seated_game.max_chance_outcomes(),
        ),
    ):
        for number in (-1, count, 2**40, 2**64, HUGE, -HUGE):
            with pytest.raises(tc.IllegalActionError) as caught:
                text_of(number)
            assert str(number)[:20] in str(caught.value)
    for wrong in ("0", 0.0, None):
        for call in (seated_game.action_to_string, seated_game.chance_to_string):
            with pytest.raises(tc.ArgumentTypeError):
                call(wrong)  # type: ignore[arg-type]


def test_texts_that_name_nothing_are_refused(seated_game: Game) -> None:
    action, outcome = seated_game.action_to_string(0), seated_game.chance_to_string(0)
    for read, good in (
        (seated_game.action_from_string, action),
        (seated_game.chance_from_string, outcome),
    ):
        for text in (
            "",
            " ",
            good + " ",
            " " + good,
            good.upper() + "!",
            good[:-1],
            good + good,
            "nothing",
            "\0",
            "ü",
            "\ud800",
            "x" * 100_000,
        ):
            with pytest.raises(tc.IllegalActionError):
                read(text)
        for wrong in (None, 0, b"text", [good]):
            with pytest.raises(tc.ArgumentTypeError):
                read(wrong)  # type: ignore[arg-type]
    with pytest.raises(tc.IllegalActionError):
        seated_game.action_from_string(outcome)
    with pytest.raises(tc.IllegalActionError):
        seated_game.chance_from_string(action)


def test_seats_out_of_range_are_refused(seated_game: Game) -> None:
    players = seated_game.num_players()
    for state in every_kind(seated_game):
        before = state.to_bytes()
        for seat in (-5, -3, -2, players, players + 1, 2**31, 2**40, 2**64, HUGE, -HUGE):
            for ask in calls_with_a_seat(state):
                with pytest.raises(tc.ArgumentError) as caught:
                    ask(seat)
                assert str(seat)[:20] in str(caught.value)
        for seat in (tc.PlayerId.CHANCE, tc.PlayerId.TERMINAL):
            for ask in calls_with_a_seat(state)[2:]:
                with pytest.raises(tc.ArgumentError):
                    ask(seat)
        assert state.to_bytes() == before


def test_seats_of_the_wrong_type_are_refused(seated_game: Game) -> None:
    for state in every_kind(seated_game):
        before = state.to_bytes()
        for wrong in ("0", 0.0, [0], b"0", object(), Unspeakable()):
            for ask in calls_with_a_seat(state):
                with pytest.raises(tc.ArgumentTypeError):
                    ask(wrong)
        for ask in calls_with_a_seat(state)[2:]:
            with pytest.raises(tc.ArgumentTypeError):
                ask(None)
        assert state.to_bytes() == before


def test_seats_may_be_any_integer(seated_game: Game) -> None:
    state = first_decision(seated_game)
    last = seated_game.num_players() - 1
    for integer in (np.int8(last), np.uint64(last), Whole(last)):
        assert state.observation_string(integer) == state.observation_string(last)
        assert state.legal_actions(integer) == state.legal_actions(last)
    truth = bool(last)
    assert state.observation_string(truth) == state.observation_string(int(truth))


def calls_with_a_seat(state: State) -> list[Any]:
    """List the calls that take a seat; the first two also take chance, the end and None."""
    return [
        state.legal_actions,
        state.legal_actions_mask,
        state.observation_tensor,
        state.observation_string,
        state.player_return,
        state.player_reward,
        lambda seat: state.resample_from_infostate(seat, tc.Rng(0)),
    ]


@pytest.mark.parametrize("call", ["observation_tensor", "legal_actions_mask"])
def test_arrays_that_do_not_fit_are_refused(seated_game: Game, call: str) -> None:
    dtype, other = (
        (np.float32, np.float64) if call == "observation_tensor" else (np.bool_, np.uint8)
    )
    for state in every_kind(seated_game):
        fill = getattr(state, call)
        size = fill(0).size
        read_only = np.zeros(size, dtype)
        read_only.flags.writeable = False
        swapped = np.zeros(size, np.dtype(np.float32).newbyteorder())
        wrong: list[tuple[type[tc.ArgumentError], object]] = [
            (tc.ArgumentTypeError, np.zeros(size, other)),
            (tc.ArgumentTypeError, np.zeros(size, np.int64)),
            (tc.ArgumentTypeError, np.zeros(size, object)),
            (tc.ArgumentTypeError, swapped),
            (tc.ArgumentTypeError, [0.0] * size),
            (tc.ArgumentTypeError, bytearray(size)),
            (tc.ArgumentTypeError, "array"),
            (tc.ArgumentTypeError, 0),
            (tc.ArgumentError, np.zeros(size + 1, dtype)),
            (tc.ArgumentError, np.zeros(size - 1, dtype)),
            (tc.ArgumentError, np.zeros(0, dtype)),
            (tc.ArgumentError, np.zeros((1, size), dtype)),
            (tc.ArgumentError, np.zeros((size, 1), dtype)),
            (tc.ArgumentError, np.array(0, dtype)),
            (tc.ArgumentError, np.zeros(2 * size, dtype)[::2]),
            (tc.ArgumentError, np.zeros(size, dtype)[::-1]),
            (tc.ArgumentError, np.broadcast_to(np.zeros(1, dtype), size)),
            (tc.ArgumentError, read_only),
        ]
        for error, out in wrong:
            kept = copy.deepcopy(out)
            with pytest.raises(error) as caught:
                fill(0, out=out)
            assert isinstance(caught.value, tc.ArgumentTypeError) is (error is tc.ArgumentTypeError)
            assert np.array_equal(np.asarray(out), np.asarray(kept)), (
                "a refused array must stay as it was"
            )


def test_the_mask_of_chance_outcomes_has_its_own_size(seated_game: Game) -> None:
    state = seated_game.new_initial_state()
    out = np.zeros(seated_game.max_chance_outcomes(), np.bool_)
    assert state.legal_actions_mask(tc.PlayerId.CHANCE, out=out) is out
    assert np.flatnonzero(out).tolist() == state.legal_actions()
    with pytest.raises(tc.ArgumentError):
        state.legal_actions_mask(tc.PlayerId.CHANCE, out=np.zeros(out.size + 1, np.bool_))


def test_chance_is_asked_about_at_chance_nodes_only(seated_game: Game) -> None:
    for state in (first_decision(seated_game), end(seated_game)):
        before = state.to_bytes()
        rng = tc.Rng(1)
        with pytest.raises(tc.IllegalActionError):
            state.chance_outcomes()
        with pytest.raises(tc.IllegalActionError):
            state.sample_chance(rng)
        state.resolve_chance(rng)
        assert rng == tc.Rng(1)
        assert state.to_bytes() == before


def raising() -> float:
    """Fail as a user's own generator may."""
    message = "the user's own error"
    raise ZeroDivisionError(message)


class BadBelow:
    """A generator that leaves its bounds."""

    def __init__(self, value: object) -> None:
        """Remember what to give."""
        self._value = value

    def below(self, n: int) -> object:
        """Give it, whatever n is."""
        return n if self._value is None else self._value


def calls_with_random_numbers(game: Game) -> Iterator[tuple[State, Any]]:
    """List calls that draw random numbers, with the state that they must not change."""
    start = game.new_initial_state()
    yield start, start.sample_chance
    yield start, start.resolve_chance
    state = after(game, 30)
    # Somebody other than the observer must hold something hidden.
    for seat in range(game.num_players()):
        if (
            state.resample_from_infostate(seat, tc.Rng(0)) != state
            or state.resample_from_infostate(seat, tc.Rng(1)) != state
        ):
            yield state, lambda rng, seat=seat: state.resample_from_infostate(seat, rng)


def test_random_numbers_come_from_the_right_kind_of_object(seated_game: Game) -> None:
    for state, call in calls_with_random_numbers(seated_game):
        before = state.to_bytes()
        for wrong in (None, 7, 0.5, "rng", [0.5], object(), Unspeakable()):
            with pytest.raises(tc.ArgumentTypeError):
                call(wrong)
        for value in (1.0, -0.1, 2, math.nan, math.inf, -math.inf, "0.5", None, [0.5], HUGE, 1j):
            with pytest.raises(tc.ArgumentError):
                call(lambda value=value: value)
        for number in (None, -1, HUGE, 0.5, "0"):
            with pytest.raises(tc.ArgumentError):
                call(BadBelow(number))
        with pytest.raises(ZeroDivisionError):
            call(raising)
        assert state.to_bytes() == before


def test_callables_stand_in_for_a_generator(seated_game: Game) -> None:
    values = (0.25, 0.75)
    seed = (int(values[0] * 2**32) << 32) | int(values[1] * 2**32)
    start = seated_game.new_initial_state()
    drawn = iter(values)
    assert start.sample_chance(lambda: next(drawn)) == start.sample_chance(tc.Rng(seed))
    state = after(seated_game, 30)
    for seat in range(seated_game.num_players()):
        drawn = iter(values)
        sample = state.resample_from_infostate(seat, lambda: next(drawn))  # noqa: B023
        assert sample == state.resample_from_infostate(seat, tc.Rng(seed))
    others: list[Any] = [lambda: np.float64(0.5), lambda: np.float32(0.5), lambda: 0]
    for numpy_like in others:
        start.sample_chance(numpy_like)


@pytest.mark.xfail(
    strict=False,
    reason="the native engine seeds itself from a foreign generator and so draws other numbers",
)
def test_generators_of_both_engines_are_welcome(seated_game: Game) -> None:
    for name in ENGINES:
        rng = ENGINES[name].Rng(4)
        state = seated_game.new_initial_state()
        state.resolve_chance(rng)
        assert state == first_decision(seated_game, 4)


def test_nothing_can_be_played_after_the_end(seated_game: Game) -> None:
    for seed in range(3):
        state = end(seated_game, seed)
        before = state.to_bytes()
        for action in (*range(seated_game.num_distinct_actions()), -1, HUGE):
            for call in (state.apply_action, state.child):
                with pytest.raises(tc.IllegalActionError):
                    call(action)
            assert not state.is_legal(action)
        with pytest.raises(tc.IllegalActionError) as caught:
            state.apply_action(0)
        assert "over" in str(caught.value)
        assert state.legal_actions() == []
        assert not state.legal_actions_mask().any()
        assert state.to_bytes() == before
