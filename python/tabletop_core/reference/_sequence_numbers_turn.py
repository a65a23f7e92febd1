"""The course of a game: who may do what, and what follows from it.

A turn is: [table talk], [a swap of a dead card and its draw], the play of one card, the locking of
the sequences that it made, the draw at the end of the turn. The functions that change a position
expect a legal action or a possible outcome.
"""

from __future__ import annotations

from collections import Counter
from enum import IntEnum, auto
from functools import cache
from typing import NamedTuple

from ._sequence_numbers_board import Direction
from ._sequence_numbers_lines import automatic_lock, candidates, has_choice, is_dead
from ._sequence_numbers_position import HouseRules, Phase, Position, locked_cells, move_card


class Verb(IntEnum):
    """The kinds of actions."""

    PLACE = auto()  # with the number card that is printed on the cell
    PLACE_WITH_PLUS = auto()
    REMOVE = auto()  # with a Minus card
    SWAP = auto()  # a dead number card
    PASS = auto()
    SWAP_MINUS = auto()
    DISCARD = auto()
    CHOOSE_LOCK = auto()

    __hash__ = int.__hash__  # much quicker than that of enumerations


class Event(IntEnum):
    """The kinds of chance outcomes."""

    DRAW = auto()
    CARD_DRAWN = auto()
    DRAW_MISSED = auto()
    SILENCE = auto()
    TABLE_TALK = auto()

    __hash__ = int.__hash__


class Action(NamedTuple):
    """A verb and its object: a cell, a kind of card or a window; 0 where nothing is needed."""

    verb: Verb
    what: int = 0


class Outcome(NamedTuple):
    """A chance event and its object: a kind of card or a team; 0 where nothing is needed."""

    event: Event
    what: int = 0


# --- What is possible ---


def legal_actions(rules: HouseRules, position: Position) -> list[Action]:
    """List what the seat to decide may do; nothing at chance nodes and at the end."""
    if position.phase is Phase.TALK_DISCARD:
        return _discards(position, position.talkers[0])
    if position.phase is Phase.CHOOSE_LOCK:
        windows = next(windows for windows in position.pending_locks if windows)
        return [Action(Verb.CHOOSE_LOCK, window) for window in windows]
    if position.phase is not Phase.PLAY:
        return []

    holds_minus = rules.board.minus in position.hands[position.seat]
    removable = _removable_chips(rules, position) if holds_minus else []
    swaps = _swaps(rules, position, removable)
    if swaps and not rules.swap_optional:
        return swaps
    possible = _placements(rules, position) + swaps
    possible += [Action(Verb.REMOVE, cell) for cell in removable]
    if not possible and rules.no_play_policy == "discard_and_draw":
        possible = _discards(position, position.seat)
    return possible or [Action(Verb.PASS)]


def _placements(rules: HouseRules, position: Position) -> list[Action]:
    """List the placements with a number card or a Plus card on open cells."""
    chips_down = position.owner.count(rules.team_of(position.seat))
    if rules.chips_per_colour is not None and chips_down >= rules.chips_per_colour:
        return []
    hand, board = position.hands[position.seat], rules.board
    placements = [
        Action(Verb.PLACE, cell)
        for kind in sorted(set(hand) - {board.plus, board.minus})
        for cell in board.spaces_of_number[kind]
        if position.owner[cell] is None
    ]
    if board.plus in hand:
        open_cells = (cell for cell in board.spaces if position.owner[cell] is None)
        placements += [Action(Verb.PLACE_WITH_PLUS, cell) for cell in open_cells]
    return placements


def _removable_chips(rules: HouseRules, position: Position) -> list[int]:
    """List the cells with a chip of another team that is not part of a sequence."""
    own = rules.team_of(position.seat)
    locked = locked_cells(rules, position)
    return [
        cell
        for cell, owner in enumerate(position.owner)
        if owner not in {None, own} and cell not in locked
    ]


def _swaps(rules: HouseRules, position: Position, removable: list[int]) -> list[Action]:
    """List the swaps of dead cards, of which a turn allows one.

    A number card is dead while both its cells have a chip. A Plus card never is, a Minus card only
    where `minus_dead_swap` says so, while there is nothing to remove.
    """
    if position.swapped:
        return []
    hand, board = position.hands[position.seat], rules.board
    swaps = [
        Action(Verb.SWAP, kind)
        for kind in sorted(set(hand) - {board.plus, board.minus})
        if all(position.owner[cell] is not None for cell in board.spaces_of_number[kind])
    ]
    if rules.minus_dead_swap and board.minus in hand and not removable:
        swaps.append(Action(Verb.SWAP_MINUS))
    return swaps


def _discards(position: Position, seat: int) -> list[Action]:
    return [Action(Verb.DISCARD, kind) for kind in sorted(set(position.hands[seat]))]


