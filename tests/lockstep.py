"""Play both engines side by side and compare everything they show, node by node."""

from __future__ import annotations

import marshal
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

import tabletop_core as tc
from tests.engines import NATIVE, REFERENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabletop_core.protocol import Game, State
    from tests.configurations import Configuration

SHOWN_CHARACTERS = 600

# What a game can go on by, and the whole position as bytes: compared at every node.
AT_EVERY_NODE: list[tuple[str, Callable[[State], Any]]] = [
    ("current_player()", lambda state: state.current_player()),
    ("to_bytes()", lambda state: state.to_bytes()),
]

# Both engines divide the same two integers, so the floats are equal to the last bit.
AT_EVERY_CHANCE_NODE: list[tuple[str, Callable[[State], Any]]] = [
    ("chance_outcomes()", lambda state: state.chance_outcomes()),
]

AT_EVERY_OTHER_NODE: list[tuple[str, Callable[[State], Any]]] = [
    ("legal_actions()", lambda state: state.legal_actions()),
]

# What else there is to see of these bytes: each engine computes it from the position alone.
IN_TURN: list[tuple[str, Callable[[State], Any]]] = [
    ("is_terminal()", lambda state: state.is_terminal()),
    ("is_chance_node()", lambda state: state.is_chance_node()),
    ("is_truncated()", lambda state: state.is_truncated()),
    ("legal_actions_mask().tobytes()", lambda state: state.legal_actions_mask().tobytes()),
    # These bytes also show the order of keys and tell True from 1, as `repr` does, in a fifth of its time.
    ("repr(to_dict())", lambda state: marshal.dumps(state.to_dict(), MARSHAL_WITHOUT_REFERENCES)),
    ("str(state)", str),
    ("stable_hash()", lambda state: state.stable_hash()),
    ("scores().tolist()", lambda state: state.scores().tolist()),
    ("returns().tolist()", lambda state: state.returns().tolist()),
    ("winners()", lambda state: state.winners()),
    # All texts of a game are compared beside the games; here it matters whether they are those of decisions or of chance.
    (
        "strings of the legal actions",
        lambda state: (
            legal := state.legal_actions(),
            [state.action_to_string(action) for action in legal[::20]],
        ),
    ),
]

OF_A_SEAT_IN_TURN: list[tuple[str, Callable[[State, int], Any]]] = [
    ("observation_string({seat})", lambda state, seat: state.observation_string(seat)),
    (
        "observation_tensor({seat}).tobytes()",
        lambda state, seat: state.observation_tensor(seat).tobytes(),
    ),
    ("legal_actions({seat})", lambda state, seat: state.legal_actions(seat)),
    # Here it matters whether the seat sees what comes; the texts that it is told otherwise are those above.
    (
        "observed_action_to_string({seat}, legal_actions()[0])",
        lambda state, seat: [
            state.observed_action_to_string(seat, action) for action in state.legal_actions()[:1]
        ],
    ),
]

MARSHAL_WITHOUT_REFERENCES = 2
"""Later versions of the format also tell whether two equal parts of a value are one object."""

PERIOD = 32
"""Unless all is compared everywhere, each query of what is asked in turn waits for every so many nodes."""

RESAMPLED = 3
DRAWN = 4
"""When it is the turn of resampled positions, and of the outcomes that are drawn."""


@dataclass(frozen=True)
class Difference:
    """Where and how the two engines parted."""

    configuration: Configuration
    actions: tuple[int, ...]
    """Everything played from the initial state to the node that differs."""
    query: str
    native: object
    reference: object

    def __str__(self) -> str:
        """Say what differs and how to see it again."""
        return "\n".join(
            [
                f"{self.configuration} differs in {self.query} after {len(self.actions)} nodes:",
                f"  native:    {_short(self.native)}",
                f"  reference: {_short(self.reference)}",
                "replay:",
                replay_script(self),
            ]
        )


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return (
        text
        if len(text) <= SHOWN_CHARACTERS
        else f"{text[:SHOWN_CHARACTERS]}... ({len(text)} characters)"
    )


def compare(
    native: State, reference: State, node: int, *, everything: bool = True
) -> tuple[str, object, object] | None:
    """Compare all that two states show; give the first query that differs and both answers.

    With `everything` all is asked, and of every seat. Without it, some queries wait for their turn among the nodes, and what a seat
    knows is asked of one seat; at the end of a game nothing waits.
    """
    everything = everything or native.is_terminal()
    queries = [
        *AT_EVERY_NODE,
        *(AT_EVERY_CHANCE_NODE if native.is_chance_node() else AT_EVERY_OTHER_NODE),
        *(IN_TURN if everything else IN_TURN[node % PERIOD :: PERIOD]),
    ]
    for query, ask in queries:
        if (answer := ask(native)) != (expected := ask(reference)):
            if query.startswith("repr("):
                return query, repr(native.to_dict()), repr(reference.to_dict())
            return query, answer, expected
    players = native.num_players()
    seat = node // PERIOD % players
    of_a_seat = OF_A_SEAT_IN_TURN if everything else OF_A_SEAT_IN_TURN[node % PERIOD :: PERIOD]
    for name, look in of_a_seat:
        for observer in range(players) if everything else (seat,):
            if (answer := look(native, observer)) != (expected := look(reference, observer)):
                return name.format(seat=observer), answer, expected
    if everything or node % PERIOD == RESAMPLED:
        answer = native.resample_from_infostate(seat, tc.Rng(node)).to_bytes()
        expected = reference.resample_from_infostate(seat, tc.Rng(node)).to_bytes()
        if answer != expected:
            return f"resample_from_infostate({seat}, Rng({node})).to_bytes()", answer, expected
    return None


