"""Alternative histories: a game and its twin that differ in what one seat does not see look the same to that seat all along."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

import tabletop_core as tc
from tests.configurations import variants
from tests.engines import NATIVE, effort
from tests.walks import after, hides_something

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State
    from tests.configurations import Configuration

SHOWS_A_HAND = "dump hand"
"""The one decision that shows more than its text says: the cards lie on the pile, where all can see them."""


@dataclass
class Course:
    """What became of twins, in nodes."""

    differing: int = 0
    """Where the positions differ."""
    hidden_outcomes: int = 0
    """Where the twin takes an outcome of its own."""
    longest: int = 0
    """Without a new twin, from where the positions differ."""


def seen(state: State, seat: int) -> tuple[object, ...]:
    """Take everything that a seat is shown of a position."""
    return (
        state.current_player(),
        state.observation_tensor(seat).tobytes(),
        state.observation_string(seat),
        state.legal_actions(seat),
        state.legal_actions_mask(seat).tobytes(),
        state.scores().tolist(),
        state.returns().tolist(),
    )


def pick(actions: list[int], rng: tc.Rng) -> int:
    """Choose one of the ids."""
    return actions[rng.below(len(actions))]


def play_with_a_twin(start: State, seat: int, most: int, course: Course) -> None:
    """Play on at random, and beside it a twin in which all that the seat sees happen happens as well, and the rest otherwise.

    Where the twin cannot do what happens, because another seat does not hold it there, a new twin takes its place.
    """
    rng = tc.Rng(seat)
    state = start.clone()
    twin, followed = state.resample_from_infostate(seat, rng), 0
    for _ in range(most):
        assert seen(twin, seat) == seen(state, seat)
        differs = twin.to_bytes() != state.to_bytes()
        followed += differs
        course.differing += differs
        course.longest = max(course.longest, followed)
        if state.is_terminal():
            return

        here, there = state.legal_actions(), twin.legal_actions()
        common = sorted(set(here).intersection(there))
        action = other = pick(common or here, rng)
        told = state.observed_action_to_string(seat, action)
        if told != state.action_to_string(action):
            action = pick(here, rng)
            other = pick([outcome for outcome in there if outcome != action] or there, rng)
            course.hidden_outcomes += other != action
        assert twin.observed_action_to_string(seat, other) == told

        follows = other in there
        if follows:
            twin.apply_action(other)
            follows = not told.endswith(SHOWS_A_HAND) or state.current_player() == seat
        state.apply_action(action)
        # Who acts next is public, and may follow from what the others hold.
        if not follows or twin.current_player() != state.current_player():
            twin, followed = state.resample_from_infostate(seat, rng), 0


def test_what_a_seat_does_not_see_changes_nothing_for_it(
    engine: ModuleType, seating: Configuration
) -> None:
    start, course = seating.load(engine).new_initial_state(), Course()
    for seat in range(start.num_players()):
        play_with_a_twin(start, seat, effort(engine, native=300, reference=40), course)
    if hides_something(seating.load(NATIVE)):
        assert course.hidden_outcomes > 20
        assert course.differing > course.hidden_outcomes
        assert course.longest >= 3
    else:
        assert course.differing == course.hidden_outcomes == 0


@pytest.mark.parametrize("variant", variants(), ids=str)
def test_nor_does_it_under_any_option(engine: ModuleType, variant: Configuration) -> None:
    start = after(variant.load(engine), 30)
    last = start.num_players() - 1
    play_with_a_twin(start, last, effort(engine, native=100, reference=10), Course())
