"""What players and dice can decide in Optimus 2: the ids, their texts, and which are possible.

Ids of decisions: pick no die (0), go on (1), reroll (2); return a die (3 + die); the colour of a
black ? (9 + area); a free mark, of a ? or of the row of a cascade (14 + m); a mark of the die of
the mark's own area (81 + m); a mark of the white die (148 + m). m is the place in `MARKS`.

Ids of chance: a die shows a face (6 * die + face - 1); a solo player's passive roll leaves three
dice on the platter (36 + the place in `TRIOS`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from ._optimus2_position import TRAY_DICE, Phase, Place, Position
from ._optimus2_sheet import (
    AREA_OF_QUESTION_MARK,
    AREAS,
    DICE,
    DIE_OF_AREA,
    FACES,
    MARK_INDEX,
    MARKS,
    Area,
    Bonus,
    Die,
    Mark,
)

# Ids of decisions.
PICK_NO_DIE = 0
GO_ON = 1
REROLL = 2
RETURN = 3  # + die
CHOOSE_COLOUR = RETURN + len(DICE)  # + area
FREE_MARK = CHOOSE_COLOUR + len(Area)  # + place of the mark
OWN_DIE_MARKS = FREE_MARK + len(MARKS)  # + place of the mark
WHITE_DIE_MARKS = OWN_DIE_MARKS + len(MARKS)  # + place of the mark
DECISIONS = WHITE_DIE_MARKS + len(MARKS)

# Ids of chance.
TRIOS = list(combinations(DICE, TRAY_DICE))
FIRST_TRIO = len(DICE) * len(FACES)  # + place in TRIOS
SOLO_OUTCOMES = FIRST_TRIO + len(TRIOS)


def pick_of(decision: int) -> tuple[Die, Mark]:
    """Give die and mark of the decision to use a die."""
    if decision >= WHITE_DIE_MARKS:
        return Die.WHITE, MARKS[decision - WHITE_DIE_MARKS]
    mark = MARKS[decision - OWN_DIE_MARKS]
    return DIE_OF_AREA[mark.area], mark


def throw_of(outcome: int) -> tuple[Die, int]:
    """Give die and face of a throw."""
    die, index = divmod(outcome, len(FACES))
    return DICE[die], FACES[index]


# --- What is possible ---


def marks_of_die(position: Position, die: Die, area: Area) -> list[Mark]:
    """List the marks that a die can make in an area.

    A die counts as its face; in the blue area it is always the sum of the blue and the white die,
    wherever they lie. [O2-26]
    """
    faces = position.faces
    number = faces[Die.BLUE] + faces[Die.WHITE] if area is Area.BLUE else faces[die]
    return position.own_sheet.area(area).marks(number)


def picks(position: Position, dice: Iterable[Die]) -> list[int]:
    """List the decisions to use one of these dice; the white one fits any area. [O2-27] [O2-28]"""
    found = []
    for die in dice:
        white = die is Die.WHITE
        for area in AREAS:
            if white or DIE_OF_AREA[area] is die:
                first = WHITE_DIE_MARKS if white else OWN_DIE_MARKS
                marks = marks_of_die(position, die, area)
                found += [first + MARK_INDEX[mark] for mark in marks]
    return sorted(found)


def active_picks(position: Position) -> list[int]:
    """List what the active player can choose after a roll."""
    return picks(position, position.dice_at(Place.POOL))


def passive_picks(position: Position) -> list[int]:
    """List what a passive player can choose.

    Only a player who can use no die of the platter may use one of the active player's fields.
    [O2-62]
    """
    return picks(position, position.dice_at(Place.PLATTER)) or picks(
        position, position.dice_at(Place.FIELD)
    )


def extra_picks(position: Position) -> list[int]:
    """List what the player can mark with an extra die: any of the six, wherever it lies. [O2-54]"""
    sheet = position.own_sheet
    if not sheet.bars[Bonus.EXTRA_DIE].left:
        return []
    return picks(position, [die for die in DICE if die not in sheet.extra_dice_used])


def cascade_marks(position: Position, die: Die) -> list[Mark]:
    """List the rows in which the white or silver die can be crossed in a cascade. [O2-43]"""
    return position.own_sheet.silver.marks(position.faces[die])


def free_decisions(position: Position) -> list[int]:
    """List the marks of a cascade or of the ? that is due, or the colours of a black ?. [O2-29]"""
    sheet = position.own_sheet
    if position.cascade is not None:
        marks = cascade_marks(position, position.cascade)
    elif position.due[0] is Bonus.Q_ANY:
        return [CHOOSE_COLOUR + area for area in sheet.usable_areas()]
    else:
        marks = sheet.area(AREA_OF_QUESTION_MARK[position.due[0]]).marks_of_question_mark()
    return sorted(FREE_MARK + MARK_INDEX[mark] for mark in marks)


def possible_trios(position: Position) -> list[int]:
    """List, by their places in TRIOS, the trios of dice that show the three lowest faces. [O2-65]"""
    lowest = sorted(position.faces)[:TRAY_DICE]
    return [
        index
        for index, trio in enumerate(TRIOS)
        if sorted(position.faces[die] for die in trio) == lowest
    ]


def outcomes(position: Position) -> list[int]:
    """List what chance can do; all outcomes are equally likely."""
    if position.phase is Phase.TRAY:
        return [FIRST_TRIO + index for index in possible_trios(position)]
    die = position.next_to_throw()
    assert die is not None
    return [len(FACES) * die + index for index in range(len(FACES))]


# --- Texts ---


def decision_text(decision: int) -> str:
    """Name a decision."""
    if decision < RETURN:
        return ("pick no die", "go on", "reroll")[decision]
    if decision < CHOOSE_COLOUR:
        return f"return {Die(decision - RETURN).word}"
    if decision < FREE_MARK:
        return f"choose the {Area(decision - CHOOSE_COLOUR).word} ?"
    if decision < OWN_DIE_MARKS:
        return MARKS[decision - FREE_MARK].words
    die, mark = pick_of(decision)
    face = "" if mark.area is Area.BLUE else f" {mark.number}"  # the sum does not tell the face
    area = f" as {mark.area.word}" if die is Die.WHITE else ""
    return f"pick {die.word}{face}{area}, {mark.words}"


def outcome_text(outcome: int) -> str:
    """Name an outcome of chance."""
    if outcome >= FIRST_TRIO:
        return "tray " + ", ".join(die.word for die in TRIOS[outcome - FIRST_TRIO])
    die, face = throw_of(outcome)
    return f"roll {die.word} {face}"
