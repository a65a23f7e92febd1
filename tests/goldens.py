"""Golden figures of every game: node counts, one hash over a thousand random games, and a vector, which C++ computes again.

    python -m tests.goldens

writes `tests/goldens/<game>.json` from the native engine. Figures that are stored move only with the version of their game: while a
version stands, the command adds what is missing and refuses to change anything.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tabletop_core as tc
from tests.configurations import Configuration, configurations, seatings
from tests.engines import NATIVE
from tests.walks import after, first_decision, walk

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import State

FOLDER = Path(__file__).parent / "goldens"
PLAYOUTS = 1_000
GAMES_OF_A_VECTOR = 3
SEED = 1
MOST_NODES = 300_000
DEEPEST = 12
PLIES_OF_A_LATER_POSITION = 60

Golden = dict[str, Any]


def path_of(game: str) -> Path:
    """Give the file of a game's golden figures."""
    return FOLDER / f"{game}.json"


def read(game: str) -> Golden:
    """Read the stored figures of a game."""
    stored: Golden = json.loads(path_of(game).read_text(encoding="utf-8"))
    return stored


def signature(configuration: Configuration, threads: int = 1) -> str:
    """Give one hash over the last positions of a thousand random games."""
    game = configuration.load(NATIVE)
    hashes = NATIVE.playouts(game, PLAYOUTS, seed=SEED, threads=threads).final_hashes
    return hashlib.sha256(hashes.astype("<u8").tobytes()).hexdigest()


def vector(configuration: Configuration, engine: ModuleType) -> list[Any]:
    """Give the options, and a CRC-32 over all results of a few random games and over the positions of another one."""
    game = configuration.load(engine)
    games = engine.playouts(game, GAMES_OF_A_VECTOR, seed=SEED)
    parts = [
        games.lengths.astype("<i8").tobytes(),
        games.scores.astype("<i8").tobytes(),
        games.returns.astype("<f8").tobytes(),
        games.final_hashes.astype("<u8").tobytes(),
    ]
    for state in walk(game, SEED):
        parts.append(state.stable_hash().to_bytes(8, "little"))
    parts.append(state.to_bytes())
    options = json.loads(json.dumps(dict(configuration.options)))
    return [options, f"{zlib.crc32(b''.join(parts)):08x}"]


def starts(configuration: Configuration) -> dict[str, State]:
    """Give the positions whose nodes are counted."""
    game = configuration.load(tc)
    return {
        "start": game.new_initial_state(),
        "first decision": first_decision(game, SEED),
        f"after {PLIES_OF_A_LATER_POSITION} nodes": after(game, PLIES_OF_A_LATER_POSITION, SEED),
    }


def counts(state: State) -> list[list[int]]:
    """Count decision, chance and terminal nodes depth by depth, as long as there are not too many."""
    rows: list[list[int]] = []
    for depth in range(DEEPEST + 1):
        # The next depth has about as many times more nodes as this one had.
        growth = sum(rows[-1]) / max(sum(rows[-2]), 1) if depth > 1 else len(state.legal_actions())
        if rows and sum(rows[-1]) * growth > MOST_NODES:
            break
        nodes = list(NATIVE.perft(state, depth))
        if not sum(nodes):
            break
        rows.append(nodes)
    return rows


def computed(game: str) -> Golden:
    """Compute all figures of a game."""
    return {
        "game": game,
        "version": tc.load_game(game).version,
        "perft": {
            str(seating): {name: counts(state) for name, state in starts(seating).items()}
            for seating in seatings()
            if seating.game == game
        },
        "signatures": {
            str(configuration): signature(configuration)
            for configuration in configurations()
            if configuration.game == game
        },
        "vectors": {
            str(configuration): vector(configuration, NATIVE)
            for configuration in configurations()
            if configuration.game == game
        },
    }


def changed(stored: Golden, new: Golden) -> list[str]:
    """List the figures that are stored and would come out differently now."""
    return [
        f"{kind} of {name}"
        for kind in ("perft", "signatures", "vectors")
        for name, figure in stored[kind].items()
        if name in new[kind] and new[kind][name] != figure
    ]


def as_text(golden: Golden) -> str:
    """Write figures so that a change shows as few changed lines: one line for each list of counts."""
    lines = []
    for seating, positions in golden["perft"].items():
        rows = ",\n".join(
            f"      {json.dumps(name)}: {json.dumps(rows)}" for name, rows in positions.items()
        )
        lines.append(f"    {json.dumps(seating)}: {{\n{rows}\n    }}")
    perft = ",\n".join(lines)
    signatures, vectors = (
        ",\n".join(
            f"    {json.dumps(name)}: {json.dumps(figure)}" for name, figure in golden[kind].items()
        )
        for kind in ("signatures", "vectors")
    )
    return (
        f'{{\n  "game": {json.dumps(golden["game"])},\n  "version": {json.dumps(golden["version"])},\n'
        f'  "perft": {{\n{perft}\n  }},\n  "signatures": {{\n{signatures}\n  }},\n'
        f'  "vectors": {{\n{vectors}\n  }}\n}}\n'
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 1 if a figure would change although its game's version stands."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.goldens", description=(__doc__ or "").split("\n", 1)[0]
    )
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="which games; all if none is named"
    )
    chosen = parser.parse_args(arguments)
    FOLDER.mkdir(exist_ok=True)
    failed = 0
    for game in chosen.games or tc.registered_games():
        new = computed(game)
        stored = read(game) if path_of(game).exists() else None
        if stored is not None and stored["version"] == new["version"]:
            moved = changed(stored, new)
            if moved:
                sys.stderr.write(
                    f"{game}: the behaviour changed ({', '.join(moved)}), its version did not\n"
                )
                failed = 1
                continue
        path_of(game).write_text(as_text(new), encoding="utf-8")
        sys.stdout.write(f"{path_of(game).name}: {len(new['signatures'])} configurations\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
