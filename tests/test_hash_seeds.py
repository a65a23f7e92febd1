"""Same game, options, seed and actions: same states, texts, bytes and hashes, in every process."""

from __future__ import annotations

from functools import cache

import pytest

from tests.configurations import seatings
from tests.engines import ENGINES
from tests.walks import run_python

NODES = 40

# What the digest covers would differ if anything depended on the order of a set, on an address or on the clock.
DIGEST = """
import hashlib, json
from itertools import islice
from tests.engines import ENGINES
from tests.walks import walk
import tabletop_core as tc
engine = ENGINES[{engine!r}]
seen = hashlib.sha256()
for name, options in {games!r}:
    game = engine.load_game(name, **options)
    seen.update(repr(game).encode())
    seen.update(repr([spec.name for spec in engine.game_options(name)]).encode())
    for state in islice(walk(game, seed=73), {nodes}):
        seen.update(state.to_bytes())
        seen.update(json.dumps(state.to_dict()).encode())
        seen.update(str(state).encode())
        seen.update(repr(state.legal_actions()).encode())
        seen.update(repr([state.action_to_string(action) for action in state.legal_actions()]).encode())
        seen.update(repr(state.stable_hash()).encode())
        for seat in range(game.num_players()):
            seen.update(state.observation_string(seat).encode())
            seen.update(state.observation_tensor(seat).tobytes())
            seen.update(state.resample_from_infostate(seat, tc.Rng(seat)).to_bytes())
        if state.is_chance_node():
            seen.update(repr(state.chance_outcomes()).encode())
    result = engine.playouts(game, 2, seed=5)
    for field in ("returns", "scores", "lengths", "final_hashes"):
        seen.update(getattr(result, field).tobytes())
print(seen.hexdigest())
"""


@cache
def digest(engine: str, hash_seed: str) -> str:
    """Play every game in a fresh process and give one hash over everything that was to be seen."""
    games = [(seating.game, dict(seating.options)) for seating in seatings()]
    result = run_python(
        DIGEST.format(engine=engine, games=games, nodes=NODES),
        environment={"PYTHONHASHSEED": hash_seed},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@pytest.mark.fault("A073")
@pytest.mark.parametrize("name", ENGINES)
def test_nothing_depends_on_the_hash_seed(name: str) -> None:
    assert len({digest(name, seed) for seed in ("0", "1", "random")}) == 1


@pytest.mark.fault("A073")
def test_both_engines_show_the_same_in_any_process() -> None:
    assert digest("native", "0") == digest("reference", "1")
