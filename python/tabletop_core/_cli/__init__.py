"""The commands of `tabletop-core`: one function each, its work in a module of that name."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn, TextIO

import typer

from .. import __version__
from ..errors import TabletopError
from . import bench, play, simulate, tables
from .common import CONSOLE, ERRORS, Engine, load

__all__ = ["app", "run"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Exact, fast rules of tabletop games for search and learning engines.",
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A name that `games` lists.")]
Players = Annotated[int | None, typer.Option(help="Number of seats.", show_default="the game's")]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        help="An option of the game; may be repeated.",
        show_default=False,
    ),
]
EngineName = Annotated[Engine, typer.Option(help="Which of the two engines plays.")]
Seed = Annotated[int, typer.Option(help="Equal seeds, equal games.")]


def run() -> None:
    """Run the command line and end the process; errors become one line if tabletop-core, its input or its output raises them."""
    if sys.stdout is None:
        _fail("the output cannot be written: it is closed")
    # input() insists on all streams: one that is closed is empty, or swallows what is written
    sys.stdin = sys.stdin or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()
    try:
        app(prog_name=_program_name())
    except TabletopError as error:
        _fail(str(error))
    except UnicodeDecodeError as error:
        _fail(f"the input cannot be read: {error}")
    except OSError as error:
        if error.filename is not None:  # then it is not about what is printed
            raise
        _fail(f"the output cannot be written: {error.strerror or error}")


def _fail(sentence: str) -> NoReturn:
    with contextlib.suppress(OSError):  # the errors may go where the output could not go
        ERRORS.print(f"error: {sentence}", markup=False, highlight=False, soft_wrap=True)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            _give_up_unwritten(stream)
    sys.exit(1)


def _give_up_unwritten(stream: TextIO) -> None:
    """Let what could not be written go nowhere: Python tries again at its end, and would fail."""
    try:
        stream.flush()
    except OSError:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def _program_name() -> str:
    started_as_module = Path(sys.argv[0]).name == "__main__.py"
    return "python -m tabletop_core" if started_as_module else "tabletop-core"


def _version(wanted: bool) -> None:
    if wanted:
        CONSOLE.print(f"tabletop-core {__version__}", highlight=False)
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Stand for all commands."""


@app.command("games")
def list_games() -> None:
    """List the games."""
    tables.print_games()


@app.command("show")
def show_game(game: GameName, players: Players = None, option: GameOptions = None) -> None:
    """Show the options, sizes and observation of a game."""
    tables.print_game(load(Engine.NATIVE, game, players, option))


@app.command("simulate")
def simulate_game(
    game: GameName,
    players: Players = None,
    games: Annotated[
        int, typer.Option(min=1, max=1_000_000_000_000, help="Number of random games.")
    ] = 10_000,
    engine: EngineName = Engine.NATIVE,
    threads: Annotated[int, typer.Option(min=1, help="The results do not depend on it.")] = 1,
    seed: Seed = 0,
    option: GameOptions = None,
) -> None:
    """Play many random games and report on them."""
    rules = load(engine, game, players, option)
    simulate.simulate(rules, engine, games, threads, seed)


@app.command("play")
def play_game(
    game: GameName,
    players: Players = None,
    seat: Annotated[int, typer.Option(min=0, help="Your seat.")] = 0,
    opponent: Annotated[
        play.Opponent, typer.Option(help="Who sits at the other seats.")
    ] = play.Opponent.GREEDY,
    engine: EngineName = Engine.NATIVE,
    seed: Annotated[int | None, typer.Option(help="Repeats a game.", show_default="new")] = None,
    option: GameOptions = None,
) -> None:
    """Play a game yourself; you see what your seat may know."""
    play.play(load(engine, game, players, option), seat, opponent, seed)


@app.command("bench")
def measure(
    seconds: Annotated[
        float, typer.Option(min=0.01, max=3_600, help="Time for each figure.")
    ] = 1.0,
) -> None:
    """Measure both engines, and compare their results."""
    bench.bench(seconds)
