"""Which positions of Sequence Numbers can be: what every position keeps to, however it came about.

More is not asked. Positions that people set up need not have been reached by play: hands may be
short, as after lost draws, and five chips in a line may lie there unscored.
"""

from __future__ import annotations

from itertools import pairwise

from ._base import require
from ._sequence_numbers_board import COPIES
from ._sequence_numbers_lines import is_dead, is_full, keeps_sharing_rule
from ._sequence_numbers_position import HouseRules, Phase, Position
from ._sequence_numbers_turn import winners_by_result


def check(rules: HouseRules, position: Position) -> None:
    """Raise a PositionError if the position cannot be."""
    _check_phase(rules, position)
    _check_turn(rules, position)
    _check_cards(rules, position)
    _check_chips(rules, position)
    _check_sequences(rules, position)
    _check_pending_locks(rules, position)
    _check_talkers(rules, position)
    if position.phase is Phase.DEAL:
        _check_deal(rules, position)
    if position.phase is Phase.OVER:
        _check_end(rules, position)
    else:
        _check_not_over(rules, position)


def _check_phase(rules: HouseRules, position: Position) -> None:
    """Refuse phases that these options never reach."""
    phase = position.phase.word
    if position.phase in {Phase.TALK, Phase.TALK_DISCARD}:
        require(rules.table_talk_per_mille > 0, f"phase {phase} needs table_talk_per_mille above 0")
    if position.phase is Phase.MISS:
        require(
            rules.missed_draw_per_mille > 0, f"phase {phase} needs missed_draw_per_mille above 0"
        )
    if position.phase is Phase.TURN_DRAW:
        require(
            rules.missed_draw_per_mille < 1000,
            f"phase {phase} needs missed_draw_per_mille below 1000",
        )
    if position.phase is Phase.CHOOSE_LOCK:
        require(
            rules.lock_policy == "choose"
            and not rules.sharing_is_free
            and rules.sequences_to_win > 1,
            f'phase {phase} needs lock_policy "choose", shared_cells_allowed 1 '
            "and sequences_to_win above 1",
        )


def _check_turn(rules: HouseRules, position: Position) -> None:
    phase = position.phase
    whose = position.turn % rules.players
    require(
        position.seat == whose,
        f"in turn {position.turn} the seat must be {whose}, not {position.seat}",
    )
    if phase in {Phase.DEAL, Phase.TALK, Phase.TALK_DISCARD}:
        require(not position.swapped, f"swapped must be False in phase {phase.word}")
    if phase is Phase.SWAP_DRAW:
        require(position.swapped, "swapped must be True in phase swap_draw")


def _check_cards(rules: HouseRules, position: Position) -> None:
    """Two cards of each kind in all, and no hand above its size."""
    board = rules.board
    lying = [
        *position.deck,
        *position.discards,
        *(kind for hand in position.hands for kind in hand),
    ]
    for kind in board.kinds:
        require(
            lying.count(kind) == COPIES,
            f"there must be {COPIES} cards {board.card(kind)} in hands, deck and discards, "
            f"not {lying.count(kind)}",
        )
    for seat, hand in enumerate(position.hands):
        # The card that was played or turned in is still to be replaced.
        owed = position.phase.owes_card and seat == position.seat
        most = rules.hand_size - owed
        require(
            len(hand) <= most,
            f"in phase {position.phase.word} seat {seat} may hold {most} cards at most, "
            f"not {len(hand)}",
        )
    if position.phase in {Phase.SWAP_DRAW, Phase.TURN_DRAW}:
        require(bool(position.deck), "the deck must not be empty when a card is to be drawn")


def _check_chips(rules: HouseRules, position: Position) -> None:
    for corner in sorted(rules.board.corners):
        where = rules.board.row_col(corner)
        require(position.owner[corner] is None, f"the corner {where} must not have an owner")
    if rules.chips_per_colour is not None:
        for team in range(rules.teams):
            chips = position.owner.count(team)
            require(
                chips <= rules.chips_per_colour,
                f"team {team} may have {rules.chips_per_colour} chips on the board, not {chips}",
            )


def _check_sequences(rules: HouseRules, position: Position) -> None:
    windows = rules.board.windows
    for team, sequences in enumerate(position.sequences):
        _require_ascending(sequences, f"sequences of team {team}")
        for i, window in enumerate(sequences):
            require(
                is_full(rules, position, window, team),
                f"team {team} does not own every cell of its sequence {window}",
            )
            for earlier in sequences[:i]:
                shared = windows[window].shares(windows[earlier])
                require(
                    shared <= rules.shared_cells_allowed,
                    f"the sequences {earlier} and {window} of team {team} share {shared} cells; "
                    f"{rules.shared_cells_allowed} are allowed",
                )


