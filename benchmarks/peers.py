"""The peers' rows of the board: as fast as each lets a Python user play at random, with its own means.

Peers come from the extra `peers`. None of them has type stubs, and each may be missing.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import random
import sys
import time
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.calls import SEED, Draw, loop, play, single_calls
from benchmarks.measure import Row, Spent, timed
from benchmarks.ours import LANES, STATEMENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.measure import Work
    from tabletop_core.protocol import State

PACKAGES = ("open_spiel", "pgx", "jax", "envpool", "rlcard", "catanatron")

SAMPLED_SECONDS = 0.5
"""CPU seconds of random games from which the mean length of a game is taken."""


def versions() -> dict[str, str]:
    """Give the versions of those packages that are installed."""
    found = {}
    for package in PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def rows() -> Iterator[Row]:
    """Give the rows of all peers that are installed, and say which are missing."""
    for name, peer in PEERS.items():
        print(f"setting up {name}", file=sys.stderr)
        try:
            yield from peer()
        except ImportError:
            print(f"{name}: missing", file=sys.stderr)


def open_spiel() -> Iterator[Row]:
    """OpenSpiel: rollouts in C++, a Python loop, single calls."""
    pyspiel = importlib.import_module("pyspiel")
    rng = random.Random(SEED)

    def draw(state: State) -> int:
        outcomes: tuple[int, ...]
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        return rng.choices(outcomes, weights)[0]

    for name in OPEN_SPIEL:
        game = pyspiel.load_game(name)
        start = game.new_initial_state()
        while start.is_chance_node():
            start.apply_action(draw(start))
        length = _mean_length(partial(_length_from, start, draw, rng))
        statements = {
            column: STATEMENTS[column]
            for column in ("current_player", "is_terminal", "legal_actions", "clone")
        }
        if game.get_type().provides_observation_tensor:
            statements["observation"] = STATEMENTS["observation"]
        if name in RESAMPLES:
            statements["resample"] = STATEMENTS["resample"]
        yield Row(
            "OpenSpiel",
            name,
            {
                "playout": _rollouts(pyspiel, game, start, length),
                "loop": loop(game, draw),
                **single_calls(game, draw, statements, rng=rng.random),
            },
            {"decisions_per_game": length},
        )


FAST = ("hearts", "crazy_eights", "go_fish", "hex", "connect_four")
"""Games of OpenSpiel whose chance nodes, if any, have few outcomes."""

CHANCE = ("backgammon", "gin_rummy", "yacht")
"""Those with chance nodes of many outcomes, or many of them."""

OPEN_SPIEL = (*FAST, *CHANCE)

RESAMPLES = ("gin_rummy", "hearts")
"""Those with hidden information that can deal it again; where nothing is hidden, that is a clone."""


def _length_from(start: Any, draw: Draw, rng: random.Random) -> int:
    return len(play(start.clone(), draw, rng))


def _rollouts(pyspiel: Any, game: Any, start: Any, length: float) -> Work:
    """Measure the random rollouts in C++, which can be had through the tree search alone and do not tell how long they were.

    A search of one simulation does nothing but evaluate its root, which has to be a decision: the first one. So dealing is not
    counted.
    """

    rng = random.Random(SEED)

    def work(games: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(games, rng.randrange(2**31))
        pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, SEED, False).mcts_search(start)
        return games * length

    return timed(work)


def _mean_length(game_length: Callable[[], int]) -> float:
    """Play for a while and give the mean number of decisions of a game."""
    lengths = []
    start = time.process_time()
    while time.process_time() - start < SAMPLED_SECONDS:
        lengths.append(game_length())
    return sum(lengths) / len(lengths)


def pgx() -> Iterator[Row]:
    """Give the rows of pgx: lanes in one compiled function that also draws the actions; it always observes."""
    # One core for all, as for the others.
    os.environ.setdefault(
        "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    )
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax = importlib.import_module("jax")
    make = importlib.import_module("pgx").make
    auto_reset = importlib.import_module("pgx.experimental").auto_reset
    for name in ("connect_four", "hex", "backgammon"):
        yield Row("pgx", name, {"batch_observed": _compiled(jax, make(name), auto_reset)})


def _compiled(jax: Any, env: Any, auto_reset: Any) -> Work:
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(states: Any, key: Any) -> Any:
        key, draws, moves = jax.random.split(key, 3)
        logits = jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(draws, logits)
        return step(states, actions, jax.random.split(moves, LANES)), key

    advance = jax.jit(advance)
    key = jax.random.PRNGKey(SEED)
    lanes = advance(jax.jit(jax.vmap(env.init))(jax.random.split(key, LANES)), key)

    def work(steps: int) -> float:
        nonlocal lanes
        for _ in range(steps):
            lanes = advance(*lanes)
        jax.block_until_ready(lanes)
        return steps * LANES

    return timed(work)


def envpool() -> Iterator[Row]:
    """EnvPool: `step`, which brings mask and observation; drawing the actions is not counted."""
    make = importlib.import_module("envpool").make
    for game in ("ConnectFour", "Hex", "Backgammon"):
        env = make(f"{game}-v1", env_type="gymnasium", num_envs=POOL, num_threads=1, seed=SEED)
        yield Row("EnvPool", game, {"batch_observed": _pooled(env)})


POOL = 256
"""Lanes of EnvPool: with more of them a step costs more."""


def _pooled(env: Any) -> Work:
    rng = np.random.default_rng(SEED)
    _, info = env.reset()

    def run(steps: int) -> Spent:
        nonlocal info
        seconds = 0.0
        for _ in range(steps):
            mask = info["legal_action_mask"]
            actions = (mask * rng.random(mask.shape)).argmax(axis=1).astype(np.int32)
            start = time.process_time()
            info = env.step(actions)[-1]
            seconds += time.process_time() - start
        return Spent(steps * POOL, seconds)

    return run


def rlcard() -> Iterator[Row]:
    """RLCard: `run` with its random agents."""
    make = importlib.import_module("rlcard").make
    agent = importlib.import_module("rlcard.agents").RandomAgent
    for game in ("gin-rummy", "uno", "mahjong", "limit-holdem"):
        env = make(game, config={"seed": SEED})
        env.set_agents([agent(env.num_actions) for _ in range(env.num_players)])
        yield _pure_python("RLCard", game, partial(_run_of, env))


def _run_of(env: Any) -> int:
    before = env.timestep
    env.run()
    return int(env.timestep - before)


def catanatron() -> Iterator[Row]:
    """Catanatron: `Game.play` with two of its random players."""
    module = importlib.import_module("catanatron")
    rng = random.Random(SEED)

    def play_one() -> int:
        players = [module.RandomPlayer(colour) for colour in (module.Color.RED, module.Color.BLUE)]
        game = module.Game(players, seed=rng.randrange(2**32))
        game.play()
        return len(game.state.actions)

    yield _pure_python("Catanatron", "catan, 2 players", play_one)


def _pure_python(engine: str, game: str, play_one: Callable[[], int]) -> Row:
    """Give the row of an engine that has a call for playing a game."""
    return Row(
        engine,
        game,
        {"playout": timed(lambda games: sum(play_one() for _ in range(games)))},
        {"decisions_per_game": _mean_length(play_one)},
    )


PEERS: dict[str, Callable[[], Iterator[Row]]] = {
    "OpenSpiel": open_spiel,
    "pgx": pgx,
    "EnvPool": envpool,
    "RLCard": rlcard,
    "Catanatron": catanatron,
}
