"""Sequence Numbers: house rules by option, and slips of attention as chance events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.rules.sequence_numbers_board import (
    CANONICAL,
    MINUS,
    PLUS,
    SEATINGS,
    after,
    board_of,
    dead_hand,
    hand_size,
    load,
    lowest_chances,
    mirror_board,
    position,
    random_step,
    row_cells,
)

if TYPE_CHECKING:
    from types import ModuleType

    from tabletop_core.protocol import Game, State

BOARD = CANONICAL
FULL = {0: BOARD.cells[::2], 1: BOARD.cells[1::2]}
TEAMS_OF_TWO_OR_MORE = SEATINGS[2:]


def phase(state: State) -> str:
    shown: str = state.to_dict()["phase"]
    return shown


# Swaps


@pytest.mark.rule("SN-70")
def test_a_swap_can_be_a_duty(engine: ModuleType) -> None:
    game = load(engine, swap_optional=False)
    hands = {0: [1, 2, 9, PLUS, MINUS]}
    chips = {1: dead_hand(BOARD, [1, 2])}
    state = position(game, hands=hands, chips=chips)
    assert state.legal_actions() == [BOARD.swap(1), BOARD.swap(2)]
    state = lowest_chances(after(state, BOARD.swap(2)))
    assert state.current_player() == 0
    assert not {BOARD.swap(1), BOARD.passing} & set(state.legal_actions())
    assert {BOARD.place(cell) for cell in BOARD.cells_of(9)} <= set(state.legal_actions())
    nothing_dead = position(game, hands={0: [1]})
    assert nothing_dead.legal_actions() == [BOARD.place(cell) for cell in BOARD.cells_of(1)]


@pytest.mark.rule("SN-71")
def test_a_minus_can_be_swapped_while_it_has_no_target(engine: ModuleType) -> None:
    game = load(engine, players=4, minus_dead_swap=True)
    chips = {0: [(3, 3)]}
    sequences = {1: [((2, 1), (2, 5))]}
    state = position(game, hands={0: [7, MINUS]}, chips=chips, sequences=sequences)
    places = [BOARD.place(cell) for cell in BOARD.cells_of(7)]
    assert state.legal_actions() == [*places, BOARD.swap(MINUS)]
    assert state.action_to_string(BOARD.swap(MINUS)) == "swap minus"
    state.apply_action(BOARD.swap(MINUS))
    shown = state.to_dict()
    assert (shown["phase"], shown["discards"], shown["swapped"]) == ("swap_draw", [MINUS], True)
    state.apply_action(BOARD.kind(MINUS))
    assert state.legal_actions() == places


@pytest.mark.rule("SN-71")
def test_a_minus_with_a_target_cannot_be_swapped(engine: ModuleType) -> None:
    game = load(engine, players=3, minus_dead_swap=True)
    state = position(game, hands={0: [MINUS]}, chips={2: [(4, 4)]})
    assert state.legal_actions() == [BOARD.minus((4, 4))]
    plain = position(load(engine), hands={0: [MINUS]})
    assert plain.legal_actions() == [BOARD.passing]


@pytest.mark.rule("SN-71", "SN-26")
def test_one_swap_a_turn_also_with_minus(engine: ModuleType) -> None:
    game = load(engine, minus_dead_swap=True)
    first = {0: dead_hand(BOARD, [1])}
    state = position(game, hands={0: [1, MINUS]}, chips=first)
    assert state.legal_actions() == [BOARD.swap(1), BOARD.swap(MINUS)]
    for card in (1, MINUS):
        child = after(state, BOARD.swap(card), BOARD.kind(20))
        assert child.legal_actions() == [BOARD.place(cell) for cell in BOARD.cells_of(20)]
    used = position(game, hands={0: [1, MINUS]}, chips=first, swapped=True)
    assert used.legal_actions() == [BOARD.passing]


@pytest.mark.rule("SN-70", "SN-71")
def test_a_duty_to_swap_includes_minus(engine: ModuleType) -> None:
    game = load(engine, minus_dead_swap=True, swap_optional=False)
    assert position(game, hands={0: [7, MINUS]}).legal_actions() == [BOARD.swap(MINUS)]


@pytest.mark.rule("SN-72", "SN-28")
def test_a_plus_can_never_be_swapped(engine: ModuleType) -> None:
    game = load(engine, minus_dead_swap=True)
    assert position(game, hands={0: [PLUS]}, chips=FULL).legal_actions() == [BOARD.passing]
    both = position(game, hands={0: [PLUS, MINUS]}, chips={0: BOARD.cells})
    assert both.legal_actions() == [BOARD.swap(MINUS)]


# No play


@pytest.mark.rule("SN-73", "SN-54", "SN-60")
def test_throwing_a_card_away_for_want_of_a_play(engine: ModuleType) -> None:
    game = load(engine, no_play_policy="discard_and_draw")
    hands = {0: [PLUS, PLUS], 1: [3]}
    state = position(game, hands=hands, chips=FULL, idle=1, discards=[40])
    assert state.legal_actions() == [BOARD.discard(PLUS)]
    assert state.action_to_string(BOARD.discard(PLUS)) == "discard plus"
    state.apply_action(BOARD.discard(PLUS))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["idle"]) == ("turn_draw", 0, 0)
    assert shown["discards"] == [40, PLUS]
    state.apply_action(BOARD.kind(9))
    shown = state.to_dict()
    assert (shown["phase"], shown["seat"], shown["turn"]) == ("play", 1, 1)
    assert shown["hands"][0] == [9, PLUS]


@pytest.mark.rule("SN-73")
def test_every_kind_in_hand_can_be_thrown_away(engine: ModuleType) -> None:
    game = load(engine, no_play_policy="discard_and_draw")
    hands = {0: [1, 1, 2, PLUS, MINUS]}
    state = position(game, hands=hands, chips={0: BOARD.cells}, swapped=True)
    assert state.legal_actions() == [BOARD.discard(card) for card in (1, 2, PLUS, MINUS)]
    assert BOARD.passing not in state.legal_actions()


@pytest.mark.rule("SN-73", "SN-30")
def test_nothing_is_thrown_away_while_a_swap_is_legal(engine: ModuleType) -> None:
    game = load(engine, no_play_policy="discard_and_draw")
    state = position(game, hands={0: [1, PLUS]}, chips=FULL)
    assert state.legal_actions() == [BOARD.swap(1)]
    state = after(state, BOARD.swap(1), BOARD.kind(2))
    assert state.legal_actions() == [BOARD.discard(2), BOARD.discard(PLUS)]


@pytest.mark.rule("SN-73", "SN-80")
def test_the_draw_after_throwing_away_can_be_missed(engine: ModuleType) -> None:
    game = load(engine, no_play_policy="discard_and_draw", missed_draw_per_mille=500)
    state = position(game, hands={0: [PLUS]}, chips=FULL)
    assert phase(after(state, BOARD.discard(PLUS))) == "miss"


@pytest.mark.rule("SN-74", "SN-61")
def test_an_empty_hand_still_passes(engine: ModuleType) -> None:
    game = load(engine, no_play_policy="discard_and_draw")
    state = position(game)
    assert state.legal_actions() == [BOARD.passing]
    assert after(state, BOARD.passing, BOARD.passing).is_terminal()


# A supply of chips


@pytest.mark.rule("SN-75", "SN-77", "SN-29")
def test_without_chips_nothing_can_be_placed(engine: ModuleType) -> None:
    game = load(engine, chips_per_colour=3)
    cells = [(2, 2), (3, 4), (5, 5)]
    short = position(game, hands={0: [1, 2, PLUS]}, chips={0: cells[:2]})
    assert len(short.legal_actions()) == 2 + 2 + 94
    out = position(game, hands={0: [1, 2, PLUS]}, chips={0: cells})
    assert out.legal_actions() == [BOARD.passing]
    other = position(game, hands={0: [1]}, chips={1: cells})
    assert other.legal_actions() == [BOARD.place(cell) for cell in BOARD.cells_of(1)]


@pytest.mark.rule("SN-75", "SN-77")
def test_without_chips_minus_and_swap_still_work(engine: ModuleType) -> None:
    game = load(engine, chips_per_colour=2)
    chips = {0: [(0, 1), (4, 4)], 1: [(9, 8)]}
    state = position(game, hands={0: [1, 2, MINUS]}, chips=chips)
    assert state.legal_actions() == [BOARD.minus((9, 8)), BOARD.swap(1)]


@pytest.mark.rule("SN-75")
def test_locked_chips_count(engine: ModuleType) -> None:
    sequences = {0: [((2, 1), (2, 5))]}
    for supply, legal in ((5, False), (6, True)):
        game = load(engine, players=4, chips_per_colour=supply)
        state = position(game, hands={0: [PLUS]}, sequences=sequences)
        assert state.is_legal(BOARD.plus((5, 5))) == legal


@pytest.mark.rule("SN-75")
def test_the_supply_is_the_whole_teams(engine: ModuleType) -> None:
    game = load(engine, players=6, chips_per_colour=4)
    chips = {0: [(2, 2), (3, 4), (5, 5), (6, 7)]}
    for seat, out in ((0, True), (1, False), (2, True), (4, True), (5, False)):
        state = position(game, hands={seat: [1]}, chips=chips, turn=seat)
        assert (state.legal_actions() == [BOARD.passing]) == out


@pytest.mark.rule("SN-76")
def test_a_chip_taken_off_can_be_placed_again(engine: ModuleType) -> None:
    game = load(engine, chips_per_colour=1)
    state = position(game, hands={0: [MINUS], 1: [1]}, chips={1: [(4, 4)]})
    state = lowest_chances(after(state, BOARD.minus((4, 4))))
    assert state.current_player() == 1
    assert state.legal_actions() == [BOARD.place(cell) for cell in BOARD.cells_of(1)]


@pytest.mark.rule("SN-75", "SN-61")
def test_teams_out_of_chips_reach_a_stalemate(engine: ModuleType) -> None:
    game = load(engine, chips_per_colour=1)
    chips = {0: [(4, 4)], 1: [(5, 5)]}
    state = position(game, hands={0: [1, 2], 1: [3, PLUS]}, chips=chips)
    assert after(state, BOARD.passing, BOARD.passing).is_terminal()


@pytest.mark.rule("SN-75")
def test_no_game_uses_more_chips(engine: ModuleType) -> None:
    game = load(engine, players=3, chips_per_colour=6, sequences_to_win=2, max_turns=120)
    most = 0
    for seed in range(effort(engine, native=20, reference=2)):
        state = game.new_initial_state()
        rng = engine.Rng(seed)
        while not state.is_terminal():
            random_step(state, rng)
            owners = [owner for row in state.to_dict()["owner"] for owner in row]
            most = max(most, *(owners.count(team) for team in range(3)))
    assert most == 6


# Missed draws


@pytest.mark.rule("SN-80")
@pytest.mark.parametrize("rate", [1, 250, 999])
def test_a_draw_can_be_missed(engine: ModuleType, rate: int) -> None:
    game = load(engine, missed_draw_per_mille=rate)
    state = position(game, hands={0: [1, 2], 1: [3]}, turn=2)
    state.apply_action(BOARD.place((0, 1)))
    assert phase(state) == "miss"
    assert state.current_player() == tc.PlayerId.CHANCE
    assert state.chance_outcomes() == [
        (BOARD.drawn, (1000 - rate) / 1000),
        (BOARD.missed, rate / 1000),
    ]
    assert [state.action_to_string(outcome) for outcome in state.legal_actions()] == [
        "card drawn",
        "draw missed",
    ]
    drawn = after(state, BOARD.drawn)
    assert phase(drawn) == "turn_draw"
    assert len(after(drawn, BOARD.kind(9)).to_dict()["hands"][0]) == 2
    missed = after(state, BOARD.missed).to_dict()
    assert (missed["phase"], missed["seat"], missed["turn"]) == ("play", 1, 3)
    assert missed["hands"] == [[2], [3]]


@pytest.mark.rule("SN-80")
def test_a_sure_miss_is_the_only_outcome(engine: ModuleType) -> None:
    game = load(engine, missed_draw_per_mille=1000)
    state = after(position(game, hands={0: [1, 2]}), BOARD.place((0, 1)))
    assert state.chance_outcomes() == [(BOARD.missed, 1.0)]
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(BOARD.drawn)


@pytest.mark.rule("SN-80")
def test_no_misses_without_the_option(engine: ModuleType) -> None:
    state = after(position(load(engine), hands={0: [1, 2]}), BOARD.place((0, 1)))
    assert phase(state) == "turn_draw"


@pytest.mark.rule("SN-81", "SN-26")
def test_the_draw_of_a_swap_cannot_be_missed(engine: ModuleType) -> None:
    game = load(engine, missed_draw_per_mille=1000)
    state = position(game, hands={0: [1, 2]}, chips={1: dead_hand(BOARD, [1])})
    state = after(state, BOARD.swap(1))
    assert phase(state) == "swap_draw"
    state = after(state, BOARD.kind(7), BOARD.place((0, 2)))
    assert phase(state) == "miss"
    assert state.to_dict()["swapped"] is True


@pytest.mark.rule("SN-80", "SN-54")
def test_after_a_pass_and_a_win_nothing_is_missed(engine: ModuleType) -> None:
    game = load(engine, missed_draw_per_mille=500)
    passed = after(position(game), BOARD.passing)
    assert (phase(passed), passed.to_dict()["seat"]) == ("play", 1)
    won = position(game, hands={0: [PLUS]}, chips={0: row_cells(2, (1, 2, 3, 4))})
    assert after(won, BOARD.plus((2, 5))).is_terminal()


@pytest.mark.rule("SN-82", "SN-56")
def test_only_a_draw_that_takes_place_reshuffles(engine: ModuleType) -> None:
    game = load(engine, missed_draw_per_mille=500)
    state = after(position(game, hands={0: [1]}, deck=[]), BOARD.place((0, 1)))
    assert phase(state) == "miss"
    assert state.to_dict()["deck"] == []
    missed = after(state, BOARD.missed).to_dict()
    assert (missed["deck"], len(missed["discards"])) == ([], 100)
    drawn = after(state, BOARD.drawn).to_dict()
    assert (len(drawn["deck"]), drawn["discards"]) == (100, [])


@pytest.mark.rule("SN-80", "SN-55", "SN-61")
def test_games_without_draws_run_out_of_cards(engine: ModuleType) -> None:
    game = load(engine, players=3, missed_draw_per_mille=1000, sequences_to_win=9)
    state = game.new_initial_state()
    rng = engine.Rng(2)
    while not state.is_terminal():
        random_step(state, rng)
    shown = state.to_dict()
    assert shown["hands"] == [[], [], []]
    assert (shown["idle"], shown["turn"]) == (3, 18)


# Table talk


@pytest.mark.rule("SN-83", "SN-16")
@pytest.mark.parametrize("rate", [1, 300, 999])
@pytest.mark.parametrize("seating", TEAMS_OF_TWO_OR_MORE, ids=str)
def test_each_turn_begins_with_talk_or_silence(
    engine: ModuleType, seating: dict[str, int], rate: int
) -> None:
    game = load(engine, **seating, table_talk_per_mille=rate)
    teams = game.options["teams"]
    state = game.new_initial_state()
    for _ in range(game.num_players() * hand_size(game)):
        assert phase(state) == "deal"
        state.apply_action(state.legal_actions()[0])
    total = 1000 * teams
    expected = [
        (BOARD.silence, (1000 - rate) * teams / total),
        *[(BOARD.talk(team), rate / total) for team in range(teams)],
    ]
    for turn in range(3):
        shown = state.to_dict()
        assert (shown["phase"], shown["turn"], shown["swapped"]) == ("talk", turn, False)
        assert state.chance_outcomes() == expected
        state.apply_action(BOARD.silence)
        assert (phase(state), state.current_player()) == ("play", turn)
        state.apply_action(state.legal_actions()[0])
        state.apply_action(state.legal_actions()[0])


@pytest.mark.rule("SN-83")
def test_sure_talk_leaves_no_silence(engine: ModuleType) -> None:
    game = load(engine, players=6, teams=3, table_talk_per_mille=1000)
    state = position(game, phase="talk", hands={0: [1], 1: [2], 2: [3]})
    assert [outcome for outcome, _ in state.chance_outcomes()] == [
        BOARD.talk(team) for team in range(3)
    ]
    assert [chance for _, chance in state.chance_outcomes()] == [1 / 3] * 3
    with pytest.raises(tc.IllegalActionError):
        state.apply_action(BOARD.silence)


@pytest.mark.rule("SN-84")
@pytest.mark.parametrize("players", [2, 3])
def test_talk_needs_team_mates(engine: ModuleType, players: int) -> None:
    with pytest.raises(tc.OptionError):
        load(engine, players=players, table_talk_per_mille=1)
    load(engine, players=players, table_talk_per_mille=0)


def talk_position(game: Game, hands: dict[int, Any], **what: Any) -> State:
    return position(game, phase="talk", hands=hands, **what)


@pytest.mark.rule("SN-85", "SN-87", "SN-86")
@pytest.mark.parametrize("turn", [0, 1, 2, 5])
@pytest.mark.parametrize("seating", TEAMS_OF_TWO_OR_MORE, ids=str)
def test_every_member_throws_a_card_away(
    engine: ModuleType, seating: dict[str, int], turn: int
) -> None:
    game = load(engine, **seating, table_talk_per_mille=100)
    players, teams = game.num_players(), game.options["teams"]
    hands: dict[int, Any] = {
        seat: [2 * seat + 1, 2 * seat + 2, 2 * seat + 2] for seat in range(players)
    }
    for team in range(teams):
        state = talk_position(game, hands, turn=turn, idle=1)
        deck = state.to_dict()["deck"]
        state.apply_action(BOARD.talk(team))
        order = [
            (turn + i) % players for i in range(players) if (turn + i) % players % teams == team
        ]
        thrown = []
        for i, seat in enumerate(order):
            shown = state.to_dict()
            assert (shown["phase"], shown["seat"], shown["turn"]) == (
                "talk_discard",
                turn % players,
                turn,
            )
            assert shown["talkers"] == order[i:]
            assert state.current_player() == seat
            assert state.legal_actions() == [
                BOARD.discard(2 * seat + 1),
                BOARD.discard(2 * seat + 2),
            ]
            assert state.legal_actions((seat + 1) % players) == []
            state.apply_action(BOARD.discard(2 * seat + 2))
            thrown.append(2 * seat + 2)
            assert state.to_dict()["discards"] == sorted(thrown)
        shown = state.to_dict()
        assert (shown["phase"], shown["seat"], shown["turn"]) == ("play", turn % players, turn)
        assert (shown["idle"], shown["swapped"], shown["talkers"]) == (1, False, [])
        assert shown["deck"] == deck
        sizes = [2 if seat in order else 3 for seat in range(players)]
        assert [len(hand) for hand in shown["hands"]] == sizes
        assert state.current_player() == turn % players


@pytest.mark.rule("SN-85")
def test_members_without_a_card_are_not_asked(engine: ModuleType) -> None:
    game = load(engine, players=6, table_talk_per_mille=100)
    state = talk_position(game, {1: [4], 2: [5, PLUS], 4: [MINUS]})
    one = after(state, BOARD.talk(0))
    assert one.to_dict()["talkers"] == [2, 4]
    assert one.legal_actions() == [BOARD.discard(5), BOARD.discard(PLUS)]
    one = after(one, BOARD.discard(PLUS), BOARD.discard(MINUS))
    assert (phase(one), one.current_player()) == ("play", 0)
    two = after(state, BOARD.talk(1), BOARD.discard(4))
    assert (phase(two), two.current_player()) == ("play", 0)
    nobody = after(talk_position(game, {0: [4]}), BOARD.talk(1))
    assert phase(nobody) == "play"


@pytest.mark.rule("SN-85", "SN-87")
def test_dead_and_unplayable_cards_can_be_thrown_away(engine: ModuleType) -> None:
    game = load(engine, players=4, table_talk_per_mille=100)
    hands = {0: [1, PLUS, MINUS]}
    state = talk_position(game, hands, chips={0: BOARD.cells})
    state = after(state, BOARD.talk(0))
    assert state.legal_actions() == [BOARD.discard(card) for card in (1, PLUS, MINUS)]
    state.apply_action(BOARD.discard(PLUS))
    assert state.legal_actions() == [BOARD.swap(1)]


@pytest.mark.rule("SN-60", "SN-61")
def test_talk_does_not_break_a_round_of_passes(engine: ModuleType) -> None:
    game = load(engine, players=4, table_talk_per_mille=100)
    state = talk_position(game, {1: [4]}, idle=3)
    state = after(state, BOARD.talk(1), BOARD.discard(4))
    assert state.to_dict()["idle"] == 3
    state.apply_action(BOARD.passing)
    assert state.is_terminal()
    assert not state.is_truncated()


@pytest.mark.rule("SN-86", "SN-55")
def test_a_card_lost_by_talk_stays_lost(engine: ModuleType) -> None:
    game = load(engine, players=4, table_talk_per_mille=100)
    state = talk_position(game, {0: [1, 2, 3, 4], 2: [5, 6, 7, 8]})
    state = after(state, BOARD.talk(0), BOARD.discard(4), BOARD.discard(8))
    state = after(state, BOARD.place((0, 1)), BOARD.kind(30))
    assert [len(hand) for hand in state.to_dict()["hands"]] == [3, 0, 3, 0]
    assert phase(state) == "talk"


@pytest.mark.rule("SN-83")
def test_a_turn_that_ends_the_game_is_not_followed_by_talk(engine: ModuleType) -> None:
    game = load(engine, players=4, table_talk_per_mille=500, max_turns=1)
    state = after(talk_position(game, {0: [1]}), BOARD.silence, BOARD.place((0, 1)))
    state.apply_action(BOARD.kind(9))
    assert phase(state) == "over"


@pytest.mark.rule("SN-80", "SN-83")
def test_both_slips_together(engine: ModuleType) -> None:
    game = load(engine, players=4, table_talk_per_mille=500, missed_draw_per_mille=500)
    state = talk_position(game, {0: [1]})
    phases = []
    for action in (BOARD.silence, BOARD.place((0, 1)), BOARD.drawn, BOARD.kind(9)):
        state.apply_action(action)
        phases.append(phase(state))
    assert phases == ["play", "miss", "turn_draw", "talk"]


# All options at once


@pytest.mark.rule("SN-68")
@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_games_with_all_options_stay_in_bounds(engine: ModuleType, seating: dict[str, int]) -> None:
    options: dict[str, Any] = {
        **seating,
        "board": mirror_board(7, 8),
        "sequences_to_win": 9,
        "lock_policy": "choose",
        "no_play_policy": "discard_and_draw",
        "minus_dead_swap": True,
        "missed_draw_per_mille": 5,
        "max_turns": 250,
        "dead_position_check": True,
    }
    if seating["players"] > 3:
        options["table_talk_per_mille"] = 5
    game = load(engine, **options)
    talk = game.num_players() * hand_size(game) if seating["players"] > 3 else 0
    assert game.max_game_length() == 500 + talk + game.options["teams"] * 8
    board = board_of(game)
    phases = set()
    for seed in range(effort(engine, native=40, reference=8)):
        state = game.new_initial_state()
        rng = engine.Rng(seed)
        decisions = 0
        while not state.is_terminal():
            phases.add(phase(state))
            decisions += state.is_player_node()
            random_step(state, rng)
        assert decisions <= game.max_game_length()
        hands = state.to_dict()["hands"]
        assert all(hand == board.sorted_cards(hand) for hand in hands)
    assert {"deal", "play", "miss", "turn_draw", "swap_draw", "choose_lock"} <= phases
    assert ("talk_discard" in phases) == bool(talk)


@pytest.mark.rule("SN-68")
@pytest.mark.parametrize(
    ("options", "length"),
    [
        ({}, 6000),
        ({"max_turns": 10}, 20),
        ({"players": 4, "max_turns": 10, "table_talk_per_mille": 1}, 20 + 16),
        ({"players": 6, "max_turns": 10, "table_talk_per_mille": 1}, 20 + 24),
        ({"max_turns": 10, "lock_policy": "choose"}, 20),
        ({"players": 3, "max_turns": 10, "lock_policy": "choose", "sequences_to_win": 5}, 20 + 12),
        ({"players": 4, "max_turns": 10, "missed_draw_per_mille": 5}, 20),
    ],
)
def test_longest_game(engine: ModuleType, options: dict[str, Any], length: int) -> None:
    assert load(engine, **options).max_game_length() == length
