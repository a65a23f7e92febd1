"""Module functions refuse wrong arguments, and no call at all crashes the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.configurations import Configuration, seatings
from tests.engines import ENGINES, NATIVE, REFERENCE
from tests.errors.strange import HUGE
from tests.walks import (
    chances,
    decisions,
    end,
    finish,
    first_decision,
    run_python,
    step,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from tabletop_core.protocol import Game


def test_playouts_refuse_wrong_arguments(engine: ModuleType, seated_game: Game) -> None:
    for arguments in (
        {"n": -1},
        {"n": HUGE},
        {"seed": -1},
        {"seed": 2**64},
        {"threads": 0},
        {"threads": -1},
        {"threads": HUGE},
        {"policy": ""},
        {"policy": "greedy"},
    ):
        with pytest.raises(tc.ArgumentError):
            engine.playouts(seated_game, **{"n": 1, **arguments})
    for name in ("n", "seed", "threads"):
        for wrong in ("1", 1.0, None, [1]):
            with pytest.raises(tc.ArgumentTypeError):
                engine.playouts(seated_game, **{"n": 1, name: wrong})
    for wrong_policy in (0, None, b"uniform", ["uniform"]):
        with pytest.raises(tc.ArgumentTypeError):
            engine.playouts(seated_game, 1, policy=wrong_policy)
    for other in (None, "indigo", 1, seated_game.name, object(), tc.Rng(0)):
        with pytest.raises(tc.ArgumentTypeError):
            engine.playouts(other, 1)
        with pytest.raises(tc.ArgumentTypeError):
            engine.perft(other, 1)
    with pytest.raises(tc.ArgumentTypeError):
        engine.perft(seated_game, 1)


def test_perft_refuses_wrong_depths(engine: ModuleType, seated_game: Game) -> None:
    state = seated_game.new_initial_state()
    for depth in (-1, -HUGE, HUGE):
        with pytest.raises(tc.ArgumentError):
            engine.perft(state, depth)
    for wrong in ("1", 1.0, None):
        with pytest.raises(tc.ArgumentTypeError):
            engine.perft(state, wrong)


def refusal(call: Callable[..., object], *arguments: object, **named: object) -> str:
    """Give the sentence with which a call is refused."""
    with pytest.raises(tc.ArgumentError) as caught:
        call(*arguments, **named)
    assert type(caught.value) is tc.ArgumentError
    return str(caught.value)


def test_both_engines_have_the_same_limits(engine: ModuleType) -> None:
    over = end(engine.load_game("indigo"), seed=1)
    play, count = engine.playouts, engine.perft

    assert len(play(over, 0, threads=1024).lengths) == 0
    assert refusal(play, over, 0, threads=1025) == "threads is 1025; it must be 1..1024"
    # Who complains about the threads has taken the number of playouts, without playing them.
    assert refusal(play, over, 2**32, threads=0) == "threads is 0; it must be 1..1024"
    too_many = refusal(play, over, 2**32 + 1, threads=0)
    assert too_many == "n is 4294967297; it must be 0..4294967296"
    assert refusal(play, over, -1) == "n is -1; it must be 0..4294967296"

    assert len(play(over, 0, seed=2**64 - 1).lengths) == 0
    assert refusal(play, over, 0, seed=-1) == "seed is -1; it must be 0..2**64-1"
    assert refusal(engine.Rng, 2**64) == "seed is 18446744073709551616; it must be 0..2**64-1"
    assert refusal(engine.Rng(1).below, 0) == "n is 0; it must be 1..2**64-1"

    assert count(over, 10_000) == tc.Perft(0, 0, 0)
    assert refusal(count, over, 10_001) == "depth is 10001; it must be 0..10000"
    assert refusal(count, over, -1) == "depth is -1; it must be 0..10000"


def test_states_of_the_other_engine_are_no_states_here(seating: Configuration) -> None:
    native, reference = seating.load(NATIVE), seating.load(REFERENCE)
    for engine, foreign in ((NATIVE, reference), (REFERENCE, native)):
        with pytest.raises(tc.ArgumentTypeError):
            engine.playouts(foreign, 1)
        with pytest.raises(tc.ArgumentTypeError):
            engine.perft(foreign.new_initial_state(), 1)
    assert native != reference
    assert native.new_initial_state() != reference.new_initial_state()


# Every way to an object that bypasses its making, in a process of its own, as it may not live through it.
HALF_MADE = """
import copyreg, pickle
import tabletop_core as tc
state = tc.load_game({game!r}).new_initial_state()
game = state.get_game()
things = dict(Game=game, State=state, Rng=tc.Rng(1), Batch=tc.Batch(game, 2))

