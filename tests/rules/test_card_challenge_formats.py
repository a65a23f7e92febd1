"""Card Challenge: ids, texts, positions as dicts and bytes, and ends, on both engines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.card_challenge_table import (
    DUMP,
    KEEP,
    KEYS,
    NAME,
    RULE_SETS,
    after,
    all_bytes,
    card_name,
    kind,
    play,
    set_up,
    table,
    text,
)
from tests.rules.challenges_board import SYMBOLS
from tests.rules.shared import comes_back, load, returns_of
from tests.walks import walk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from tabletop_core.protocol import State


# Ids and texts


@pytest.mark.rule("CC-50", "CC-51")
@pytest.mark.fault("A022")
def test_action_ids_and_texts(engine: ModuleType) -> None:
    game = load(engine, NAME)
    assert game.num_distinct_actions() == 32
    texts = []
    for low in range(6):
        for high in range(low + 1, 6):
            for first in (low, high):
                texts.append(f"play {SYMBOLS[low]}+{SYMBOLS[high]}, {SYMBOLS[first]} first")
    texts += ["keep hand", "dump hand"]
    assert [game.action_to_string(action) for action in range(32)] == texts
    assert [game.action_from_string(text) for text in texts] == list(range(32))
    assert (game.action_from_string("keep hand"), game.action_from_string("dump hand")) == (
        KEEP,
        DUMP,
    )


@pytest.mark.rule("CC-51")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "play red+green",
        "play green+red, red first",
        "play red+red, red first",
        "play red+green, blue first",
        "play red+green, red first ",
        "Play red+green, red first",
        "play red + green, red first",
        "keep",
        "draw red+green",
        "30",
    ],
)
def test_only_exact_action_texts_are_read(engine: ModuleType, text: str) -> None:
    with pytest.raises(tc.IllegalActionError):
        load(engine, NAME).action_from_string(text)


@pytest.mark.rule("CC-52")
def test_chance_ids_and_texts(engine: ModuleType) -> None:
    game = load(engine, NAME)
    assert game.max_chance_outcomes() == 15
    pairs = [[low, high] for low in range(6) for high in range(low + 1, 6)]
    texts = [f"draw {SYMBOLS[low]}+{SYMBOLS[high]}" for low, high in pairs]
    assert [game.chance_to_string(number) for number in range(15)] == texts
    assert [game.chance_from_string(text) for text in texts] == list(range(15))
    for wrong in ("", "draw", "draw green+red", "red+green", "draw red+green "):
        with pytest.raises(tc.IllegalActionError):
            game.chance_from_string(wrong)
    deal = game.new_initial_state()
    assert [deal.action_to_string(number) for number in deal.legal_actions()] == texts


@pytest.mark.rule("CC-53")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_a_position_is_written_line_by_line(engine: ModuleType, options: dict[str, Any]) -> None:
    for state in walk(load(engine, NAME, **options), seed=3):
        assert str(state) == text(state.to_dict())


@pytest.mark.rule("CC-53", "CC-37")
def test_a_capped_end_is_written_as_such(engine: ModuleType) -> None:
    state = table(
        engine,
        {"max_turns": 20},
        phase="over",
        front={0: [(0, 1), (0, 2)], 1: [(4, 5), (3, 4)]},
        hands={0: [(1, 2)] * 4 + [(1, 3)], 1: [(2, 3)] * 4 + [(2, 4)] * 2},
        pile=[],
        truncated=True,
    )
    assert str(state).splitlines() == [
        "card_challenge: over, turn 20 (truncated)",
        "seat 0: pegs 0 0 0 0 0 0, front red+green red+blue, hand green+blue green+blue green+blue green+blue green+orange",
        "seat 1: pegs 0 0 0 0 0 0, front yellow+purple orange+yellow, hand blue+orange blue+orange blue+orange blue+orange blue+yellow blue+yellow",
        "deck: 45 cards",
        "pile: -",
        "bonus turns: 0",
    ]


@pytest.mark.rule("CC-53")
def test_the_start_is_written_without_cards(engine: ModuleType) -> None:
    assert str(load(engine, NAME).new_initial_state()).splitlines() == [
        "card_challenge: deal, seat 0, turn 0",
        "seat 0: pegs 0 0 0 0 0 0, front -, hand -",
        "seat 1: pegs 0 0 0 0 0 0, front -, hand -",
        "deck: 60 cards",
        "pile: -",
        "bonus turns: 0",
    ]


# Dict and bytes


@pytest.mark.rule("CC-63", "CC-66", "CC-67", "CC-68", "CC-69", "CC-70", "CC-71", "CC-72", "CC-73")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_every_position_of_a_game_comes_back_from_its_dict_and_bytes(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    for number, state in enumerate(walk(load(engine, NAME, **options), seed=29)):
        if number % effort(engine, native=1, reference=4) == 0 or state.is_terminal():
            assert tuple(state.to_dict()) == KEYS
            assert comes_back(state)


@pytest.mark.rule("CC-63")
def test_cards_are_read_in_any_order_and_written_by_kind(engine: ModuleType) -> None:
    shown = set_up(pile=[(0, 1), (2, 3), (4, 5)])
    state = load(engine, NAME).state_from_dict(shown)
    changed = json.loads(json.dumps(shown))
    for cards in (*changed["hands"], changed["deck"], changed["pile"]):
        cards.reverse()
    assert load(engine, NAME).state_from_dict(changed) == state
    assert load(engine, NAME).state_from_dict(changed).to_dict() == shown
    # The row of two players has an order that counts.
    changed["front"][0].reverse()
    assert load(engine, NAME).state_from_dict(changed) != state


@pytest.mark.rule("CC-77")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_bytes_are_a_header_and_the_numbers_of_the_position(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **options)
    for state in walk(game, seed=31):
        assert state.to_bytes() == all_bytes(game, state.to_dict())


@pytest.mark.rule("CC-77")
def test_large_counters_take_two_bytes(engine: ModuleType) -> None:
    options = {"max_turns": 65535, "no_progress_limit": 65535}
    state = table(engine, options, turns=0x1234, idle=0x0203)
    assert state.to_bytes() == all_bytes(state.get_game(), state.to_dict())
    assert b"\x34\x12\x03\x02" in state.to_bytes()
    last = table(engine, options, turns=65534, idle=0, pegs={0: [1] * 6, 1: [5] * 6})
    after_it = last.child(last.legal_actions()[0])
    assert after_it.is_terminal()
    assert after_it.to_dict()["turns"] == 65535


@pytest.mark.rule("CC-65", "CC-66", "CC-68", "CC-77")
def test_bytes_of_a_position_that_cannot_be_are_refused(engine: ModuleType) -> None:
    """Each number changed to each of some values: refused, or another position."""
    game = load(engine, NAME)
    state = table(engine, pegs={0: [4, 3, 3, 2, 2, 1], 1: [10, 9, 8, 5, 5, 4]}, pile=[(0, 1)])
    good = state.to_bytes()
    header = good.index(b"}") + 1
    refused = 0
    for place in range(header, len(good)):
        for value in (0, 1, 4, 11, 15, 255):
            changed = good[:place] + bytes([value]) + good[place + 1 :]
            try:
                other = game.state_from_bytes(changed)
            except tc.PositionError:
                refused += 1
            else:
                assert other.to_bytes() == changed
                assert (other == state) == (changed == good)
    # Most numbers count cards, and one card more or less is refused.
    assert refused > 4 * (len(good) - header)
    for bad in (*(good[:size] for size in range(len(good))), good + b"\0"):
        with pytest.raises(tc.PositionError):
            game.state_from_bytes(bad)


# Ends


def won(engine: ModuleType, seat: int, players: int = 2, **options: Any) -> State:
    """Give a position in which the seat wins by its next action."""
    pegs: dict[int, Sequence[int]] = {other: [4, 5, 6, 6, 6, 6] for other in range(players)}
    pegs[seat] = [6, 7, 8, 9, 10, 6]
    front = {
        other: [(0, 5)] * (2 if players == 2 else 1) for other in range(3 if players > 2 else 1)
    }
    return table(
        engine,
        options,
        players=players,
        seat=seat,
        pegs=pegs,
        front=front,
        hands={seat: [(0, 5)]},
        pending_bonus=1,
        idle=4,
    )


@pytest.mark.rule("CC-17", "CC-18", "CC-25", "CC-40", "CC-15", "CC-23", "CC-24")
@pytest.mark.fault("A095")
@pytest.mark.parametrize(("players", "seat"), [(2, 0), (2, 1), (3, 0), (3, 2), (4, 1), (4, 3)])
def test_whoever_brings_all_pegs_to_seven_wins_at_once(
    engine: ModuleType, players: int, seat: int
) -> None:
    """After the first symbol one peg is still short; the game ends with the second, before refill and bonus turn."""
    state = won(engine, seat, players)
    state.apply_action(play([0, 5], 0))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["pending_bonus"]) == ("over", seat, 0)
    assert (shown["turns"], shown["idle"], shown["truncated"]) == (21, 0, False)
    assert shown["front"][seat][-1] == [0, 5]
    assert [len(hand) for hand in shown["hands"]] == [
        5 if other == seat else 6 for other in range(players)
    ]
    assert state.is_terminal()
    assert not state.is_truncated()
    assert state.winners() == [seat]
    assert state.returns().tolist() == returns_of([seat], players)
    assert state.scores().tolist() == [7 if other == seat else 4 for other in range(players)]
    assert shown["pegs"][seat][0] >= 8 or players > 2


@pytest.mark.rule("CC-18")
def test_five_pegs_at_seven_do_not_win(engine: ModuleType) -> None:
    state = table(
        engine,
        pegs={0: [6, 7, 8, 9, 10, 6]},
        front={0: [(0, 1), (0, 2)], 1: [(0, 3), (0, 4)]},
        hands={0: [(0, 5)]},
    )
    state.apply_action(play([0, 5], 0))
    assert state.to_dict()["pegs"][0] == [10, 7, 8, 9, 10, 6]
    assert not state.is_terminal()


@pytest.mark.rule("CC-18", "CC-24")
def test_the_winner_scores_the_lowest_row(engine: ModuleType) -> None:
    """The last peg goes from 6 to 8; nobody gets seven points for the win."""
    state = table(
        engine,
        pegs={0: [9, 9, 8, 9, 9, 6]},
        front={0: [(1, 5), (2, 5)], 1: [(3, 5), (3, 4)]},
        hands={0: [(0, 5)]},
    )
    state.apply_action(play([0, 5], 5))
    assert state.winners() == [0]
    assert state.scores().tolist() == [8, 0]


@pytest.mark.rule("CC-19", "CC-21", "CC-22")
def test_a_cap_on_turns_ends_the_game_and_a_win_in_the_last_turn_is_a_win(
    engine: ModuleType,
) -> None:
    for max_turns, over in ((21, True), (22, False)):
        state = won(engine, 1, max_turns=max_turns)
        win = state.child(play([0, 5], 5))
        assert (win.winners(), win.is_truncated()) == ([1], False)
        other = next(action for action in state.legal_actions() if action // 2 != kind([0, 5]))
        capped = state.child(other)
        assert capped.is_terminal() == capped.is_truncated() == over
        assert capped.to_dict()["pending_bonus"] == (not over)


@pytest.mark.rule("CC-16", "CC-20")
def test_a_cap_on_turns_without_progress_counts_turns_of_all_seats(engine: ModuleType) -> None:
    """Nothing on the table shows orange or purple, so that card moves no peg."""
    front = {0: [(0, 1), (0, 2)], 1: [(0, 4), (1, 2)]}
    for idle, phase in ((1, "draw"), (2, "over")):
        state = table(
            engine,
            {"no_progress_limit": 3},
            pegs={0: [5] * 6},
            front=front,
            hands={0: [(3, 5), (1, 2), (0, 4), (0, 5)]},
            idle=idle,
        )
        shown = state.child(play([3, 5], 3)).to_dict()
        assert (shown["phase"], shown["idle"]) == (phase, idle + 1)
        shown = state.child(play([1, 2], 1)).to_dict()
        assert (shown["phase"], shown["idle"]) == ("draw", 0)


@pytest.mark.rule("CC-16", "CC-20")
def test_points_that_are_all_lost_are_no_progress(engine: ModuleType) -> None:
    state = table(
        engine,
        {"no_progress_limit": 3},
        pegs={0: [3, 3, 0, 2, 2, 2]},
        front={0: [(0, 1), (0, 1)], 1: [(0, 3), (1, 4)]},
        hands={0: [(0, 1)]},
        idle=2,
    )
    state.apply_action(play([0, 1], 0))
    assert state.is_truncated()
    assert state.to_dict()["pegs"][0] == [3, 3, 0, 2, 2, 2]


@pytest.mark.rule("CC-22", "CC-23")
@pytest.mark.fault("A100")
@pytest.mark.parametrize(
    ("pegs", "winners"),
    [
        ([[3, 3, 3, 3, 3, 3], [2, 6, 6, 6, 6, 6], [3, 3, 3, 3, 3, 2]], [0]),
        ([[2, 3, 6, 6, 6, 6], [2, 4, 4, 4, 4, 4], [4, 2, 4, 4, 4, 3]], [1]),
        ([[1, 2, 3, 3, 3, 3], [3, 3, 2, 3, 1, 3], [0, 3, 3, 3, 3, 3]], [0, 1]),
        ([[1, 2, 3, 2, 2, 2], [2, 3, 2, 2, 1, 2], [2, 2, 2, 2, 3, 1]], [0, 1, 2]),
        ([[4, 4, 4, 4, 4, 9], [4, 4, 4, 4, 4, 10], [4, 4, 4, 4, 4, 8]], [1]),
        ([[0] * 6, [0] * 6, [0] * 6], [0, 1, 2]),
    ],
)
def test_after_a_cap_the_lowest_rows_decide(
    engine: ModuleType, pegs: list[list[int]], winners: list[int]
) -> None:
    state = table(
        engine,
        {"max_turns": 20},
        players=3,
        phase="over",
        pegs=dict(enumerate(pegs)),
        truncated=True,
    )
    assert state.is_truncated()
    assert state.winners() == winners
    assert state.returns().tolist() == returns_of(winners, 3)
    assert state.scores().tolist() == [min(row) for row in pegs]


@pytest.mark.rule("CC-20", "CC-22", "CC-40", "CC-43")
def test_a_capped_game_asks_and_draws_nothing_more(engine: ModuleType) -> None:
    rest = [(1, 2), (1, 3), (2, 3), (2, 4), (3, 5)]
    state = table(
        engine,
        {"max_turns": 21},
        pegs={0: [1, 2, 2, 2, 2, 2]},
        front={0: [(0, 1), (0, 2)], 1: [(1, 2), (1, 2)]},
        hands={0: [*rest, (3, 5)]},
        deck=[],
    )
    expected = after(state.to_dict(), play([3, 5], 3), state.get_game().options)
    state.apply_action(play([3, 5], 3))
    assert state.to_dict() == expected
    assert (expected["phase"], expected["deck"], len(expected["hands"][0])) == ("over", [], 5)
    assert state.legal_actions() == []


@pytest.mark.rule("CC-23")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_utilities(engine: ModuleType, players: int) -> None:
    game = load(engine, NAME, players=players)
    assert game.max_utility() == 1
    assert game.min_utility() == -1 / (players - 1)


@pytest.mark.rule("CC-3", "CC-51")
def test_cards_have_names(engine: ModuleType) -> None:
    state = table(engine, hands={0: [(2, 5)]})
    assert f"play {card_name([2, 5])}, purple first" in [
        state.action_to_string(action) for action in state.legal_actions()
    ]
