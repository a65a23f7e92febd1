"""`games` and `show`: what there is to know about a game without playing it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

import tabletop_core

from .. import game_options, load_game, registered_games
from ..protocol import Game
from .common import CONSOLE

_LONGEST_VALUE = 60


def print_games() -> None:
    """List the games with their sizes under default options."""
    table = _table(["game", "players", "actions", "chance ids", "longest game", "tensor"], left=2)
    for name in registered_games():
        game = load_game(name)
        players = next(spec.values for spec in game_options(name) if spec.name == "players")
        table.add_row(
            name,
            players,
            f"{game.num_distinct_actions():,}",
            f"{game.max_chance_outcomes():,}",
            f"{game.max_game_length():,}",
            f"{game.observation_tensor_shape()[0]:,}",
        )
    CONSOLE.print(table)
    CONSOLE.print("sizes with default options; the longest game is counted in decisions")


def rules_page(game: str) -> Path:
    """Find the rules page of a game: as installed, or beside sources that are used in place."""
    installed = Path(tabletop_core.get_include()).parent / "rules" / f"{game}.md"
    in_sources = Path(__file__).resolve().parents[3] / "docs" / "rules" / installed.name
    return installed if installed.is_file() else in_sources


def print_game(game: Game) -> None:
    """Show the options of a game, its sizes and the fields of its observation tensor."""
    CONSOLE.print(f"{game.name}, version {game.version}", style="bold", highlight=False)
    rules = f"rules: {rules_page(game.name)}"
    CONSOLE.print(rules, highlight=False, markup=False, soft_wrap=True)

    options = _table(["option", "value", "default", "possible", "meaning"], left=5)
    for spec in game_options(game.name):
        value = _short(game.options[spec.name])
        options.add_row(spec.name, value, _short(spec.default), spec.values, spec.meaning)
    CONSOLE.print(options)

    sizes = _table(["size", "value"], left=1)
    for what, number in (
        ("players", game.num_players()),
        ("distinct actions", game.num_distinct_actions()),
        ("chance outcomes", game.max_chance_outcomes()),
        ("longest game, decisions", game.max_game_length()),
        ("least utility", game.min_utility()),
        ("greatest utility", game.max_utility()),
        ("observation tensor, float32", game.observation_tensor_shape()[0]),
    ):
        sizes.add_row(what, f"{number:,}")
    CONSOLE.print(sizes)

    fields = _table(["field", "meaning", "start", "shape"], left=2)
    for field in game.observation_fields:
        shape = " x ".join(str(length) for length in field.shape)
        fields.add_row(field.name, field.meaning, f"{field.start:,}", shape)
    CONSOLE.print(fields)


def _table(headings: Sequence[str], left: int) -> Table:
    """Make a table whose first columns hold texts, the others numbers."""
    table = Table(pad_edge=False)
    for column, heading in enumerate(headings):
        table.add_column(heading, justify="left" if column < left else "right", overflow="fold")
    return table


def _short(value: object) -> str:
    """Show an option's value; a whole board would be too much."""
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."