def refused(make):
    try:
        made = make()
    except (TypeError, AttributeError, pickle.UnpicklingError):
        return
    raise SystemExit(f"made {{made!r}}")

for name, thing in things.items():
    kind = type(thing)
    refused(lambda: kind.__new__(kind))
    refused(lambda: kind.__new__(kind, thing))
    for base in kind.__mro__[1:]:
        refused(lambda: base.__new__(kind))
    refused(lambda: copyreg.__newobj__(kind))
    refused(lambda: copyreg._reconstructor(kind, object, None))
    refused(lambda: pickle.loads(b"\\x80\\x02ctabletop_core._core\\n" + name.encode() + b"\\n)\\x81."))
    refused(lambda: type("Child", (kind,), {{}}))
    refused(lambda: kind())
    refused(lambda: thing.__setstate__({{}}))
    refused(lambda: pickle.loads(pickle.dumps(thing, 2)[:-1] + b"}}b.").__setstate__)
    refused(lambda: setattr(kind, "__new__", object.__new__))
    refused(lambda: setattr(thing, "attribute", 1))
    for other in (*things.values(), object(), 1, None):
        if type(other) is not kind:
            refused(lambda: setattr(thing, "__class__", type(other)))
            for method in vars(kind).values():
                if callable(method):
                    refused(lambda: method(other))
print("done")
"""


@pytest.mark.parametrize("name", tc.registered_games())
def test_there_are_no_half_made_objects(name: str) -> None:
    result = run_python(HALF_MADE.format(game=name))
    assert (result.returncode, result.stdout.strip()) == (0, "done"), result.stderr


def test_states_and_games_are_not_made_by_hand() -> None:
    for kind in (tc.Game, tc.State):
        for make in (kind, lambda kind=kind: kind.__new__(kind)):
            with pytest.raises(TypeError, match="load_game"):
                make()


def test_a_generator_is_made_with_its_seed() -> None:
    kind: Any = tc.Rng
    assert kind.__new__(kind, 7) == kind(7) == kind(seed=7)
    with pytest.raises(TypeError, match="seed"):
        kind.__new__(kind)
    rng = kind(7)
    rng.__init__(8)
    assert rng == kind(7)


OLD_PICKLES = """
import pickle
import tabletop_core as tc
from tests.engines import ENGINES
game = ENGINES[{engine!r}].load_game({game!r}, **{options!r})
for thing in (game, game.new_initial_state(), ENGINES[{engine!r}].Rng(3)):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(thing, protocol)) == thing
print("done")
"""


@pytest.mark.parametrize("name", ENGINES)
def test_every_protocol_of_pickle_works(name: str) -> None:
    seating = seatings()[0]
    code = OLD_PICKLES.format(engine=name, game=seating.game, options=dict(seating.options))
    result = run_python(code)
    assert (result.returncode, result.stdout.strip()) == (0, "done"), result.stderr


NATIVE_STORM = """
import gc, pickle, random
import numpy as np
import tabletop_core as tc
from tests.walks import end, finish, first_decision, positions
chance = random.Random(5)
game = tc.load_game({game!r}, **{options!r})
methods = [name for name in dir(tc.State) if not name.startswith("__") or name in ("__copy__", "__deepcopy__", "__reduce__", "__eq__", "__hash__")]
game_methods = [name for name in dir(tc.Game) if not name.startswith("__")]
junk = [None, True, -1, 0, 1, 2, 2**31, 2**63, -2**63, 2**64, 2**100, 0.5, float("nan"), "", "x", "\\ud800", b"", b"x", [], [0], (), {{}}, object(),
        np.zeros(3), np.zeros(0), np.array(1), tc.Rng(1), tc.Rng, game, tc.State, lambda: 0.5, lambda: 2.0, print, game.new_initial_state()]
calls = 0
for state in positions(game, 15):
    for name in methods:
        for count in (0, 1, 2, 3):
            for _ in range(6):
                arguments = [chance.choice(junk) for _ in range(count)]
                clone = state.clone()
                before = clone.to_bytes()
                try:
                    getattr(clone, name)(*arguments)
                except (tc.TabletopError, TypeError, ValueError) as error:
                    assert str(error)
                    assert clone.to_bytes() == before, (name, arguments)
                calls += 1