def _without_check(reference: Any) -> Callable[[int], None]:
    """Give what applies an action to a state of the reference as its playouts do, without listing the legal ones once more."""
    return lambda action: reference._rules.apply(reference._position, action)


@lru_cache(maxsize=1)
def _loaded(configuration: Configuration) -> tuple[Game, Game]:
    """Load the game in both engines; many games of one configuration follow each other."""
    return configuration.load(NATIVE), configuration.load(REFERENCE)


def play_in_lockstep(
    configuration: Configuration, number: int, seed: int, *, everything: bool = True
) -> Difference | None:
    """Play the uniformly random game of `Rng(seed).split(number)` in both engines and compare them at every node."""
    native, reference = (game.new_initial_state() for game in _loaded(configuration))
    apply_to_reference = reference.apply_action if everything else _without_check(reference)
    rng = tc.Rng(seed).split(number)
    actions: list[int] = []
    while True:
        # What is asked in turn starts elsewhere in each game, so that it meets all nodes that every game has.
        node = len(actions) + number
        found = compare(native, reference, node, everything=everything)
        if found is not None:
            return Difference(configuration, tuple(actions), *found)
        if native.is_terminal():
            return None
        if native.is_chance_node():
            before = rng.__copy__()
            action = native.sample_chance(rng)
            if everything or node % PERIOD == DRAWN:
                query = f"sample_chance(Rng({before.state}))"
                expected = reference.sample_chance(before)
                if action != expected or rng != before:
                    return Difference(configuration, tuple(actions), query, action, expected)
        else:
            legal = native.legal_actions()
            action = legal[rng.below(len(legal))]
        native.apply_action(action)
        apply_to_reference(action)
        actions.append(action)


def compare_playouts(configuration: Configuration, count: int, seed: int) -> Difference | None:
    """Play the same random games to their ends in both engines and compare all results.

    The first game that ends differently is played again in lockstep to find the node.
    """
    games = _loaded(configuration)
    native, reference = (
        engine.playouts(game, count, seed=seed)
        for engine, game in zip((NATIVE, REFERENCE), games, strict=True)
    )
    for name in ("lengths", "scores", "returns", "final_hashes"):
        ours, theirs = getattr(native, name), getattr(reference, name)
        if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
            shapes = (f"{ours.dtype} {ours.shape}", f"{theirs.dtype} {theirs.shape}")
            return Difference(configuration, (), f"playouts(...).{name}", *shapes)
        unequal = np.flatnonzero((ours != theirs).reshape(count, -1).any(axis=1))
        if unequal.size:
            game = int(unequal[0])
            node = play_in_lockstep(configuration, game, seed)
            query = f"playouts(game, {game + 1}, seed={seed}).{name}[{game}]"
            return node or Difference(configuration, (), query, ours[game], theirs[game])
    return None


def replay_script(difference: Difference) -> str:
    """Write the shortest script that shows the difference: from the position before it where that is enough."""
    configuration = difference.configuration
    actions = list(difference.actions)
    start = "game.new_initial_state()"
    parent = _parent_bytes(difference)
    if parent is not None:
        start = f"game.state_from_bytes(bytes.fromhex({parent.hex()!r}))"
        actions = actions[-1:]
    query = difference.query
    call = query if query.startswith("str(") else f"state.{query}"
    if query.startswith("repr("):
        call = query.replace("repr(", "repr(state.", 1)
    if query.startswith("strings"):
        call = "[state.action_to_string(action) for action in state.legal_actions()[::20]]"
    if query.startswith("playouts"):
        call = f"engine.{query}"
    call = call.replace("Rng(", "tc.Rng(")
    return "\n".join(
        [
            "import tabletop_core as tc",
            "",
            "for engine in (tc, tc.reference):",
            f"    game = engine.load_game({configuration.game!r}, **{dict(configuration.options)!r})",
            f"    state = {start}",
            f"    for action in {actions!r}:",
            "        state.apply_action(action)",
            f"    print({call})",
        ]
    )


def _parent_bytes(difference: Difference) -> bytes | None:
    """Give the bytes of the position before the difference if replaying its last action from there shows it as well."""
    if not difference.actions:
        return None
    states = []
    for engine in (NATIVE, REFERENCE):
        game = difference.configuration.load(engine)
        state = game.new_initial_state()
        for action in difference.actions[:-1]:
            state.apply_action(action)
        restored = game.state_from_bytes(state.to_bytes())
        restored.apply_action(difference.actions[-1])
        states.append((state.to_bytes(), restored))
    (native_bytes, native), (reference_bytes, reference) = states
    if (
        native_bytes != reference_bytes
        or compare(native, reference, len(difference.actions)) is None
    ):
        return None
    return bytes(native_bytes)
