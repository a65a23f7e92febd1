"""Optimus 2 (Twice as Clever): roll six dice, choose up to three, fill the sheet, chain bonuses.

A turn: the active player rolls the pool three times and after each roll chooses a die; lower dice
go to the platter. Then the others choose from the platter. A player alone rolls all dice again and
chooses one of the three lowest. Extra dice end each player's part.

This module is the course of the game. What the sheet earns is in `_optimus2_sheet`, what can be
chosen in `_optimus2_decisions`. The phases of a turn and what leads from one to the next:

    round -> return -> roll -> pick -> return ... -> extra -> passive -> extra ...

Bonuses that have fallen due wait in `due`, and come before anything else goes on. [O2-34]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import _optimus2_check as checks
from . import _optimus2_forms as forms
from ._base import (
    CHANCE,
    TERMINAL,
    Below,
    ByteReader,
    Field,
    OptionSpec,
    Rules,
    count_option,
    flag_option,
    word_option,
)
from ._optimus2_decisions import (
    CHOOSE_COLOUR,
    DECISIONS,
    FIRST_TRIO,
    FREE_MARK,
    GO_ON,
    PICK_NO_DIE,
    REROLL,
    RETURN,
    SOLO_OUTCOMES,
    TRIOS,
    active_picks,
    cascade_marks,
    decision_text,
    extra_picks,
    free_decisions,
    outcome_text,
    outcomes,
    passive_picks,
    pick_of,
    possible_trios,
    throw_of,
)
from ._optimus2_position import ROLLS_IN_A_TURN, HouseRules, Phase, Place, Position
from ._optimus2_sheet import (
    DICE,
    MARKS,
    QUESTION_MARK,
    ROUND_BONUS,
    ROUNDS,
    SILVER_ROWS,
    Area,
    Bonus,
    Die,
    Mark,
    Sheet,
)

EXTRA_DIE_SCOPES = ("round", "turn")
PASS_POLICIES = ("free", "only_when_stuck")


def _flag(name: str, meaning: str) -> OptionSpec:
    return OptionSpec(name, False, "True|False", (False, True), meaning)


class Optimus2(Rules[Position]):
    """The rules of Optimus 2.

    >>> from tabletop_core.reference import load_game
    >>> game = load_game("optimus2")
    >>> game.action_to_string(81 + 9), game.action_to_string(148 + 49)
    ('pick silver 4, cross the 4 of the blue row', 'pick white as blue, write 7 in blue')
    >>> game.chance_to_string(3), game.chance_to_string(36)
    ('roll white 4', 'tray white, yellow, blue')
    """

    name = "optimus2"
    option_specs = (
        OptionSpec("players", 1, "1|2|3|4", tuple(ROUNDS), "Number of seats."),
        _flag(
            "silver_cascade_leftovers",
            "Whether a silver choice on the third roll also crosses the dice that nobody chose.",
        ),
        OptionSpec(
            "extra_die_scope",
            "round",
            "round|turn",
            EXTRA_DIE_SCOPES,
            "Whether extra dice use each die once a round, or once at the end of each turn.",
        ),
        _flag(
            "return_before_reroll",
            "Whether dice can also be returned between the decision to reroll and the throw.",
        ),
        OptionSpec(
            "pass_policy",
            "free",
            "free|only_when_stuck",
            PASS_POLICIES,
            "Whether the active player may pass always, or only when no die can be marked.",
        ),
        _flag("fox_floor_zero", "Whether foxes are worth 0 at least when green is negative."),
    )

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Seat the players and settle the options."""
        self.house = HouseRules(
            players=count_option(options, "players", tuple(ROUNDS)),
            silver_cascade_leftovers=flag_option(options, "silver_cascade_leftovers"),
            extra_die_scope=word_option(options, "extra_die_scope", EXTRA_DIE_SCOPES),
            return_before_reroll=flag_option(options, "return_before_reroll"),
            pass_policy=word_option(options, "pass_policy", PASS_POLICIES),
            fox_floor_zero=flag_option(options, "fox_floor_zero"),
        )
        self.options = {spec.name: getattr(self.house, spec.name) for spec in self.option_specs}
        players = self.num_players = self.house.players
        self.num_distinct_actions = DECISIONS
        self.max_chance_outcomes = SOLO_OUTCOMES if self.house.solo else FIRST_TRIO
        # [O2-79]
        for_each_round = 9 + 2 * max(players - 1, 1)
        for_each_sheet = 43 + (6 if self.house.return_before_reroll else 0)
        self.max_game_length = players * (self.house.rounds * for_each_round + for_each_sheet)

    @property
    def max_utility(self) -> float:
        """Return of a seat that wins alone; alone at the table, a bound on the total. [O2-78]"""
        return 927.0 if self.house.solo else super().max_utility

    @property
    def min_utility(self) -> float:
        """Return of a seat when somebody else wins; alone at the table, a bound on the total."""
        if not self.house.solo:
            return super().min_utility
        return -43.0 if self.house.fox_floor_zero else -301.0

    # Nodes.

    def initial_position(self) -> Position:
        """Begin the first round; the first die of seat 0 is about to be thrown."""
        position = Position(sheets=[Sheet() for _ in range(self.num_players)])
        self._start_round(position)
        return position

    def clone(self, position: Position) -> Position:
        """Copy all that changes."""
        return position.copy()

    def current_player(self, position: Position) -> int:
        """Dice are thrown by chance; all else is up to the seat."""
        if position.phase is Phase.OVER:
            return TERMINAL
        return CHANCE if position.phase.is_chance else position.seat

    def legal_actions(self, position: Position) -> list[int]:
        """List what the seat may decide: about bonuses first, then what the phase asks for."""
        if position.cascade is not None or position.due:
            return free_decisions(position)
        match position.phase:
            case Phase.RETURN:  # [O2-49]
                return [GO_ON, *(RETURN + die for die in position.dice_at(Place.PLATTER))]
            case Phase.PICK:
                picks = active_picks(position)
                may_pass = self.house.pass_policy == "free" or not picks  # [O2-37] [O2-38]
                may_reroll = position.own_sheet.bars[Bonus.REROLL].left > 0  # [O2-48]
                return [PICK_NO_DIE] * may_pass + [REROLL] * may_reroll + picks
            case Phase.PASSIVE:
                return [PICK_NO_DIE, *passive_picks(position)]  # [O2-63]
            case _:
                return [GO_ON, *extra_picks(position)]

    def chance_weights(self, position: Position) -> list[tuple[int, int]]:
        """Each face of the next die is equally likely, and so is each possible tray."""
        return [(outcome, 1) for outcome in outcomes(position)]

    def apply(self, position: Position, action: int) -> None:
        """Throw a die, or carry out a decision."""
        if position.phase.is_chance:
            self._roll(position, action)
        elif position.cascade is not None:
            self._cross_in_row(position, MARKS[action - FREE_MARK])
        elif position.due:
            self._use_question_mark(position, action)
        else:
            self._decide(position, action)

    def _decide(self, position: Position, action: int) -> None:
        match position.phase:
            case Phase.RETURN if action == GO_ON:
                self._throw_pool(position)
            case Phase.RETURN:
                self._return_die(position, Die(action - RETURN))
            case Phase.PICK if action == REROLL:
                self._reroll(position)
            case Phase.PICK if action == PICK_NO_DIE:
                self._next_roll(position)
            case Phase.PICK:
                self._pick(position, *pick_of(action))
            case Phase.PASSIVE if action == PICK_NO_DIE:
                self._open_extra_window(position)
            case Phase.EXTRA if action == GO_ON:
                self._close_extra_window(position)
            case Phase.EXTRA:
                self._use_extra_die(position, *pick_of(action))
            case _:
                _, mark = pick_of(action)
                self._mark(position, mark)

    # Rounds and turns.

    def _start_round(self, position: Position) -> None:
        position.phase = Phase.ROUND
        position.roll = 0
        position.gather_dice()
        for sheet in position.sheets:
            sheet.extra_dice_used.clear()  # [O2-56] [O2-57]
        position.active = 0
        position.seat = 0
        self._give_round_bonus(position)

    def _give_round_bonus(self, position: Position) -> None:
        """Give the seat the bonus of the round, if there is one. [O2-4]"""
        if position.round in ROUND_BONUS:
            position.due.append(ROUND_BONUS[position.round])
        self._resolve_bonuses(position)

    def _end_round_bonus(self, position: Position) -> None:
        if position.seat + 1 < self.num_players:
            position.seat += 1
            self._give_round_bonus(position)
        else:
            self._start_turn(position)

    def _start_turn(self, position: Position) -> None:
        position.seat = position.active
        position.roll = 0
        position.gather_dice()
        self._next_roll(position)

    def _end_turn(self, position: Position) -> None:
        """Go on with the next active player, the next round, or to the end. [O2-3] [O2-69]"""
        if position.active + 1 < self.num_players:
            position.active += 1
            self._start_turn(position)
        elif position.round < self.house.rounds:
            position.round += 1
            self._start_round(position)
        else:
            position.phase = Phase.OVER

    # Rolls of the active player.

    def _next_roll(self, position: Position) -> None:
        """Go on to the next roll, first to the return window before it. [O2-35] [O2-81]"""
        if position.roll == ROLLS_IN_A_TURN:
            self._end_rolls(position)
            return
        position.roll += 1
        position.take_pool_in_hand()
        self._open_return_window(position)

    def _open_return_window(self, position: Position) -> None:
        """Offer a return while one is left and a die lies on the platter. [O2-49] [O2-51]"""
        returns = position.own_sheet.bars[Bonus.RETURN]
        if returns.left and position.dice_at(Place.PLATTER):
            position.phase = Phase.RETURN
        else:
            self._throw_pool(position)

    def _return_die(self, position: Position, die: Die) -> None:
        position.own_sheet.bars[Bonus.RETURN].used += 1
        position.places[die] = Place.POOL
        position.take_pool_in_hand()
        self._open_return_window(position)

    def _throw_pool(self, position: Position) -> None:
        """Throw what is in the pool; without a die there the rolls are over. [O2-39] [O2-51]"""
        if position.dice_at(Place.POOL):
            position.phase = Phase.ROLL
        else:
            self._end_rolls(position)

    def _roll(self, position: Position, outcome: int) -> None:
        """Throw one die, or draw who gets the last places on the tray."""
        if position.phase is Phase.TRAY:
            self._fill_tray(position, TRIOS[outcome - FIRST_TRIO])
            return
        die, face = throw_of(outcome)
        position.faces[die] = face
        if position.next_to_throw() is not None:
            return
        if position.phase is Phase.PASSIVE_ROLL:
            self._end_passive_roll(position)
        else:
            position.phase = Phase.PICK

    def _reroll(self, position: Position) -> None:
        """Take the dice just thrown into the hand again. [O2-48] [O2-53]"""
        position.own_sheet.bars[Bonus.REROLL].used += 1
        position.take_pool_in_hand()
        if self.house.return_before_reroll:
            self._open_return_window(position)
        else:
            self._throw_pool(position)

    def _end_rolls(self, position: Position) -> None:
        """Move the dice that are left to the platter. [O2-40]"""
        for die in position.dice_at(Place.POOL):
            position.places[die] = Place.PLATTER
        self._open_extra_window(position)

    # The active player's choice.

    def _pick(self, position: Position, die: Die, mark: Mark) -> None:
        """Take a die to the fields and lower ones to the platter; make the marks. [O2-36]"""
        position.places[die] = Place.FIELD
        moved = [
            other
            for other in position.dice_at(Place.POOL)
            if position.faces[other] < position.faces[die]
        ]
        for other in moved:
            position.places[other] = Place.PLATTER
        position.due += position.own_sheet.make(mark)
        if mark.area is Area.SILVER:
            if self.house.silver_cascade_leftovers and position.roll == ROLLS_IN_A_TURN:
                moved += position.dice_at(Place.POOL)  # [O2-46]
            self._cascade(position, moved)
        if position.cascade is None:
            self._resolve_bonuses(position)

    def _cascade(self, position: Position, moved: Sequence[Die]) -> None:
        """Cross the dice moved by a silver choice, and ask for the row of the last. [O2-42]"""
        silver = position.own_sheet.silver
        for row, die in enumerate(SILVER_ROWS):
            mark = Mark(Area.SILVER, position.faces[die], row)
            if die in moved and mark in silver.marks(mark.number):
                position.due += silver.make(mark)
        for die in (Die.WHITE, Die.SILVER):  # the other one was chosen [O2-43]
            if die in moved and cascade_marks(position, die):
                position.cascade = die

    def _cross_in_row(self, position: Position, mark: Mark) -> None:
        position.cascade = None
        self._mark(position, mark)

    # Bonuses.

    def _mark(self, position: Position, mark: Mark) -> None:
        """Make the last mark of a choice, or the mark of a ?, then resolve what has become due."""
        position.due += position.own_sheet.make(mark)
        self._resolve_bonuses(position)

    def _resolve_bonuses(self, position: Position) -> None:
        """Book what books itself; go on when no ? is left to be used. [O2-32] [O2-33]"""
        sheet = position.own_sheet
        queue: list[Bonus] = []
        for bonus in position.due:
            queue += [bonus] if bonus.is_question_mark else sheet.book(bonus)
        while queue and not sheet.is_usable(queue[0]):
            del queue[0]  # [O2-30]
        position.due = queue
        if not queue:
            self._after_bonuses(position)

    def _use_question_mark(self, position: Position, action: int) -> None:
        """Make the mark of the ? in front; a black ? becomes the ? of the chosen colour."""
        if position.due[0] is Bonus.Q_ANY:
            position.due[0] = QUESTION_MARK[Area(action - CHOOSE_COLOUR)]
        else:
            del position.due[0]
            self._mark(position, MARKS[action - FREE_MARK])

    def _after_bonuses(self, position: Position) -> None:
        match position.phase:
            case Phase.ROUND:
                self._end_round_bonus(position)
            case Phase.PICK:
                self._next_roll(position)
            case Phase.PASSIVE:
                self._open_extra_window(position)
            case _:
                self._offer_extra_die(position)

    # The end of each player's part of a turn: extra dice.

    def _open_extra_window(self, position: Position) -> None:
        if self.house.extra_die_scope == "turn":
            position.own_sheet.extra_dice_used.clear()  # [O2-57]
        self._offer_extra_die(position)

    def _offer_extra_die(self, position: Position) -> None:
        position.phase = Phase.EXTRA
        if not extra_picks(position):
            self._close_extra_window(position)

    def _use_extra_die(self, position: Position, die: Die, mark: Mark) -> None:
        """Mark any die where it lies; no other die moves or is crossed. [O2-54]"""
        sheet = position.own_sheet
        sheet.bars[Bonus.EXTRA_DIE].used += 1
        sheet.extra_dice_used.add(die)
        self._mark(position, mark)

    def _close_extra_window(self, position: Position) -> None:
        if position.roll == 0:
            self._end_passive(position)
        elif self.house.solo:
            self._start_passive_roll(position)
        else:
            position.roll = 0
            self._ask_passive(position, self._seat_left_of(position.active))

    # Passive players.

    def _seat_left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    def _ask_passive(self, position: Position, seat: int) -> None:
        """Let a passive player choose a die, if there is one to mark. [O2-60] [O2-63]"""
        position.seat = seat
        position.phase = Phase.PASSIVE
        if not passive_picks(position):
            self._open_extra_window(position)

    def _end_passive(self, position: Position) -> None:
        following = self._seat_left_of(position.seat)
        if following == position.active:
            self._end_turn(position)
        else:
            self._ask_passive(position, following)

    # The passive turn of a player alone.

    def _start_passive_roll(self, position: Position) -> None:
        """Roll all dice for the player. [O2-64]"""
        position.roll = 0
        position.gather_dice()
        position.phase = Phase.PASSIVE_ROLL

    def _end_passive_roll(self, position: Position) -> None:
        """The three lowest dice go to the platter; equal ones may have to be drawn. [O2-65]"""
        trios = possible_trios(position)
        if len(trios) == 1:
            self._fill_tray(position, TRIOS[trios[0]])
        else:
            position.phase = Phase.TRAY

    def _fill_tray(self, position: Position, trio: Sequence[Die]) -> None:
        for die in DICE:
            position.places[die] = Place.PLATTER if die in trio else Place.ASIDE
        self._ask_passive(position, position.seat)

    # Results.

    def scores(self, position: Position) -> list[int]:
        """Give the total of each seat, as if the game were over now. [O2-75]"""
        return [sheet.total(floor_zero=self.house.fox_floor_zero) for sheet in position.sheets]

    def winners(self, position: Position) -> list[int]:
        """List who has the highest total, among them the highest area; none before the end."""
        if position.phase is not Phase.OVER:
            return []
        areas = [max(sheet.points()) for sheet in position.sheets]
        ranks = list(zip(self.scores(position), areas, strict=True))  # [O2-76]
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]

    # What a seat knows: everything.

    def fields(self) -> list[Field]:
        """List the parts of the observation."""
        return forms.fields(self.num_players)

    def tensor(self, position: Position, seat: int) -> dict[str, Sequence[int]]:
        """Give what the seat knows as numbers."""
        return forms.tensor(position, seat)

    def view(self, position: Position, seat: int) -> dict[str, Any]:
        """Give what the seat knows as a dict."""
        return {"observer": seat, **forms.to_dict(position)}

    def resample(self, position: Position, seat: int, below: Below) -> None:
        """Nothing is hidden, so nothing changes."""

    # Positions in and out.

    def to_dict(self, position: Position) -> dict[str, Any]:
        """Write the whole position."""
        return forms.to_dict(position)

    def from_dict(self, position: object) -> Position:
        """Read a position."""
        return forms.from_dict(self.house, position)

    def encode(self, position: Position) -> bytes:
        """Write the whole position, a byte for each number."""
        return forms.encode(position)

    def decode(self, reader: ByteReader) -> Position:
        """Read what `encode` writes."""
        return forms.decode(self.house, reader)

    def check(self, position: Position) -> None:
        """Refuse a position that breaks an invariant of the game."""
        checks.check(self.house, position)

    # Texts.

    def action_to_string(self, action: int) -> str:
        """Name a decision, as in "pick green 4, write 4 in green"."""
        return decision_text(action)

    def chance_to_string(self, outcome: int) -> str:
        """Name a throw, or the three dice of a tray."""
        return outcome_text(outcome)

    def describe(self, position: Position) -> str:
        """Draw dice and sheets."""
        return forms.describe(self.house, position)


RULES = Optimus2