for name in game_methods:
    for count in (0, 1, 2):
        for _ in range(40):
            arguments = [chance.choice(junk) for _ in range(count)]
            member = getattr(game, name)
            if callable(member):
                try:
                    member(*arguments)
                except (tc.TabletopError, TypeError, ValueError) as error:
                    assert str(error)
                calls += 1
batch_methods = [name for name in dir(tc.Batch) if not name.startswith("__") or name in ("__copy__", "__deepcopy__", "__getitem__", "__setitem__")]
batch = tc.Batch(game, 3, threads=2)
junk += [[0, 1, 2], [-1, 0, 2**63], np.arange(3), np.zeros(3, np.int32), np.zeros(3, np.bool_), batch, batch.current_players, batch.states]
for name in batch_methods:
    for count in (0, 1, 2, 3):
        for _ in range(100):
            arguments = [chance.choice(junk) for _ in range(count)]
            before = pickle.dumps(batch)
            member = getattr(batch, name)
            if callable(member):
                try:
                    member(*arguments)
                except (tc.TabletopError, TypeError, ValueError) as error:
                    assert str(error)
                    assert pickle.dumps(batch) == before, (name, arguments)
                calls += 1
junk.remove(2**31)  # a number of playouts that would take a while
for function in (tc.load_game, tc.game_options, tc.playouts, tc.perft, tc.Rng, tc.Batch):
    for count in (0, 1, 2, 3):
        for _ in range(40):
            arguments = [chance.choice(junk) for _ in range(count)]
            try:
                function(*arguments)
            except (tc.TabletopError, TypeError, ValueError) as error:
                assert str(error)
            calls += 1
gc.collect()
print("done", calls > 1000)
"""


@pytest.mark.parametrize("name", tc.registered_games())
def test_no_call_with_any_argument_crashes_the_process(name: str) -> None:
    # With the most seats there are: which number of them it is makes no difference to a call.
    *_, seating = (seating for seating in seatings() if seating.game == name)
    result = run_python(NATIVE_STORM.format(game=seating.game, options=dict(seating.options)))
    assert (result.returncode, result.stdout.strip()) == (0, "done True"), result.stderr


PICKLES_OF_LIARS = """
import pickle
import tabletop_core as tc
game = tc.load_game({game!r}, **{options!r})
state = game.new_initial_state()
for thing in (game, state, tc.Rng(3), tc.Batch(game, 1)):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        data = pickle.dumps(thing, protocol)
        for place in range(len(data)):
            for change in (1, 128):
                changed = data[:place] + bytes([data[place] ^ change]) + data[place + 1:]
                if b"tabletop_core" not in changed:
                    continue
                try:
                    pickle.loads(changed)
                except Exception:
                    pass
print("done")
"""


def test_damaged_pickles_do_not_crash_the_process() -> None:
    seating = seatings()[0]
    result = run_python(PICKLES_OF_LIARS.format(game=seating.game, options=dict(seating.options)))
    assert (result.returncode, result.stdout.strip()) == (0, "done"), result.stderr


def test_errors_at_every_kind_of_node_leave_random_games_as_they_are(seated_game: Game) -> None:
    quiet = finish(seated_game.new_initial_state(), tc.Rng(8))
    state, rng = seated_game.new_initial_state(), tc.Rng(8)
    while not state.is_terminal():
        for call, argument in (
            (state.apply_action, HUGE),
            (state.observation_string, -7),
            (state.child, -1),
        ):
            with pytest.raises(tc.TabletopError):
                call(argument)
        step(state, rng)
    assert state == quiet


def test_messages_are_sentences_of_bearable_length(engine: ModuleType, seated_game: Game) -> None:
    state = first_decision(seated_game)
    calls: list[tuple[Any, Any]] = [
        (state.apply_action, 10**5000),
        (state.observation_string, 10**5000),
        (seated_game.action_from_string, "x" * 10**6),
        (seated_game.state_from_dict, ["x" * 10**6]),
        (engine.load_game, "x" * 10**6),
    ]
    for call, argument in calls:
        with pytest.raises(tc.TabletopError) as caught:
            call(argument)
        assert 20 < len(str(caught.value)) < 2_000


def test_positions_cover_every_kind_of_node(seated_game: Game) -> None:
    assert decisions(seated_game, 60)
    assert chances(seated_game, 60)
