"""`play`: a person at one seat, built-in opponents at the others, nothing shown that is hidden."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from enum import Enum

from rich.columns import Columns

from .. import Rng
from ..errors import ArgumentError
from ..protocol import Game, State
from .common import CONSOLE, described

_SAMPLES_OF_A_VIEW = 200
_MOST_LISTED = 40
_LONGEST_NUMBER = 10
_HIDDEN = "hidden"
_HELP = "a number or a text chooses; a part of the text lists; ? lists all; q quits"


class Opponent(str, Enum):
    """Who sits at the other seats."""

    RANDOM = "random"
    GREEDY = "greedy"


def play(game: Game, seat: int, opponent: Opponent, seed: int | None) -> None:
    """Play one game with the person at `seat`."""
    if seat >= game.num_players():
        message = f"--seat must be in 0..{game.num_players() - 1}, not {seat}"
        raise ArgumentError(message)
    seed = secrets.randbits(32) if seed is None else seed
    root = Rng(seed)
    chance, opponents, display = root.split(0), root.split(1), root.split(2)
    _say(f"{described(game)}; you are seat {seat}; --seed {seed} repeats this game")
    _say(_HELP)

    state = game.new_initial_state()
    while not state.is_terminal():
        player = state.current_player()
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
        elif player == seat:
            _say("", *known_lines(state, seat, display))
            action = _ask(state)
            if action is None:
                _say("you left the game")
                return
            state.apply_action(action)
        else:
            action = choose(state, opponent, opponents)
            _say(f"seat {player}: {state.observed_action_to_string(seat, action)}")
            state.apply_action(action)
    _say("", *known_lines(state, seat, display))
    _say(f"the game is over; scores {state.scores().tolist()}", _winners(state.winners(), seat))


def choose(state: State, opponent: Opponent, rng: Rng) -> int:
    """Choose for the seat to move, from what that seat may know.

    Greedy takes the action after which its own score stands highest above the mean of all scores,
    or which wins at once; among equals it chooses at random.
    """
    legal = state.legal_actions()
    if opponent is Opponent.GREEDY:
        seat = state.current_player()
        guess = state.resample_from_infostate(seat, rng)
        values = [_worth(guess.child(action), seat) for action in legal]
        best = max(values)
        legal = [action for action, value in zip(legal, values, strict=True) if value == best]
    return legal[rng.below(len(legal))]


def _worth(state: State, seat: int) -> tuple[float, float]:
    scores = state.scores()
    return state.player_return(seat), float(scores[seat] - scores.mean())


def known_lines(state: State, seat: int, rng: Rng) -> list[str]:
    """Draw the position for a seat: what every position that it takes for possible shares.

    All is drawn from positions resampled for this seat, never from the true one, so nothing hidden
    can get in; what differs among them is said to be hidden.
    """
    guesses = [
        str(state.resample_from_infostate(seat, rng)).splitlines()
        for _ in range(_SAMPLES_OF_A_VIEW)
    ]
    if len({len(lines) for lines in guesses}) > 1:
        return state.observation_string(seat).splitlines()
    return [_shared_line(line) for line in zip(*guesses, strict=True)]


def _shared_line(guesses: Sequence[str]) -> str:
    """Give the parts of a line that all guesses share; commas stand between parts."""
    parts = [guess.split(", ") for guess in guesses]
    if len({len(of_one) for of_one in parts}) > 1:
        return _shared_part(guesses)
    return ", ".join(_shared_part(part) for part in zip(*parts, strict=True))


def _shared_part(guesses: Sequence[str]) -> str:
    """Give what all guesses agree on, else its name, with a question mark for each hidden word.

    The name of a part is what stands in front of a colon, or else its first word.
    """
    if len(set(guesses)) == 1:
        return guesses[0]
    cuts = [guess.partition(": " if ": " in guess else " ") for guess in guesses]
    names = {name + separator for name, separator, _ in cuts}
    sizes = {len(words.split()) for _, _, words in cuts}
    hidden = " ".join(["?"] * sizes.pop()) if len(sizes) == 1 else _HIDDEN
    return names.pop() + hidden if len(names) == 1 else _HIDDEN


def _ask(state: State) -> int | None:
    """Let the person choose one of the legal actions; None to leave."""
    legal = state.legal_actions()
    texts = [state.action_to_string(action) for action in legal]
    _list(texts, range(len(texts)))
    while True:
        try:
            answer = CONSOLE.input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            return None
        if answer.lower() in {"q", "quit"}:
            return None
        if answer in texts:
            return legal[texts.index(answer)]
        if answer.isascii() and answer.isdigit():
            number = int(answer) if len(answer) < _LONGEST_NUMBER else len(legal)
            if number < len(legal):
                return legal[number]
            _say(f"there is no action of this number; the last one is {len(legal) - 1}")
            continue
        if answer == "?":
            _list(texts, range(len(texts)), shorten=False)
            continue
        matching = [i for i, text in enumerate(texts) if answer.lower() in text.lower()]
        if answer and len(matching) == 1:
            return legal[matching[0]]
        if not answer or not matching:
            _say(_HELP)
        else:
            _list(texts, matching)


def _list(texts: Sequence[str], numbers: Sequence[int], *, shorten: bool = True) -> None:
    """List actions with their numbers, not too many unless wanted."""
    shown = numbers[:_MOST_LISTED] if shorten else numbers
    CONSOLE.print(
        Columns([f"{i:>3} {texts[i]}" for i in shown], column_first=True, padding=(0, 3)),
        highlight=False,
        markup=False,
    )
    if len(shown) < len(numbers):
        _say(f"... and {len(numbers) - len(shown)} more; ? lists all, or type a part of a text")


def _winners(winners: Sequence[int], seat: int) -> str:
    if seat in winners:
        return "you win" if len(winners) == 1 else f"you share the win: seats {winners}"
    return f"winners: seats {winners}" if winners else "nobody wins"


def _say(*lines: str) -> None:
    for line in lines:
        CONSOLE.print(line, highlight=False, markup=False, soft_wrap=True)
