"""Wrong ids, seats, arrays and random numbers: an error of the documented class, and the state stays as it was."""

from __future__ import annotations

import copy
import math
import random
from functools import partial
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import pytest

import tabletop_core as tc
from tests.engines import ENGINES, NATIVE
from tests.errors.strange import HUGE, Unspeakable, Whole, every_kind
from tests.walks import (
    after,
    end,
    first_decision,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from tabletop_core.protocol import Game, RandomSource, State


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
            for call in (
                loose.apply_action,
                loose.child,
                loose.is_legal,
                loose.action_to_string,
                partial(loose.observed_action_to_string, 0),
            ):
                with pytest.raises(tc.ArgumentTypeError):
                    call(wrong)
        assert state.to_bytes() == before


class Failing:
    """Something whose `__index__` raises an error of its own."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __index__(self) -> int:
        raise self.error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ZeroDivisionError(), MemoryError()])
def test_what_an_integer_raises_goes_on(engine: ModuleType, error: BaseException) -> None:
    game = engine.load_game("indigo")
    state = first_decision(game)
    wrong = Failing(error)
    for call in (
        partial(state.apply_action, wrong),
        partial(state.observation_string, wrong),
        partial(engine.Rng(1).below, wrong),
        partial(engine.load_game, "indigo", players=wrong),
        partial(engine.playouts, game, wrong),
    ):
        with pytest.raises(type(error)):
            call()
    with pytest.raises(tc.ArgumentTypeError):
        state.apply_action(Failing(TypeError("no integer after all")))


class Interrupted:
    """Something of which no Python code runs without being interrupted."""

    def interrupt(self, *_: object, **__: object) -> Any:
        raise KeyboardInterrupt

    __float__ = __repr__ = __array__ = interrupt
    below = property(interrupt)


def test_an_interrupt_is_never_taken_for_a_wrong_argument(engine: ModuleType) -> None:
    game = engine.load_game("indigo")
    chance = game.new_initial_state()
    loose: Any = Interrupted()
    calls: list[Callable[[], object]] = [
        partial(chance.sample_chance, loose),
        partial(chance.sample_chance, lambda: loose),
        partial(chance.is_legal, loose),
        partial(game.state_from_dict, {**chance.to_dict(), "phase": loose}),
    ]
    if engine is NATIVE:
        calls.append(partial(tc.Batch(game, 2).step, loose))
    for call in calls:
        with pytest.raises(KeyboardInterrupt):
            call()


def test_an_observer_that_is_not_given_is_the_seat_to_act(seated_game: Game) -> None:
    state = first_decision(seated_game)
    mover = state.current_player()
    assert state.observation_string() == state.observation_string(mover)
    assert np.array_equal(state.observation_tensor(), state.observation_tensor(mover))
    assert np.array_equal(state.observation_tensor(None), state.observation_tensor(mover))
    for nobody_acts in (seated_game.new_initial_state(), end(seated_game)):
        if nobody_acts.current_player() >= 0:
            continue
        for call in (nobody_acts.observation_string, nobody_acts.observation_tensor):
            with pytest.raises(tc.ArgumentError, match="player is None; no seat is to act here"):
                call()


def test_ids_may_be_any_integer(seated_game: Game) -> None:
    for state in every_kind(seated_game)[:3]:
        action = state.legal_actions()[0]
        expected = state.child(action)
        for integer in (np.int16(action), np.uint64(action), np.array(action), Whole(action)):
            assert state.is_legal(integer)
            assert state.child(integer) == expected
            assert state.action_to_string(integer) == state.action_to_string(action)
            told = state.observed_action_to_string(0, action)
            assert state.observed_action_to_string(0, integer) == told
            clone = state.clone()
            clone.apply_action(integer)
            assert clone == expected


def test_unknown_ids_have_no_text(seated_game: Game) -> None:
    start, state = seated_game.new_initial_state(), first_decision(seated_game)
    last = seated_game.num_players() - 1
    for text_of, count in (
        (seated_game.action_to_string, seated_game.num_distinct_actions()),
        (seated_game.chance_to_string, seated_game.max_chance_outcomes()),
        (state.action_to_string, seated_game.num_distinct_actions()),
        (
            lambda number: state.action_to_string(tc.PlayerId.CHANCE, number),
            seated_game.max_chance_outcomes(),
        ),
        (partial(state.observed_action_to_string, 0), seated_game.num_distinct_actions()),
        # Also where the outcome is hidden from the seat.
        (partial(start.observed_action_to_string, last), seated_game.max_chance_outcomes()),
    ):
        for number in (-1, count, 2**40, 2**64, HUGE, -HUGE):
            with pytest.raises(tc.IllegalActionError) as caught:
                text_of(number)
            assert str(number)[:20] in str(caught.value)
    for player in (-2, seated_game.num_players(), HUGE, -HUGE):
        with pytest.raises(tc.ArgumentError):
            state.action_to_string(player, 0)
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
    for action_id in range(seated_game.num_distinct_actions()):
        with pytest.raises(tc.IllegalActionError):
            seated_game.action_from_string(seated_game.action_to_string(action_id)[:-1] + "\ud800")
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
        for ask in calls_with_a_seat(state)[4:]:
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
    """List the calls that take a seat; the first four also take None, the first two chance and the end."""
    return [
        state.legal_actions,
        state.legal_actions_mask,
        state.observation_tensor,
        state.observation_string,
        state.player_return,
        state.player_reward,
        lambda seat: state.observed_action_to_string(seat, 0),
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


@pytest.mark.parametrize("source", ENGINES)
def test_generators_of_both_engines_are_welcome(
    engine: ModuleType, seated_game: Game, source: str
) -> None:
    given, own, choice = ENGINES[source].Rng(4), engine.Rng(4), tc.Rng(1)
    state, twin = seated_game.new_initial_state(), seated_game.new_initial_state()
    for _ in range(30):
        if state.is_chance_node():
            assert state.sample_chance(given) == twin.sample_chance(own)
            state.resolve_chance(given)
            twin.resolve_chance(own)
        for seat in range(seated_game.num_players()):
            sample = state.resample_from_infostate(seat, given)
            assert sample == twin.resample_from_infostate(seat, own)
        assert given.state == own.state
        if state.is_terminal():
            break
        for one in (state, twin):
            one.apply_action(step_id(one, choice.split(one.stable_hash())))
        assert state == twin


def step_id(state: State, rng: tc.Rng) -> int:
    """Choose a legal id."""
    legal = state.legal_actions()
    return legal[rng.below(len(legal))]


@pytest.mark.parametrize("source", ENGINES)
def test_calls_that_fail_draw_nothing(seated_game: Game, source: str) -> None:
    drawn: list[int] = []

    def half() -> float:
        drawn.append(2)
        return 0.5

    rng = ENGINES[source].Rng(4)
    start, decision = seated_game.new_initial_state(), first_decision(seated_game)
    generators: list[RandomSource] = [rng, Halves(drawn), half]
    for given in generators:
        with pytest.raises(tc.IllegalActionError):
            decision.sample_chance(given)
        for seat in (-1, seated_game.num_players(), HUGE):
            with pytest.raises(tc.ArgumentError):
                start.resample_from_infostate(seat, given)
    assert (rng.state, drawn) == (4, [])


class Halves:
    """A generator that is no `Rng`, though it has a state and can be split as one."""

    def __init__(self, drawn: list[int]) -> None:
        """Remember where to note what was drawn."""
        self.drawn = drawn
        self.state = 5

    def below(self, n: SupportsIndex, /) -> int:
        """Draw the middle."""
        self.drawn.append(int(n))
        return int(n) // 2

    def next_u64(self) -> int:
        """Draw the middle."""
        return self.below(2**64)

    def split(self, i: int) -> Halves:
        """Make another one."""
        return Halves([i])


def test_other_generators_seed_one_of_ours(seated_game: Game) -> None:
    seed = 2**63 | 2**31
    start, state = seated_game.new_initial_state(), after(seated_game, 30)
    for call in (
        start.sample_chance,
        lambda rng: state.resample_from_infostate(0, rng),
    ):
        rng = Halves([])
        assert call(rng) == call(tc.Rng(seed))
        assert rng.drawn == [2**32, 2**32]


class Liar:
    """A generator that shows the state of an `Rng` and does not move."""

    def __init__(self, state: int) -> None:
        """Start there, and stay."""
        self.state = state

    def below(self, _n: SupportsIndex, /) -> int:
        """Draw 0."""
        return 0

    def next_u64(self) -> int:
        """Draw 0."""
        return 0

    def split(self, i: int) -> tc.Rng:
        """Answer as an `Rng` would."""
        return tc.Rng(self.state).split(i)


def test_a_generator_that_does_not_move_changes_nothing() -> None:
    for name in tc.registered_games():
        start = NATIVE.load_game(name).new_initial_state()
        before = start.to_bytes()
        for call in (start.sample_chance, start.resolve_chance):
            with pytest.raises(tc.ArgumentError):
                call(Liar(3))
        assert start.to_bytes() == before


class Fickle:
    """An integer that answers otherwise each time it is asked."""

    def __init__(self, *numbers: int) -> None:
        """Remember the answers; the last one is for ever."""
        self._numbers = list(numbers)

    def __index__(self) -> int:
        """Give the next answer."""
        return self._numbers.pop(0) if len(self._numbers) > 1 else self._numbers[0]


def test_an_id_is_asked_for_its_number_once(seated_game: Game) -> None:
    last = seated_game.num_distinct_actions() - 1
    for state in every_kind(seated_game)[:3]:
        legal = state.legal_actions()
        illegal = next(number for number in (last, 0, 2**20) if not state.is_legal(number))
        assert state.is_legal(Fickle(legal[0], illegal))
        assert state.child(Fickle(legal[0], illegal)) == state.child(legal[0])
        with pytest.raises(tc.IllegalActionError):
            state.child(Fickle(illegal, legal[0]))
        chance, seat, terminal = int(tc.PlayerId.CHANCE), 0, int(tc.PlayerId.TERMINAL)
        for first in (chance, seat, terminal):
            expected = state.legal_actions_mask(first)
            for second in (chance, seat, terminal, HUGE):
                assert state.legal_actions(Fickle(first, second)) == state.legal_actions(first)
                mask = state.legal_actions_mask(Fickle(first, second))
                np.testing.assert_array_equal(mask, expected)


class Meddler:
    """An integer that does something else while it is asked for its number."""

    def __init__(self, number: object, meddle: Callable[[], object]) -> None:
        """Remember both."""
        self._number = number
        self._meddle = meddle

    def __index__(self) -> Any:
        """Do it, and answer."""
        self._meddle()
        return self._number


def test_arguments_that_meddle_do_no_harm(seated_game: Game) -> None:
    state = first_decision(seated_game)
    legal = state.legal_actions()[0]

    moved = state.clone()
    with pytest.raises(tc.IllegalActionError):
        # By the time that its number is known the id is a decision of another node.
        moved.apply_action(Meddler(2**20, lambda: moved.apply_action(legal)))
    assert moved == state.child(legal)

    out = np.zeros(seated_game.num_distinct_actions(), np.bool_)
    with pytest.raises(tc.ArgumentError):
        state.legal_actions_mask(Meddler(0, lambda: out.resize(0, refcheck=False)), out)

    entries: dict[Any, Any] = dict(state.to_dict())
    for key in list(entries):
        entries = dict(state.to_dict())
        entries[key] = Meddler("no number", entries.clear)
        with pytest.raises(tc.PositionError):
            seated_game.state_from_dict(entries)


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


STRANGE_CHARACTERS = " 0123456789-+,()/aZ\0\n\u00e9\U0001f3b2"


def edited(text: str, rng: random.Random) -> str:
    """Give the text with a few characters changed, dropped, doubled or moved."""
    characters = list(text)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(characters) + 1)
        edit = rng.randrange(4)
        if edit == 0:
            characters.insert(at, rng.choice(STRANGE_CHARACTERS))
        elif edit == 1:
            del characters[at : at + rng.randint(1, 4)]
        elif edit == 2:
            characters[at:at] = characters[at : at + rng.randint(1, 9)]
        else:
            characters = characters[at:] + characters[:at]
    return "".join(characters)


def test_an_edited_text_is_refused_or_is_that_of_another_id(seated_game: Game) -> None:
    rng = random.Random(seated_game.name)
    for count, write, read in (
        (
            seated_game.num_distinct_actions(),
            seated_game.action_to_string,
            seated_game.action_from_string,
        ),
        (
            seated_game.max_chance_outcomes(),
            seated_game.chance_to_string,
            seated_game.chance_from_string,
        ),
    ):
        for _ in range(200):
            text = edited(write(rng.randrange(count)), rng)
            try:
                found = read(text)
            except tc.IllegalActionError:
                continue
            assert write(found) == text
