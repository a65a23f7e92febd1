"""Lines of five: which a placed chip completes, which chips they lock, what is still possible."""

from __future__ import annotations

from ._sequence_numbers_board import Board, Direction
from ._sequence_numbers_position import HouseRules, Position, locked_cells


def is_full(rules: HouseRules, position: Position, window: int, team: int) -> bool:
    """Tell whether the team's chips, with the help of a corner, fill the window."""
    return all(position.owner[cell] == team for cell in rules.board.windows[window].spaces)


def keeps_sharing_rule(rules: HouseRules, position: Position, window: int, team: int) -> bool:
    """Tell whether the window shares few enough cells with each sequence that the team has."""
    windows = rules.board.windows
    return all(
        windows[window].shares(windows[sequence]) <= rules.shared_cells_allowed
        for sequence in position.sequences[team]
    )


def candidates(rules: HouseRules, position: Position, cell: int, team: int) -> list[list[int]]:
    """Return the windows that the chip just placed on a cell completes, one list per direction."""
    found: list[list[int]] = [[] for _ in Direction]
    for window in rules.board.windows_through[cell]:
        if is_full(rules, position, window, team) and keeps_sharing_rule(
            rules, position, window, team
        ):
            found[rules.board.windows[window].direction].append(window)
    return found


def split_at(board: Board, windows: list[int], cell: int) -> list[int]:
    """Return the two windows of one direction that meet in the cell, or [] if one is missing.

    They are the two sequences of a run of nine that was closed by its middle chip.
    """
    ending = [window for window in windows if board.windows[window].cells[-1] == cell]
    starting = [window for window in windows if board.windows[window].cells[0] == cell]
    return sorted(ending + starting) if ending and starting else []


def automatic_lock(board: Board, windows: list[int], cell: int) -> list[int]:
    """Return which candidates of one direction become sequences if nobody chooses.

    Both halves of a run of nine; else the one that locks most chips, those locked before
    included, and among equals the one that starts first in reading order.
    """
    if not windows:
        return []
    most_chips = min(windows, key=lambda window: (-len(board.windows[window].spaces), window))
    return split_at(board, windows, cell) or [most_chips]


def has_choice(board: Board, windows: list[int], cell: int) -> bool:
    """Tell whether it is open which of the candidates of one direction becomes a sequence."""
    return len(windows) > 1 and not split_at(board, windows, cell)


def is_dead(rules: HouseRules, position: Position) -> bool:
    """Tell whether no team can ever complete another sequence, however the cards fall."""
    locked = locked_cells(rules, position)

    def may_become_own(cell: int, team: int) -> bool:
        return position.owner[cell] in {None, team} or cell not in locked

    return not any(
        keeps_sharing_rule(rules, position, window, team)
        and all(may_become_own(cell, team) for cell in rules.board.windows[window].spaces)
        for team in range(rules.teams)
        for window in range(len(rules.board.windows))
    )
