"""The game of Optimus 2 played again on the dicts of its positions.

Nothing here is taken from an engine: `after` follows the rules page, a third reading of the rules.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from tests.rules.optimus2_sheet import (
    AREAS,
    DICE,
    ROUND_BONUSES,
    SILVER_DIE,
    SILVER_ROWS,
    Sheet,
    area_marks,
    area_of,
    area_points,
    book,
    free_marks,
    make_mark,
    own_die,
    silver,
    total_points,
)
from tests.rules.optimus2_table import (
    COLOUR,
    FREE,
    GO_ON,
    NO_DIE,
    OWN,
    REROLL,
    RETURN,
    ROUNDS,
    TRIOS,
    WITH_WHITE,
    dice_at,
    faces,
    lying,
    pick,
    set_up,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabletop_core.protocol import Game, State
    from tests.rules.optimus2_table import Shown


def beginning(options: Mapping[str, Any]) -> Shown:
    """Give the first position."""
    shown = set_up("round", options["players"], round=0)
    _begin_round(shown)
    _settle(shown, options)
    return shown


def die_marks(shown: Shown, seat: int, die: int) -> list[int]:
    """List the legal actions with a die."""
    sheet, face = shown["sheets"][seat], shown["dice"][DICE[die]]["face"]
    total = shown["dice"]["white"]["face"] + shown["dice"]["blue"]["face"]
    areas = [area for area in AREAS if die in {0, own_die(area)}]
    return [pick(die, mark) for area in areas for mark in area_marks(sheet, area, face, total)]


def tray_dice(shown: Shown) -> list[int]:
    """List the dice that the passive player may choose from."""
    platter = lying(shown, "platter")
    if any(die_marks(shown, shown["seat"], die) for die in platter):
        return platter
    return lying(shown, "field")


def extra_dice(shown: Shown) -> list[int]:
    """List the dice that the player may use as an extra die now."""
    sheet = shown["sheets"][shown["seat"]]
    if left(sheet, "extra_die") == 0:
        return []
    return [die for die in range(6) if DICE[die] not in sheet["extra_dice_used"]]


def left(sheet: Sheet, bar: str) -> int:
    """Give how many actions of a bar are left."""
    return int(sheet[bar]["earned"] - sheet[bar]["used"])


def with_dice(shown: Shown, dice: Sequence[int]) -> list[int]:
    """List the legal actions with any of these dice."""
    return sorted(action for die in dice for action in die_marks(shown, shown["seat"], die))


def usable(sheet: Sheet, bonus: str) -> list[str]:
    """List the areas in which a ? has a legal mark."""
    areas = AREAS if bonus == "q_any" else (bonus.removeprefix("q_"),)
    return [area for area in areas if free_marks(sheet, area)]


def legal_actions(shown: Shown, options: Mapping[str, Any]) -> list[int]:
    """List what the seat to move may do."""
    phase, sheet = shown["phase"], shown["sheets"][shown["seat"]]
    if shown["cascade"]:
        return [FREE + mark for mark in cascade_rows(shown)]
    if shown["due"]:
        if shown["due"][0] == "q_any":
            return [COLOUR + AREAS.index(area) for area in usable(sheet, "q_any")]
        return [FREE + mark for mark in free_marks(sheet, shown["due"][0].removeprefix("q_"))]
    if phase == "return":
        return [GO_ON, *(RETURN + die for die in lying(shown, "platter"))]
    if phase == "pick":
        found = with_dice(shown, lying(shown, "pool"))
        may_pass = not found or options["pass_policy"] == "free"
        return [NO_DIE] * may_pass + [REROLL] * (left(sheet, "reroll") > 0) + found
    if phase == "passive":
        return [NO_DIE, *with_dice(shown, tray_dice(shown))]
    assert phase == "extra"
    return [GO_ON, *with_dice(shown, extra_dice(shown))]


def outcomes(shown: Shown) -> list[int]:
    """List the outcomes of a chance node, all of the same probability; none at other nodes."""
    if shown["phase"] in {"roll", "passive_roll"}:
        die = min(die for die in lying(shown, "pool") if faces(shown)[die] is None)
        return list(range(6 * die, 6 * die + 6))
    return [36 + TRIOS.index(trio) for trio in trays(shown)] if shown["phase"] == "tray" else []


def trays(shown: Shown) -> list[tuple[int, ...]]:
    """List the trios that may be the three lowest dice."""
    values = [face or 0 for face in faces(shown)]
    lowest = sorted(values)[:3]
    return [trio for trio in TRIOS if sorted(values[die] for die in trio) == lowest]


def cascade_rows(shown: Shown) -> list[int]:
    """List the marks that the white or the silver die may make in a cascade."""
    number = shown["dice"][shown["cascade"]]["face"]
    return area_marks(shown["sheets"][shown["active"]], "silver", number, 0)


def after(shown: Shown, action: int, options: Mapping[str, Any]) -> Shown:
    """Give the position after an action or an outcome."""
    new = deepcopy(shown)
    phase, sheet = new["phase"], new["sheets"][new["seat"]]
    if phase in {"roll", "passive_roll"}:
        new["dice"][DICE[action // 6]]["face"] = action % 6 + 1
        if None not in [faces(new)[die] for die in lying(new, "pool")]:
            _thrown(new, options)
    elif phase == "tray":
        _lay_tray(new, TRIOS[action - 36], options)
    elif new["cascade"]:
        new["due"] += make_mark(sheet, action - FREE)
        new["cascade"] = None
        _resolve(new, new["due"], options)
    elif action >= OWN:
        _use(new, action, options)
    elif action >= FREE:
        new["due"].pop(0)
        book(sheet, new["due"], make_mark(sheet, action - FREE))
        _settle(new, options)
    elif action >= COLOUR:
        new["due"][0] = "q_" + AREAS[action - COLOUR]
    elif action >= RETURN:
        sheet["return"]["used"] += 1
        new["dice"][DICE[action - RETURN]] = {"face": None, "place": "pool"}
        if not _window_opens(new):
            new["phase"] = "roll"
    elif action == REROLL:
        sheet["reroll"]["used"] += 1
        _pick_up(new)
        new["phase"] = "roll"
        if options["return_before_reroll"] and _window_opens(new):
            new["phase"] = "return"
    elif phase == "return":
        _roll_or_end(new, options)
    elif phase == "pick":
        _next_roll(new, options)
    elif phase == "passive":
        _open_extra(new, options)
    else:
        _close_extra(new, options)
    return new


def _use(new: Shown, action: int, options: Mapping[str, Any]) -> None:
    """Let a die make its mark, as the active player's choice, a passive player's or an extra die."""
    mark = action - (WITH_WHITE if action >= WITH_WHITE else OWN)
    die = 0 if action >= WITH_WHITE else own_die(area_of(mark))
    sheet = new["sheets"][new["seat"]]
    fallen = make_mark(sheet, mark)
    if new["phase"] == "extra":
        sheet["extra_die"]["used"] += 1
        used = {*sheet["extra_dice_used"], DICE[die]}
        sheet["extra_dice_used"] = [name for name in DICE if name in used]
    elif new["phase"] == "pick":
        new["dice"][DICE[die]]["place"] = "field"
        swept = [other for other in lying(new, "pool") if _face(new, other) < _face(new, die)]
        for other in swept:
            new["dice"][DICE[other]]["place"] = "platter"
        if options["silver_cascade_leftovers"] and new["roll"] == 3:
            swept = sorted([*swept, *lying(new, "pool")])
        if area_of(mark) == "silver":
            for other in swept:
                row = DICE[other]
                if row in SILVER_ROWS and _face(new, other) not in sheet["silver"][row]:
                    fallen += make_mark(sheet, silver(row, _face(new, other)))
            for other in {0, SILVER_DIE} & set(swept):
                new["cascade"] = DICE[other]
            if new["cascade"] and cascade_rows(new):
                new["due"] = fallen
                return
            new["cascade"] = None
    _resolve(new, fallen, options)


def _face(new: Shown, die: int) -> int:
    return int(new["dice"][DICE[die]]["face"])


def _resolve(new: Shown, fallen: Sequence[str], options: Mapping[str, Any]) -> None:
    """Go through what has fallen due when all marks are made."""
    new["due"] = []
    book(new["sheets"][new["seat"]], new["due"], fallen)
    _settle(new, options)


def _settle(new: Shown, options: Mapping[str, Any]) -> None:
    """Lose each ? at the front that cannot be used, and go on if nothing is due."""
    while new["due"] and not usable(new["sheets"][new["seat"]], new["due"][0]):
        new["due"].pop(0)
    if new["due"]:
        return
    if new["phase"] == "round":
        if new["seat"] + 1 < len(new["sheets"]):
            new["seat"] += 1
            _give_round_bonus(new)
            _settle(new, options)
        else:
            _begin_turn(new, 0, options)
    elif new["phase"] == "pick":
        _next_roll(new, options)
    elif new["phase"] == "passive":
        _open_extra(new, options)
    elif not with_dice(new, extra_dice(new)):
        _close_extra(new, options)


def _begin_round(new: Shown) -> None:
    new.update(phase="round", round=new["round"] + 1, active=0, seat=0, roll=0, dice=dice_at())
    for sheet in new["sheets"]:
        sheet["extra_dice_used"] = []
    _give_round_bonus(new)


def _give_round_bonus(new: Shown) -> None:
    bonus = ROUND_BONUSES[new["round"] - 1]
    book(new["sheets"][new["seat"]], new["due"], [bonus] if bonus else [])


def _begin_turn(new: Shown, seat: int, options: Mapping[str, Any]) -> None:
    new.update(active=seat, seat=seat, roll=0, dice=dice_at())
    _next_roll(new, options)


def _next_roll(new: Shown, options: Mapping[str, Any]) -> None:
    if new["roll"] == 3:
        _end_rolls(new, options)
        return
    new["roll"] += 1
    _pick_up(new)
    if _window_opens(new):
        new["phase"] = "return"
    else:
        _roll_or_end(new, options)


def _pick_up(new: Shown) -> None:
    for die in lying(new, "pool"):
        new["dice"][DICE[die]]["face"] = None


def _window_opens(new: Shown) -> bool:
    return left(new["sheets"][new["active"]], "return") > 0 and bool(lying(new, "platter"))


def _roll_or_end(new: Shown, options: Mapping[str, Any]) -> None:
    if lying(new, "pool"):
        new["phase"] = "roll"
    else:
        _end_rolls(new, options)


def _thrown(new: Shown, options: Mapping[str, Any]) -> None:
    """Go on when the last die has come to lie."""
    if new["phase"] == "roll":
        new["phase"] = "pick"
        return
    new["phase"] = "tray"
    if len(trays(new)) == 1:
        _lay_tray(new, trays(new)[0], options)


def _lay_tray(new: Shown, trio: Sequence[int], options: Mapping[str, Any]) -> None:
    for number, die in enumerate(DICE):
        new["dice"][die]["place"] = "platter" if number in trio else "aside"
    _ask_passive(new, options)


def _end_rolls(new: Shown, options: Mapping[str, Any]) -> None:
    for die in lying(new, "pool"):
        new["dice"][DICE[die]]["place"] = "platter"
    _open_extra(new, options)


def _open_extra(new: Shown, options: Mapping[str, Any]) -> None:
    new["phase"] = "extra"
    if options["extra_die_scope"] == "turn":
        new["sheets"][new["seat"]]["extra_dice_used"] = []
    _settle(new, options)


def _close_extra(new: Shown, options: Mapping[str, Any]) -> None:
    players = len(new["sheets"])
    # In a solo game the seat is the active one in both windows; only that of the active turn has a number of a roll.
    if players == 1 and new["roll"]:
        new.update(phase="passive_roll", roll=0, dice=dice_at())
        return
    following = (new["seat"] + 1) % players
    if following != new["active"]:
        new.update(seat=following, roll=0)
        _ask_passive(new, options)
    elif new["active"] + 1 < players:
        _begin_turn(new, new["active"] + 1, options)
    elif new["round"] < ROUNDS[players]:
        _begin_round(new)
        _settle(new, options)
    else:
        new["phase"] = "over"


def _ask_passive(new: Shown, options: Mapping[str, Any]) -> None:
    new["phase"] = "passive"
    if not with_dice(new, tray_dice(new)):
        _open_extra(new, options)


# Ends


def totals(shown: Shown, options: Mapping[str, Any]) -> list[int]:
    """Give the total of each seat as it is now."""
    return [total_points(sheet, options) for sheet in shown["sheets"]]


def winners(shown: Shown, options: Mapping[str, Any]) -> list[int]:
    """Say who wins: the highest total, then the highest single area."""
    ranks = [
        (total, max(area_points(sheet)))
        for total, sheet in zip(totals(shown, options), shown["sheets"], strict=True)
    ]
    return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]


def follow(game: Game, rng: Any) -> Iterator[tuple[State, Shown]]:
    """Play a random game and give at each node the live state and what it should show."""
    state, expected = game.new_initial_state(), beginning(game.options)
    while True:
        yield state, expected
        if expected["phase"] == "over":
            return
        legal = outcomes(expected) or legal_actions(expected, game.options)
        action = legal[rng.below(len(legal))]
        state.apply_action(action)
        expected = after(expected, action, game.options)
