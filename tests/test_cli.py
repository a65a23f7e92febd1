"""The command line: what it shows of a position, where it says the rules are, and how it ends when nobody takes its output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tabletop_core as tc
from tabletop_core._cli import play, tables
from tests.configurations import Configuration, shortened
from tests.walks import positions

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game, State

FULL = Path("/dev/full")
COMMANDS = (
    ("--help",),
    ("--version",),
    ("games",),
    ("show", "indigo"),
    ("simulate", "indigo", "--games", "3"),
)


def some_positions(game: Game) -> tuple[State, ...]:
    """Give a few positions of a game, the last one among them."""
    return positions(game, 120)[::-40]


def known(state: State, seat: int, seed: int = 1) -> list[str]:
    """Show a seat what it may know."""
    return play.known_lines(state, seat, tc.Rng(seed))


@pytest.mark.rule("CC-54")
@pytest.mark.parametrize("name", ["card_challenge", "ingenious_challenges"])
def test_only_the_hand_of_another_seat_is_hidden_in_the_card_challenge(
    engine: ModuleType, name: str
) -> None:
    for state in some_positions(engine.load_game(name, max_turns=40)):
        whole = str(state)
        if "card_challenge" not in whole:
            continue  # the match has come to another challenge
        for seat in range(2):
            lines = []
            for line in whole.splitlines():
                public, comma, hand = line.partition(", hand ")
                if comma and not line.startswith(f"seat {seat}:"):
                    lines.append(f"{public}, hand {' '.join('?' for _ in hand.split())}")
                else:
                    lines.append(line)
            assert known(state, seat) == lines


def test_a_seat_is_shown_nothing_that_it_cannot_know(seating: Configuration) -> None:
    for state in some_positions(shortened(seating).load(tc)):
        for seat in range(state.num_players()):
            other = state.resample_from_infostate(seat, tc.Rng(7))
            assert known(state, seat) == known(other, seat)


def test_what_is_not_hidden_from_a_seat_is_shown_as_it_is(seating: Configuration) -> None:
    for state in some_positions(shortened(seating).load(tc)):
        for seat in range(state.num_players()):
            for shown, whole in zip(known(state, seat), str(state).splitlines(), strict=True):
                for part, true in zip(shown.split(", "), whole.split(", "), strict=True):
                    assert part == true or part.endswith("?")


def test_a_line_is_shown_as_far_as_all_guesses_share_it() -> None:
    cases = (
        (["hand 1: 3 4", "hand 1: 3 5"], "hand 1: ? ?"),
        (["hand 1: 3", "hand 1: 3 5"], "hand 1: hidden"),
        (
            ["seat 1: pegs 1 2, hand b c", "seat 1: pegs 1 2, hand d c"],
            "seat 1: pegs 1 2, hand ? ?",
        ),
        (["seat 1: pegs 1 2, hand b", "seat 1: pegs 1 3, hand c"], "seat 1: ? ? ?, hand ?"),
        (["a, b", "a, b, c"], "a, hidden"),
        ([" . x .", " . y ."], " ? ? ?"),
        (["x", "y"], "hidden"),
        (["deck: 3 cards"] * 2, "deck: 3 cards"),
    )
    for guesses, shown in cases:
        assert play._shared_line(guesses) == shown


@pytest.mark.parametrize("name", tc.registered_games())
def test_show_names_the_rules_page(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    tables.print_game(tc.load_game(name))
    lines = capsys.readouterr().out.splitlines()
    page = next(line.removeprefix("rules: ") for line in lines if line.startswith("rules: "))
    assert Path(page).name == f"{name}.md"
    assert Path(page).read_text(encoding="utf-8").startswith("# ")


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_is_one_sentence(command: tuple[str, ...]) -> None:
    with FULL.open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "tabletop_core", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
        )
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("error: the output cannot be written: ")


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_errors_that_cannot_be_said_end_in_the_same_code() -> None:
    with FULL.open("w") as full:
        for command in (("games",), ("show", "no_such_game")):
            ended = subprocess.run(
                [sys.executable, "-m", "tabletop_core", *command],
                stdout=full,
                stderr=full,
                check=False,
            )
            assert ended.returncode == 1


def command_line(
    *arguments: str, stdin: bytes | None = b"", closed: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """Run the command, with a standard stream closed if one is named."""
    command = [sys.executable, "-m", "tabletop_core", *arguments]
    if closed:
        command = ["sh", "-c", f'exec "$@" {closed}', "sh", *command]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    return subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("show", "indigo", "--option", "name=3"), 1, "indigo has no option name"),
        (("show", "indigo", "--option", "options=3"), 1, "indigo has no option options"),
        (("show", "indigo", "--option", f"players={'[' * 100_000}"), 1, "players"),
        (("show", "indigo", "--option", f"players={'7' * 5_000}"), 1, "players"),
        (
            ("simulate", "indigo", "--players", "3", "--option", "players=2"),
            1,
            "players is given twice",
        ),
        (("show", "indigo", "--option", "players=3", "--option", "players = 3"), 1, "given twice"),
        (("simulate", "indigo", "--games", "7" * 4_000), 2, "games"),
        (("bench", "--seconds", "inf"), 2, "seconds"),
        (("bench", "--seconds", "nan"), 2, "seconds"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_wrong_calls_are_a_sentence(arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = command_line(*arguments)
    assert ended.returncode == code
    said = ended.stderr.decode()
    assert says in said
    assert "Traceback" not in said


PLAY = ("play", "indigo", "--seed", "1")


def test_an_answer_may_be_anything() -> None:
    ended = command_line(*PLAY, stdin=b"7" * 5_000 + b"\n000\nq\n")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"there is no action of this number" in ended.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")
@pytest.mark.parametrize(
    ("stdin", "closed", "code", "says"),
    [
        (b"\xff\n", "", 1, b"error: the input cannot be read: "),
        (None, "<&-", 0, b""),
        (b"q\n", "2>&-", 0, b""),
        (b"q\n", ">&-", 1, b"error: the output cannot be written: "),
    ],
)
def test_streams_that_cannot_be_used_are_a_sentence(
    stdin: bytes | None, closed: str, code: int, says: bytes
) -> None:
    ended = command_line(*PLAY, stdin=stdin, closed=closed)
    assert (ended.returncode, ended.stderr[: len(says)]) == (code, says)
    assert b"Traceback" not in ended.stderr