def _check_pending_locks(rules: HouseRules, position: Position) -> None:
    """Choices are open exactly in the phase for them, among windows that may become sequences."""
    team = rules.team_of(position.seat)
    require(
        any(position.pending_locks) == (position.phase is Phase.CHOOSE_LOCK),
        "pending_locks must have a window in phase choose_lock, and none in any other phase",
    )
    for direction, pending in enumerate(position.pending_locks):
        _require_ascending(pending, f"pending_locks[{direction}]")
        for window in pending:
            require(
                rules.board.windows[window].direction == direction,
                f"window {window} is not of direction {direction}, where pending_locks has it",
            )
            require(
                is_full(rules, position, window, team),
                f"team {team} does not own every cell of the pending window {window}",
            )
            require(
                keeps_sharing_rule(rules, position, window, team),
                f"the pending window {window} shares more than {rules.shared_cells_allowed} "
                f"cells with a sequence of team {team}",
            )


def _require_ascending(windows: list[int], what: str) -> None:
    ascending = all(a < b for a, b in pairwise(windows))
    require(ascending, f"{what} must be ascending and distinct, not {windows}")


def _check_talkers(rules: HouseRules, position: Position) -> None:
    """Discards for table talk are open exactly in the phase for them, for members of one team."""
    talkers = position.talkers
    require(
        bool(talkers) == (position.phase is Phase.TALK_DISCARD),
        "talkers must name a seat in phase talk_discard, and none in any other phase",
    )
    asked = [seat for seat in rules.seats_from(position.seat) if seat in talkers]
    require(
        talkers == asked,
        f"talkers must be distinct, in seat order starting with seat {position.seat}, not {talkers}",
    )
    require(
        len({rules.team_of(seat) for seat in talkers}) <= 1,
        f"talkers must be members of one team, not {talkers}",
    )
    for seat in talkers:
        require(bool(position.hands[seat]), f"seat {seat} of the talkers has no card to discard")


def _check_deal(rules: HouseRules, position: Position) -> None:
    """During the deal there is nothing but hands, filled one after another."""
    sizes = [len(hand) for hand in position.hands]
    dealt = sum(sizes)
    in_order = [
        min(max(dealt - seat * rules.hand_size, 0), rules.hand_size)
        for seat in range(rules.players)
    ]
    require(
        sizes == in_order and dealt < rules.players * rules.hand_size,
        f"during the deal seat 0 gets {rules.hand_size} cards, then seat 1, and so on, "
        f"and somebody still lacks a card; not hands of {sizes}",
    )
    require(
        position.turn == 0 and position.idle == 0,
        "turn and idle must be 0 during the deal",
    )
    require(not position.discards, "there must be no discards during the deal")
    require(
        all(owner is None for owner in position.owner), "the board must be empty during the deal"
    )


def _check_not_over(rules: HouseRules, position: Position) -> None:
    for team, sequences in enumerate(position.sequences):
        require(
            len(sequences) < rules.sequences_to_win,
            f"team {team} has {len(sequences)} sequences; with {rules.sequences_to_win} "
            "the game is over",
        )
    require(
        position.idle < rules.players,
        f"after {rules.players} idle turns the game is over, and idle is {position.idle}",
    )
    require(
        position.turn < rules.max_turns,
        f"after {rules.max_turns} turns the game is over, and turn is {position.turn}",
    )
    require(not position.winners, "winners must be empty before the end")
    require(not position.truncated, "truncated must be False before the end")


def _check_end(rules: HouseRules, position: Position) -> None:
    """The position must show why the game is over, and the result that follows."""
    reached = [
        team
        for team, sequences in enumerate(position.sequences)
        if len(sequences) >= rules.sequences_to_win
    ]
    if reached:
        # A win ends the game inside the turn of the winner, right after a card was played.
        require(
            reached == [rules.team_of(position.seat)],
            f"only the team of seat {position.seat} can have won in its turn, not {reached}",
        )
        require(
            position.turn < rules.max_turns and position.idle == 0,
            f"a win needs turn below {rules.max_turns} and idle 0",
        )
        _check_result(position, rules.members(reached[0]), truncated=False)
        return
    require(not position.swapped, "swapped must be False after the last turn")
    stalemate = position.idle >= rules.players or (
        rules.dead_position_check and is_dead(rules, position)
    )
    require(
        stalemate or position.turn >= rules.max_turns,
        "phase over needs a team with enough sequences, a stalemate or the last turn",
    )
    result = rules.stalemate_result if stalemate else rules.max_turns_result
    _check_result(position, winners_by_result(rules, position, result), truncated=not stalemate)


def _check_result(position: Position, winners: list[int], *, truncated: bool) -> None:
    require(position.winners == winners, f"winners must be {winners}, not {position.winners}")
    require(
        position.truncated is truncated, f"truncated must be {truncated}, not {position.truncated}"
    )
