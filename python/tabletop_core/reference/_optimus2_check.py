"""Which positions of Optimus 2 can be: what every position keeps to, however it came about.

More is not asked. [O2-99]
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from ._base import require
from ._optimus2_decisions import cascade_marks, extra_picks, passive_picks, possible_trios
from ._optimus2_position import (
    IN_HAND,
    MOST_FIELDS,
    ROLLS_IN_A_TURN,
    TRAY_DICE,
    HouseRules,
    Phase,
    Place,
    Position,
)
from ._optimus2_sheet import (
    BAR_END,
    BAR_SLOTS,
    BLUE_SUMS,
    DICE,
    FACES,
    GREEN_MULTIPLIER,
    ROUND_BONUS,
    Bonus,
    Die,
    Sheet,
)

_BLACK_ROUND = next(number for number, bonus in ROUND_BONUS.items() if bonus is Bonus.Q_ANY)
_MAY_HAVE_DUE = {Phase.ROUND, Phase.PICK, Phase.PASSIVE, Phase.EXTRA}


def check(house: HouseRules, position: Position) -> None:
    """Raise a PositionError if the position cannot be."""
    _check_turn(house, position)
    for seat, sheet in enumerate(position.sheets):
        _check_lines(sheet, f"sheets[{seat}]")
        _check_actions(position, seat)
    _check_dice(house, position)
    if position.cascade is not None:
        _check_cascade(house, position)
    elif position.due:
        _check_due(position)
    else:
        _check_something_to_choose(position)
    _check_sources_of_due(position)


# --- Whose turn it is ---


def _check_turn(house: HouseRules, position: Position) -> None:
    """Seat and roll must be those of the phase."""
    phase, seat, active = position.phase, position.seat, position.active
    require(position.round >= 1, f"round must be at least 1, not {position.round}")
    if phase in {Phase.PASSIVE_ROLL, Phase.TRAY}:
        require(house.solo, f"phase {phase.word} needs a player alone")
    _check_roll(house, position)
    if phase is Phase.ROUND:
        require(active == 0, f"active must be 0 in phase round, not {active}")
    elif phase is Phase.OVER:
        require(
            position.round == house.rounds and active == house.players - 1,
            f"phase over needs round {house.rounds} and active {house.players - 1}",
        )
        last = max(house.players - 2, 0)
        require(seat == last, f"seat must be {last} in phase over, not {seat}")
    elif position.is_tray_part:
        require(
            house.solo or seat != active,
            f"seat must be a passive player in phase {phase.word} with roll 0, not {seat}",
        )
    else:
        require(
            seat == active, f"seat must be the active player, {active}, in this phase, not {seat}"
        )


def _check_roll(house: HouseRules, position: Position) -> None:
    phase, roll = position.phase, position.roll
    if phase is Phase.EXTRA:
        require(
            house.solo or (roll > 0) == (position.seat == position.active),
            "roll in phase extra must be 1..3 for the active player and 0 for the others, "
            f"not {roll} for seat {position.seat}",
        )
    elif phase.is_of_active_rolls:
        require(roll > 0, f"roll must be in 1..{ROLLS_IN_A_TURN} in phase {phase.word}, not 0")
    else:
        require(roll == 0, f"roll must be 0 in phase {phase.word}, not {roll}")


# --- Sheets ---


def _check_lines(sheet: Sheet, where: str) -> None:
    """Refuse numbers that could not be written where they stand. [O2-90]"""
    blue = sheet.blue.written
    require(
        all(number in BLUE_SUMS for number in blue),
        f"blue of {where} must have numbers in 2..12, not {blue}",
    )
    require(
        all(first >= second for first, second in pairwise(blue)),
        f"blue of {where} must not increase, as in {blue}",
    )
    for space, number in enumerate(sheet.green.written):
        times = GREEN_MULTIPLIER[space]
        require(
            number in {face * times for face in FACES},
            f"green[{space}] of {where} must be {times} times a face, not {number}",
        )
    for space, number in enumerate(sheet.pink.written):
        require(
            number in FACES, f"pink[{space}] of {where} must be in 1..{len(FACES)}, not {number}"
        )


def _check_actions(position: Position, seat: int) -> None:
    """Everything that books itself is booked, unless it is still due. [O2-91]"""
    sheet = position.sheets[seat]
    booked = _sources(position, seat)
    if seat == position.seat:
        booked.subtract(position.due)
    for name, bar in sheet.bars.items():
        require(
            bar.earned == booked[name],
            f"{name.word} of sheets[{seat}] must have {booked[name]} earned, as rounds and marks "
            f"have earned (and due does not list), not {bar.earned}",
        )
        require(
            bar.used <= bar.earned,
            f"{name.word} of sheets[{seat}] must have {bar.earned} used at most, not {bar.used}",
        )
    foxes = booked[Bonus.FOX] + _is_full(sheet, Bonus.REROLL)
    require(
        sheet.foxes == foxes,
        f"foxes of sheets[{seat}] must be {foxes}, as the marks have earned, not {sheet.foxes}",
    )
    used = len(sheet.extra_dice_used)
    most = 0 if position.phase is Phase.ROUND else sheet.bars[Bonus.EXTRA_DIE].used
    require(
        used <= most,
        f"extra_dice_used of sheets[{seat}] may have {most} dice here, not {used}",
    )


def _sources(position: Position, seat: int) -> Counter[Bonus]:
    """Count the bonuses that rounds and marks have brought a seat so far, the ends of bars not."""
    begun = position.round - (position.phase is Phase.ROUND and seat > position.seat)
    sources = Counter(position.sheets[seat].bonuses())
    sources.update(bonus for number, bonus in ROUND_BONUS.items() if number <= begun)
    return sources


def _is_full(sheet: Sheet, bar: Bonus) -> bool:
    return sheet.bars[bar].earned == BAR_SLOTS


# --- Bonuses that are due ---


def _check_due(position: Position) -> None:
    """Outside a cascade the list is one of ? that can be used, one after another. [O2-92]"""
    phase, due = position.phase, position.due
    require(phase in _MAY_HAVE_DUE, f"due must be empty in phase {phase.word}")
    require(
        all(bonus.is_question_mark for bonus in due),
        f"due must have only ? where no cascade is open, not {_words(due)}",
    )
    require(
        position.own_sheet.is_usable(due[0]), f"{due[0].word} is due first, but can mark nothing"
    )
    black_may_be_due = phase is Phase.ROUND and position.round == _BLACK_ROUND
    require(
        Bonus.Q_ANY not in (due[1:] if black_may_be_due else due),
        f"q_any can be due only as the first, in phase round of round {_BLACK_ROUND}",
    )


def _check_sources_of_due(position: Position) -> None:
    """Every ? that is due must have come from somewhere."""
    sheet = position.own_sheet
    sources = _sources(position, position.seat)
    sources.update(end for bar, end in BAR_END.items() if _is_full(sheet, bar))
    due = Counter(bonus for bonus in position.due if bonus.is_question_mark)
    beyond = sum((due - sources).values())
    # Once the colour of the black ? has been chosen, it is due in that colour.
    black = position.phase is Phase.ROUND and position.round == _BLACK_ROUND
    spare = int(black and Bonus.Q_ANY not in due)
    require(
        beyond <= spare,
        f"due has more ? of a colour than marks, bars and rounds have earned: "
        f"{_words(position.due)}",
    )


def _words(due: list[Bonus]) -> str:
    return ", ".join(bonus.word for bonus in due)


def _check_something_to_choose(position: Position) -> None:
    """With nothing due there must be something to choose where the phase is only for that."""
    sheet = position.own_sheet
    match position.phase:
        case Phase.ROUND:
            require(False, "something must be due in phase round")
        case Phase.RETURN:
            require(sheet.bars[Bonus.RETURN].left > 0, "phase return needs a return left")
        case Phase.PASSIVE:
            require(
                bool(passive_picks(position)),
                f"phase passive needs a die that seat {position.seat} can mark",
            )
        case Phase.EXTRA:
            require(
                bool(extra_picks(position)),
                "phase extra needs an extra die left and a die, not used yet, that "
                f"seat {position.seat} can mark",
            )


def _check_cascade(house: HouseRules, position: Position) -> None:
    """A silver choice has just moved the die whose row is open. [O2-97]"""
    die = position.cascade
    assert die is not None
    require(
        position.phase is Phase.PICK,
        f"cascade must be None in phase {position.phase.word}, not {die.word}",
    )
    leftover = house.silver_cascade_leftovers and position.roll == ROLLS_IN_A_TURN
    allowed = {Place.PLATTER, Place.POOL} if leftover else {Place.PLATTER}
    require(
        position.places[die] in allowed,
        f"the {die.word} die of the cascade must lie on the platter, "
        f"not in place {position.places[die].word}",
    )
    other = Die.SILVER if die is Die.WHITE else Die.WHITE
    require(
        position.places[other] is Place.FIELD,
        f"the {other.word} die must lie on a field in a cascade of the {die.word} die",
    )
    require(
        bool(cascade_marks(position, die)),
        f"no row is open for a {die.word} {position.faces[die]} in the cascade",
    )
    complete = Counter(position.own_sheet.silver.bonuses())
    require(
        not Counter(position.due) - complete,
        f"due may only have bonuses of complete silver columns in a cascade, "
        f"not {_words(position.due)}",
    )


# --- Dice ---


def _check_dice(house: HouseRules, position: Position) -> None:
    """Faces and places of the dice must be those of the phase. [O2-94] [O2-95] [O2-96]"""
    phase = position.phase
    if phase in {Phase.ROUND, Phase.PASSIVE_ROLL, Phase.TRAY}:
        require(
            len(position.dice_at(Place.POOL)) == len(DICE),
            f"all dice must be in the pool in phase {phase.word}",
        )
    _check_faces(position)
    _check_aside(house, position)
    if phase.is_of_active_rolls:
        _check_active_dice(position)
    elif phase in {Phase.PASSIVE, Phase.EXTRA, Phase.OVER}:
        require(not position.dice_at(Place.POOL), f"the pool must be empty in phase {phase.word}")
        fields = len(position.dice_at(Place.FIELD))
        require(fields <= MOST_FIELDS, f"at most {MOST_FIELDS} dice lie on fields, not {fields}")
    if phase is Phase.TRAY:
        require(
            len(possible_trios(position)) > 1,
            "phase tray needs more dice with the third-lowest face than there are places left",
        )


def _check_faces(position: Position) -> None:
    """Only dice of the pool can be in hand; how many are, depends on the phase."""
    phase = position.phase
    in_hand = [die for die in DICE if position.faces[die] == IN_HAND]
    pool = position.dice_at(Place.POOL)
    match phase:
        case Phase.ROUND | Phase.RETURN:
            require(in_hand == pool, f"just the pool must be without faces in phase {phase.word}")
        case Phase.ROLL | Phase.PASSIVE_ROLL:
            require(
                bool(in_hand) and in_hand == pool[len(pool) - len(in_hand) :],
                f"in phase {phase.word} one or more dice, the last ones of the pool, must be "
                "without faces",
            )
        case _:
            require(not in_hand, f"all dice must have faces in phase {phase.word}")


def _check_aside(house: HouseRules, position: Position) -> None:
    """After the passive roll of a player alone there are the tray and the dice aside."""
    aside = position.dice_at(Place.ASIDE)
    split = house.solo and position.is_tray_part and not position.phase.is_chance
    if not split:
        require(not aside, "dice lie aside only in the passive part of a solo turn")
        return
    platter = position.dice_at(Place.PLATTER)
    require(
        len(platter) == TRAY_DICE and len(aside) == len(DICE) - TRAY_DICE,
        f"the passive part of a solo turn needs {TRAY_DICE} dice on the platter and the others "
        "aside",
    )
    highest = max(position.faces[die] for die in platter)
    require(
        all(position.faces[die] >= highest for die in aside),
        "no die of the platter may be higher than one that lies aside",
    )


def _check_active_dice(position: Position) -> None:
    phase, roll = position.phase, position.roll
    fields = position.dice_at(Place.FIELD)
    platter = position.dice_at(Place.PLATTER)
    has_picked = phase is Phase.PICK and (position.cascade is not None or bool(position.due))
    least, most = (1, roll) if has_picked else (0, roll - 1)
    require(
        least <= len(fields) <= most,
        f"{least} to {most} dice may lie on fields in roll {roll} here, not {len(fields)}",
    )
    highest = max((position.faces[die] for die in fields), default=0)
    require(
        all(position.faces[die] < highest for die in platter),
        "every die of the platter must be lower than some die on a field",
    )
    if phase is Phase.RETURN:
        require(bool(platter), "the platter must not be empty in phase return")
    if phase is Phase.PICK and not has_picked:
        require(
            bool(position.dice_at(Place.POOL)),
            "the pool must not be empty in phase pick when a die is to be chosen",
        )