def chance_weights(rules: HouseRules, position: Position) -> list[tuple[Outcome, int]]:
    """List the possible outcomes with their weights; nothing where no chance is involved."""
    weights: list[tuple[Outcome, int]] = []
    if position.phase is Phase.TALK:
        rate = rules.table_talk_per_mille
        weights = [(Outcome(Event.SILENCE), (1000 - rate) * rules.teams)]
        weights += [(Outcome(Event.TABLE_TALK, team), rate) for team in range(rules.teams)]
    elif position.phase is Phase.MISS:
        rate = rules.missed_draw_per_mille
        weights = [(Outcome(Event.CARD_DRAWN), 1000 - rate), (Outcome(Event.DRAW_MISSED), rate)]
    elif position.phase in {Phase.DEAL, Phase.SWAP_DRAW, Phase.TURN_DRAW}:
        return [(_draw_of(kind), copies) for kind, copies in Counter(position.deck).items()]
    return [(outcome, weight) for outcome, weight in weights if weight > 0]


@cache
def _draw_of(kind: int) -> Outcome:
    """Name a draw, of which there are thousands in a game."""
    return Outcome(Event.DRAW, kind)


# --- What follows from a decision ---


def apply_action(rules: HouseRules, position: Position, action: Action) -> None:
    """Carry out a legal action."""
    board = rules.board
    match action.verb:
        case Verb.PLACE:
            number = board.at(action.what)
            _place(rules, position, board.kind_of(number), action.what)
        case Verb.PLACE_WITH_PLUS:
            _place(rules, position, board.plus, action.what)
        case Verb.REMOVE:
            _spend_card(position, board.minus)
            position.owner[action.what] = None
            _end_with_draw(rules, position)
        case Verb.SWAP:
            _swap(rules, position, action.what)
        case Verb.SWAP_MINUS:
            _swap(rules, position, board.minus)
        case Verb.PASS:
            # Only turns in which nothing at all happened lead to a stalemate.
            position.idle = 0 if position.swapped else position.idle + 1
            _finish_turn(rules, position)
        case Verb.DISCARD if position.phase is Phase.TALK_DISCARD:
            _discard_for_talk(position, action.what)
        case Verb.DISCARD:
            _spend_card(position, action.what)
            _end_with_draw(rules, position)
        case Verb.CHOOSE_LOCK:
            _choose_lock(rules, position, action.what)


def _spend_card(position: Position, kind: int) -> None:
    """Put the card that ends the turn of the seat face up on its pile."""
    move_card(kind, position.hands[position.seat], position.discards)
    position.idle = 0


def _swap(rules: HouseRules, position: Position, kind: int) -> None:
    """Turn in a dead card for a new one; the seat goes on with its turn afterwards."""
    # In literal order the dead card lies on the pile before the draw, so that it takes part in a
    # reshuffle and may come straight back.
    if rules.swap_draw_before_discard:
        _reshuffle_if_empty(position)
    move_card(kind, position.hands[position.seat], position.discards)
    _reshuffle_if_empty(position)
    position.swapped = True
    position.phase = Phase.SWAP_DRAW


def _discard_for_talk(position: Position, kind: int) -> None:
    """Take one card of a seat whose team talked; nobody draws for it."""
    talker = position.talkers.pop(0)
    move_card(kind, position.hands[talker], position.discards)
    if not position.talkers:
        position.phase = Phase.PLAY


def _place(rules: HouseRules, position: Position, kind: int, cell: int) -> None:
    """Play a card, place a chip, and score what it completes."""
    team = rules.team_of(position.seat)
    _spend_card(position, kind)
    position.owner[cell] = team
    completed = candidates(rules, position, cell, team)

    if rules.sharing_is_free:
        _score(position, team, [window for windows in completed for window in windows])
        _end_with_win_or_draw(rules, position)
        return

    chosen_by_player = [
        rules.lock_policy == "choose" and has_choice(rules.board, windows, cell)
        for windows in completed
    ]
    for windows, choice in zip(completed, chosen_by_player, strict=True):
        if not choice:
            _score(position, team, automatic_lock(rules.board, windows, cell))
    # There is nothing to choose once the sequences of all directions together win the game.
    if len(position.sequences[team]) + sum(chosen_by_player) >= rules.sequences_to_win:
        for windows, choice in zip(completed, chosen_by_player, strict=True):
            if choice:
                _score(position, team, automatic_lock(rules.board, windows, cell))
        _end_with_win_or_draw(rules, position)
    elif any(chosen_by_player):
        position.pending_locks = [
            windows if choice else []
            for windows, choice in zip(completed, chosen_by_player, strict=True)
        ]
        position.phase = Phase.CHOOSE_LOCK
    else:
        _end_with_win_or_draw(rules, position)


def _choose_lock(rules: HouseRules, position: Position, window: int) -> None:
    """Score the window that the player chose among the candidates of its direction."""
    team = rules.team_of(position.seat)
    _score(position, team, [window])
    position.pending_locks[rules.board.windows[window].direction] = []
    # The last choice never wins in play (see `_place`), but a set-up position may have it so.
    if len(position.sequences[team]) >= rules.sequences_to_win:
        position.pending_locks = [[] for _ in Direction]
    if not any(position.pending_locks):
        _end_with_win_or_draw(rules, position)


def _score(position: Position, team: int, windows: list[int]) -> None:
    """Make sequences of windows, which locks their chips."""
    position.sequences[team] = sorted(position.sequences[team] + windows)


# --- The end of a turn ---


def _end_with_win_or_draw(rules: HouseRules, position: Position) -> None:
    """After locking: the game ends here for a winner; everybody else draws a card."""
    team = rules.team_of(position.seat)
    if len(position.sequences[team]) >= rules.sequences_to_win:
        position.winners = rules.members(team)
        position.phase = Phase.OVER
    else:
        _end_with_draw(rules, position)


def _end_with_draw(rules: HouseRules, position: Position) -> None:
    """Go on to the draw at the end of a turn, which the player may forget."""
    if rules.missed_draw_per_mille > 0:
        position.phase = Phase.MISS
    else:
        _enter_turn_draw(position)


def _enter_turn_draw(position: Position) -> None:
    _reshuffle_if_empty(position)
    position.phase = Phase.TURN_DRAW


def _reshuffle_if_empty(position: Position) -> None:
    """Make a new deck of all discards if a card is to be drawn and there is none."""
    if not position.deck:
        position.deck, position.discards = position.discards, []


def _finish_turn(rules: HouseRules, position: Position) -> None:
    """Pass the turn to the next seat, unless the game cannot or must not go on."""
    position.turn += 1
    position.seat = position.turn % rules.players
    position.swapped = False
    if position.idle >= rules.players or (rules.dead_position_check and is_dead(rules, position)):
        _end_without_winner(rules, position, rules.stalemate_result)
    elif position.turn >= rules.max_turns:
        _end_without_winner(rules, position, rules.max_turns_result)
        position.truncated = True
    else:
        _begin_turn(rules, position)


def _begin_turn(rules: HouseRules, position: Position) -> None:
    position.phase = Phase.TALK if rules.table_talk_per_mille > 0 else Phase.PLAY


def _end_without_winner(rules: HouseRules, position: Position, result: str) -> None:
    position.winners = winners_by_result(rules, position, result)
    position.phase = Phase.OVER


def winners_by_result(rules: HouseRules, position: Position, result: str) -> list[int]:
    """Return the winners of a game that ended before anybody reached the target.

    Nobody for the result "draw", and nobody if all teams are level; otherwise all members of the
    team or teams with most sequences.
    """
    counts = [len(windows) for windows in position.sequences]
    if result == "draw" or len(set(counts)) == 1:
        return []
    return [seat for seat in range(rules.players) if counts[rules.team_of(seat)] == max(counts)]


# --- What follows from a chance outcome ---


def apply_outcome(rules: HouseRules, position: Position, outcome: Outcome) -> None:
    """Carry out a possible chance outcome."""
    match outcome.event:
        case Event.DRAW:
            _draw(rules, position, outcome.what)
        case Event.CARD_DRAWN:
            _enter_turn_draw(position)
        case Event.DRAW_MISSED:
            # A draw that was missed is lost for good: the hand stays one card smaller.
            _finish_turn(rules, position)
        case Event.SILENCE:
            position.phase = Phase.PLAY
        case Event.TABLE_TALK:
            _talk(rules, position, outcome.what)


def _draw(rules: HouseRules, position: Position, kind: int) -> None:
    """Take a card of that kind from the deck."""
    move_card(kind, position.deck, position.hands[seat_that_draws(rules, position)])
    if position.phase is Phase.DEAL:
        if all(len(hand) == rules.hand_size for hand in position.hands):
            _begin_turn(rules, position)
    elif position.phase is Phase.SWAP_DRAW:
        position.phase = Phase.PLAY
    else:
        _finish_turn(rules, position)


def seat_that_draws(rules: HouseRules, position: Position) -> int:
    """Give the seat that gets the card, where one is dealt or drawn."""
    if position.phase is Phase.DEAL:
        # All cards of seat 0 first, then those of seat 1, and so on.
        return next(s for s, hand in enumerate(position.hands) if len(hand) < rules.hand_size)
    return position.seat


def _talk(rules: HouseRules, position: Position, team: int) -> None:
    """Ask every member of the team that has a card for one, starting with the seat to move."""
    position.talkers = [
        seat
        for seat in rules.seats_from(position.seat)
        if rules.team_of(seat) == team and position.hands[seat]
    ]
    position.phase = Phase.TALK_DISCARD if position.talkers else Phase.PLAY
