"""Card Challenge: what a seat knows, how the rest is dealt again, and observations, on both engines."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, islice
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.distribution import check_frequencies, check_resampling, physical_deals
from tests.engines import effort
from tests.rules.card_challenge_table import (
    CARDS,
    DUMP,
    KEEP,
    NAME,
    PHASES,
    RULE_SETS,
    Hand,
    counts,
    fits,
    hidden_deals,
    in_order,
    kind,
    may_dump,
    play,
    row_length,
    set_up,
    table,
    tensor_fields,
    unseen_by,
    view,
    with_deal,
)
from tests.rules.shared import Shown, flat, load, view_text
from tests.walks import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from tabletop_core.protocol import State

TABLES = RULE_SETS[:6]
DUMP_BY_0: dict[str, Any] = {"phase": "dump", "pegs": {0: [1, 2, 2, 2, 2, 2]}}
WITHOUT_RED = [(1, 2), (1, 3), (2, 3), (2, 4), (3, 5)]


def sampled(engine: ModuleType, options: dict[str, Any], seed: int, every: int) -> Iterator[State]:
    """Give some positions of a game, and one with a decision to keep or dump."""
    for number, state in enumerate(walk(load(engine, NAME, **options), seed)):
        if number % every == 0 or state.to_dict()["phase"] == "dump" or state.is_terminal():
            yield state
    what = {**DUMP_BY_0, "players": options["players"], "hands": {0: WITHOUT_RED}}
    yield load(engine, NAME, **options).state_from_dict(set_up(**what))


@pytest.mark.rule("CC-54", "CC-55", "CC-56", "CC-57")
@pytest.mark.fault("A049")
@pytest.mark.parametrize("options", TABLES, ids=str)
def test_a_view_does_not_change_with_what_is_hidden(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """In every phase, the end included; at keep or dump as far as the hand could still be dumped."""
    mixed = random.Random(3)
    phases: Counter[str] = Counter()
    game = load(engine, NAME, **options)
    for seed in range(effort(engine, native=4, reference=1)):
        for state in sampled(engine, options, seed, every=5):
            shown = state.to_dict()
            for seat in range(options["players"]):
                order = unseen_by(shown, seat)
                for _ in range(3):
                    mixed.shuffle(order)
                    changed = with_deal(shown, seat, order)
                    if changed == shown or not fits(changed, game.options["dump_tie_rule"]):
                        continue
                    phases[shown["phase"]] += 1
                    other = game.state_from_dict(changed)
                    assert other != state
                    assert other.observation_string(seat) == state.observation_string(seat)
                    np.testing.assert_array_equal(
                        other.observation_tensor(seat), state.observation_tensor(seat)
                    )
                    assert other.legal_actions(seat) == state.legal_actions(seat)
                    if state.current_player() == seat:
                        texts = [
                            [one.action_to_string(action) for action in one.legal_actions()]
                            for one in (state, other)
                        ]
                        assert texts[0] == texts[1]
    assert set(phases) == set(PHASES)


@pytest.mark.rule("CC-54")
def test_every_part_of_what_a_seat_knows_is_shown(engine: ModuleType) -> None:
    """Each change is seen by both seats, or by the one that is named."""
    base: dict[str, Any] = {
        "pegs": {0: [10, 6, 6, 6, 6, 6], 1: [2, 2, 2, 2, 2, 2]},
        "front": {0: [(0, 1), (0, 2)], 1: [(0, 3), (0, 4)]},
        "hands": {0: [(0, 1)] * 2 + [(1, 2)] * 4, 1: [(3, 4)] * 4 + [(3, 5)] * 2},
        "pile": [(4, 5)],
        "idle": 2,
    }
    first = table(engine, **base)
    changes: list[tuple[dict[str, Any], tuple[int, ...]]] = [
        ({"turns": 21}, (0, 1)),
        ({"idle": 1}, (0, 1)),
        ({"seat": 1}, (0, 1)),
        ({"pending_bonus": 1}, (0, 1)),
        ({"pegs": {**base["pegs"], 1: [2, 2, 2, 2, 2, 3]}}, (0, 1)),
        ({"front": {0: [(0, 2), (0, 1)], 1: [(0, 3), (0, 4)]}}, (0, 1)),
        ({"front": {0: [(0, 1), (0, 2)], 1: [(0, 3), (1, 5)]}}, (0, 1)),
        ({"pile": [(2, 5)]}, (0, 1)),
        ({"pile": []}, (0, 1)),
        ({"hands": {**base["hands"], 0: [(0, 1), (2, 5), *[(1, 2)] * 4]}}, (0,)),
        ({"hands": {**base["hands"], 1: [(2, 5), (1, 5), *[(3, 4)] * 4]}}, (1,)),
    ]
    for change, seats in changes:
        second = table(engine, **{**base, **change})
        for seat in (0, 1):
            shown = first.observation_string(seat) != second.observation_string(seat)
            assert shown == (seat in seats), (change, seat)
            same = np.array_equal(first.observation_tensor(seat), second.observation_tensor(seat))
            assert shown != same


@pytest.mark.rule("CC-55")
@pytest.mark.parametrize("phase", ["deal", "draw"])
def test_a_draw_shows_the_others_only_that_it_took_place(engine: ModuleType, phase: str) -> None:
    if phase == "deal":
        state = load(engine, NAME, players=3).new_initial_state()
        for _ in range(7):
            state.apply_action(state.legal_actions()[0])
    else:
        state = table(engine, players=3, phase="draw", seat=1)
    children = [state.child(outcome) for outcome in state.legal_actions()]
    assert len(children) > 10
    for seat in range(3):
        views = {child.observation_string(seat) for child in children}
        assert len(views) == (len(children) if seat == 1 else 1)
        assert state.observation_string(seat) not in views
        told = {state.observed_action_to_string(seat, card) for card in state.legal_actions()}
        texts = {state.action_to_string(card) for card in state.legal_actions()}
        assert told == (texts if seat == 1 else {"draw (hidden)"})


@pytest.mark.rule("CC-27", "CC-55")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_sees_the_cards_that_are_laid_face_up(engine: ModuleType, players: int) -> None:
    state = load(engine, NAME, players=players).new_initial_state()
    while state.is_chance_node():
        hands_are_full = all(len(hand) == 6 for hand in state.to_dict()["hands"])
        card = state.legal_actions()[0]
        told = [state.observed_action_to_string(seat, card) for seat in range(players)]
        assert (told.count(state.action_to_string(card)) == players) == hands_are_full
        state.apply_action(card)


@pytest.mark.rule("CC-55")
def test_everybody_sees_decisions(engine: ModuleType) -> None:
    state = table(engine, phase="dump", pegs={0: [1, 2, 2, 2, 2, 2]}, hands={0: WITHOUT_RED})
    for seat in (0, 1):
        told = [state.observed_action_to_string(seat, action) for action in (KEEP, KEEP + 1)]
        assert told == ["keep hand", "dump hand"]


@pytest.mark.rule("CC-56", "CC-57")
def test_a_decision_that_was_passed_is_not_shown(engine: ModuleType) -> None:
    """After keep, and after a turn without that decision, the others see the same."""
    pegs = {0: [1, 2, 2, 2, 2, 2]}
    front = {0: [(0, 1), (0, 2)], 1: [(1, 2), (1, 2)]}
    with_red = [(1, 2), (1, 3), (2, 3), (2, 4), (0, 5)]
    states = []
    for rest in (WITHOUT_RED, with_red):
        state = table(engine, pegs=pegs, front=front, hands={0: [*rest, (3, 5)], 1: [(4, 5)] * 4})
        state.apply_action(play([3, 5], 3))
        states.append(state)
    assert [state.to_dict()["phase"] for state in states] == ["dump", "draw"]
    assert states[0].observation_string(1) != states[1].observation_string(1)
    states[0].apply_action(KEEP)
    assert states[0].observation_string(1) == states[1].observation_string(1)


@pytest.mark.rule("CC-57")
def test_what_lay_on_the_pile_is_forgotten_with_the_reshuffle(engine: ModuleType) -> None:
    """Of a deck that has just become one, everything is known and nothing is said."""
    pegs = {0: [1, 2, 2, 2, 2, 2]}
    state = table(engine, phase="dump", pegs=pegs, hands={0: WITHOUT_RED}, deck=[])
    state.apply_action(DUMP)
    samples = [state.resample_from_infostate(1, engine.Rng(seed)) for seed in range(20)]
    assert any(sample.to_dict()["deck"] != state.to_dict()["deck"] for sample in samples) is False
    samples = [state.resample_from_infostate(0, engine.Rng(seed)) for seed in range(20)]
    assert any(sample.to_dict()["deck"] != state.to_dict()["deck"] for sample in samples)


# Dealing again


@pytest.mark.rule("CC-58", "CC-59")
@pytest.mark.fault("A055", "A058")
@pytest.mark.parametrize("options", TABLES, ids=str)
def test_resampling_keeps_what_the_seat_knows(engine: ModuleType, options: dict[str, Any]) -> None:
    """A hand that may be dumped stays one, dealt by any other seat."""
    changed = dumps = 0
    for state in sampled(engine, options, 11, every=4):
        shown, before = state.to_dict(), state.to_bytes()
        for seat in range(options["players"]):
            first, again, other = (
                state.resample_from_infostate(seat, engine.Rng(number)) for number in (1, 1, 2)
            )
            assert first == again
            changed += first != other
            for sample in (first, other):
                dealt = sample.to_dict()
                assert sample.observation_string(seat) == state.observation_string(seat)
                assert sample.legal_actions(seat) == state.legal_actions(seat)
                assert unseen_by(dealt, seat) == unseen_by(shown, seat)
                assert fits(dealt, state.get_game().options["dump_tie_rule"])
                dumps += dealt["phase"] == "dump"
        assert state.to_bytes() == before
    assert changed > 20
    assert dumps


@pytest.mark.rule("CC-60")
@pytest.mark.parametrize("options", TABLES, ids=str)
def test_resampling_fills_the_other_hands_card_by_card(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """Wherever nothing is asked of the hands: also for the seat itself that keeps or dumps."""
    for number, state in enumerate(sampled(engine, options, 13, every=3)):
        shown = state.to_dict()
        for seat in range(options["players"]):
            if shown["phase"] == "dump" and shown["seat"] != seat:
                continue
            rng, same_rng = engine.Rng(number), engine.Rng(number)
            unseen = unseen_by(shown, seat)
            order = [
                unseen.pop(rng.below(len(unseen)))
                for other, hand in enumerate(shown["hands"])
                if other != seat
                for _ in hand
            ]
            sample = state.resample_from_infostate(seat, same_rng)
            assert sample.to_dict() == with_deal(shown, seat, [*order, *unseen])
            assert rng == same_rng


def drawn_to_be_dumped(
    shown: Shown, unseen: list[list[int]], rule: str, rng: Any
) -> tuple[Hand, Hand]:
    """Draw the hand of the seat to move card by card, each with its unseen copies times the ways to complete the hand."""
    hand: Hand = []
    pegs = shown["pegs"][shown["seat"]]
    while len(hand) < 5:
        kinds = in_order({tuple(card) for card in unseen})
        shares = []
        for card in kinds:
            left = list(unseen)
            left.remove(card)
            rest = combinations(left, 4 - len(hand))
            ways_on = sum(may_dump(pegs, [*hand, card, *more], rule) for more in rest)
            shares.append(unseen.count(card) * ways_on)
        ticket = rng.below(sum(shares))
        place = next(n for n in range(len(kinds)) if ticket < sum(shares[: n + 1]))
        hand.append(kinds[place])
        unseen.remove(kinds[place])
    return hand, unseen


@pytest.mark.rule("CC-61")
@pytest.mark.parametrize("rule", ["all", "any"])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(
    ("players", "seat", "decider"), [(2, 0, 1), (2, 1, 0), (3, 1, 2), (3, 2, 0)]
)
def test_a_hand_that_may_be_dumped_is_drawn_first_and_card_by_card(
    engine: ModuleType, rule: str, tied: bool, players: int, seat: int, decider: int
) -> None:
    pegs = {decider: [1, 1, 2, 2, 2, 2] if tied else [1, 2, 2, 2, 2, 2]}
    (other,) = {0, 1, 2} - {seat, decider}
    hands = {decider: FIVE, seat: [(0, 4)] * 3, other: SIX} if players == 3 else {decider: FIVE}
    what = {"players": players, "phase": "dump", "seat": decider, "pegs": pegs, "hands": hands}
    state = table(engine, {"dump_tie_rule": rule}, **what, deck=[(0, 1), (2, 5), (1, 3)])
    shown = state.to_dict()
    for number in range(effort(engine, native=20, reference=8)):
        rng, same_rng = engine.Rng(number), engine.Rng(number)
        hand, unseen = drawn_to_be_dumped(shown, unseen_by(shown, seat), rule, rng)
        order = [unseen.pop(rng.below(len(unseen))) for _ in range(6 * (players - 2))]
        dealt = [*hand, *order] if decider < other else [*order, *hand]
        sample = state.resample_from_infostate(seat, same_rng)
        assert sample.to_dict() == with_deal(shown, seat, [*dealt, *unseen])
        assert rng == same_rng


TIED: dict[str, Any] = {"phase": "dump", "pegs": {0: [1, 1, 2, 2, 2, 2]}}
FIVE = [(2, 3), (2, 3), (2, 4), (2, 4), (2, 4)]
SIX = [(0, 2), (0, 2), (2, 3), (4, 5), (4, 5), (4, 5)]
MIXED = [(0, 2), (0, 2), (0, 3), (2, 3), (2, 4), (4, 5)]
LITTLE = [(0, 3)]
LESS_LITTLE = [(0, 3), (2, 4), (2, 5), (3, 5)]
TWO = {0: FIVE, 1: [(0, 1), (0, 1), (0, 3), (2, 5), (2, 5), (2, 5)]}
THREE = {0: FIVE, 1: SIX, 2: MIXED}

EXACT: dict[str, tuple[str, dict[str, Any]]] = {
    "play": (
        "all",
        {"seat": 1, "hands": {0: [*FIVE, (0, 3)], 1: TWO[1]}, "deck": LESS_LITTLE[1:]},
    ),
    "one may dump": ("all", {**DUMP_BY_0, "hands": TWO, "deck": LESS_LITTLE}),
    "two rows are tied, all": ("all", {**TIED, "hands": TWO, "deck": LESS_LITTLE}),
    "two rows are tied, any": (
        "any",
        {**TIED, "hands": {**TWO, 0: [(0, 2), *FIVE[1:]]}, "deck": LESS_LITTLE},
    ),
    "a hand is drawn anew": (
        "any",
        {"phase": "draw", "size": 3, "hands": {0: FIVE[1:4], 1: SIX}, "deck": LESS_LITTLE[1:]},
    ),
    "three players, play": (
        "all",
        {"players": 3, "seat": 2, "hands": {**THREE, 0: [(0, 3), *FIVE]}},
    ),
    "three players, one may dump": ("all", {**DUMP_BY_0, "players": 3, "hands": THREE}),
    "three players, tied, any": ("any", {**TIED, "players": 3, "hands": THREE}),
    "three players, a hand is drawn anew": (
        "any",
        {"players": 3, "phase": "draw", "size": 1, "hands": {**THREE, 0: FIVE[:1]}},
    ),
}


@pytest.mark.rule("CC-55", "CC-57", "CC-58", "CC-59")
@pytest.mark.parametrize(("rule", "what"), EXACT.values(), ids=list(EXACT))
def test_resampling_has_the_exact_distribution(
    engine: ModuleType, rule: str, what: dict[str, Any]
) -> None:
    """Seen from every seat, with a small deck."""
    state = table(engine, {"dump_tie_rule": rule}, **{"deck": LITTLE, **what})
    for seat in range(what.get("players", 2)):
        check_resampling(
            state,
            seat,
            hidden_deals(state.to_dict(), seat, rule),
            draws=effort(engine, native=10_000, reference=500),
        )


@pytest.mark.rule("CC-58")
@pytest.mark.parametrize(
    ("players", "dealt", "seats"), [(2, 2, (1,)), (2, 8, (0,)), (3, 7, (0,)), (4, 1, (1, 2, 3))]
)
def test_resampling_has_the_exact_distribution_in_the_deal(
    engine: ModuleType, players: int, dealt: int, seats: tuple[int, ...]
) -> None:
    """Few cards of others, and all the rest in the deck."""
    state = load(engine, NAME, players=players).new_initial_state()
    for _ in range(dealt):
        state.apply_action(state.legal_actions()[-1])
    for seat in seats:
        check_resampling(
            state,
            seat,
            hidden_deals(state.to_dict(), seat, "all"),
            draws=effort(engine, native=10_000, reference=500),
        )


@pytest.mark.rule("CC-58", "CC-59")
@pytest.mark.parametrize("phase", ["play", "dump"])
@pytest.mark.parametrize("seat", [0, 1, 3])
def test_resampling_has_the_exact_distribution_for_four_players(
    engine: ModuleType, phase: str, seat: int
) -> None:
    """Whole deals are too many here: counted is where the red cards come to lie, and those of one other kind."""
    pegs = {0: [1, 2, 2, 2, 2, 2]}
    first = FIVE if phase == "dump" else [*FIVE, (0, 3)]
    hands = {0: first, 1: SIX, 2: MIXED, 3: [(0, 1), (0, 1), (0, 1), (3, 5), (3, 5), (3, 5)]}
    state = table(engine, players=4, phase=phase, pegs=pegs, hands=hands, deck=LITTLE)

    def marks(cards: Sequence[Sequence[int]]) -> tuple[str, ...]:
        return tuple(
            sorted("red" if 0 in card else "4+5" if list(card) == [4, 5] else "" for card in cards)
        )

    def places(shown: Shown) -> tuple[tuple[str, ...], ...]:
        others = [hand for other, hand in enumerate(shown["hands"]) if other != seat]
        return tuple(map(marks, (*others, shown["deck"])))

    shown = state.to_dict()
    sizes = tuple(map(len, places(shown)))
    weights: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for deal, ways in physical_deals(marks(unseen_by(shown, seat)), sizes[:-1]).items():
        row = iter(deal)
        dealt = tuple(tuple(islice(row, size)) for size in sizes)
        if phase == "play" or seat == 0 or "red" not in dealt[0]:
            weights[dealt] = ways
    rng = engine.Rng(seat)
    found = Counter(
        places(state.resample_from_infostate(seat, rng).to_dict())
        for _ in range(effort(engine, native=4_000, reference=500))
    )
    check_frequencies(found, weights)


@pytest.mark.rule("CC-59")
def test_resampling_is_quick_where_hardly_any_hand_may_be_dumped(engine: ModuleType) -> None:
    """Of ten unseen cards only the five that the seat holds lack red: one hand in 252."""
    deck = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]
    state = table(engine, **DUMP_BY_0, hands={0: WITHOUT_RED}, deck=deck)
    assert comb(10, 5) == 252
    for seed in range(effort(engine, native=2000, reference=50)):
        assert state.resample_from_infostate(1, engine.Rng(seed)) == state


@pytest.mark.rule("CC-29", "CC-58", "CC-62")
@pytest.mark.fault("A068")
def test_a_draw_is_as_likely_as_the_unseen_copies_say(engine: ModuleType) -> None:
    """Over hidden deals, a seat draws a kind with probability copies unseen / cards unseen; one deal alone knows the deck."""
    state = table(engine, phase="draw", hands={1: [(2, 5)] * 3}, pile=[(3, 4)] * 3, turns=30)
    shown = state.to_dict()
    unseen = counts(unseen_by(shown, 0))
    sums = np.zeros(15)
    deals = effort(engine, native=4000, reference=600)
    rng = engine.Rng(8)
    for _ in range(deals):
        for number, share in state.resample_from_infostate(0, rng).chance_outcomes():
            sums[number] += share
    np.testing.assert_allclose(sums / deals, np.array(unseen) / sum(unseen), atol=0.01)
    deck = counts(shown["deck"])
    expected = [(number, copies / sum(deck)) for number, copies in enumerate(deck) if copies]
    assert state.chance_outcomes() == expected


# Observations


@pytest.mark.rule("CC-75")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_observation_fields_have_their_names_and_shapes(engine: ModuleType, players: int) -> None:
    game = load(engine, NAME, players=players)
    shapes = {
        "observer": (players,),
        "phase": (5,),
        "seat": (players,),
        "turns": (1,),
        "idle": (1,),
        "pending_bonus": (1,),
        "pegs": (players, 6),
        "front": (players, row_length(players), 15),
        "hand": (15,),
        "hand_sizes": (players,),
        "deck_size": (1,),
        "pile": (15,),
        "truncated": (1,),
    }
    found = {field.name: tuple(field.shape) for field in game.observation_fields}
    assert list(found.items()) == list(shapes.items())
    begin = 0
    for field in game.observation_fields:
        assert field.start == begin
        assert field.meaning
        begin += int(np.prod(field.shape))
    assert list(game.observation_tensor_shape()) == [begin]


@pytest.mark.rule("CC-54", "CC-75", "CC-76")
@pytest.mark.parametrize("options", RULE_SETS, ids=str)
def test_observations_show_what_the_seat_knows(engine: ModuleType, options: dict[str, Any]) -> None:
    for state in sampled(engine, options, 19, every=2):
        shown = state.to_dict()
        for seat in range(options["players"]):
            np.testing.assert_array_equal(
                state.observation_tensor(seat), flat(tensor_fields(shown, seat))
            )
            assert state.observation_string(seat) == view_text(view(shown, seat))


@pytest.mark.rule("CC-62")
def test_the_whole_position_is_in_dict_bytes_and_hash(engine: ModuleType) -> None:
    """Two deals that seat 0 cannot tell apart are two states, with other draws."""
    game = load(engine, NAME)
    hands = ([(0, 1)] * 4 + [(0, 2)] * 2, [(2, 5)] * 4 + [(1, 5)] * 2)
    front = {0: [(0, 3), (0, 4)], 1: [(0, 5), (1, 2)]}
    own = [(1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    states = [
        game.state_from_dict(set_up(phase="draw", front=front, hands={0: own, 1: hand}))
        for hand in hands
    ]
    assert states[0].observation_string(0) == states[1].observation_string(0)
    assert states[0] != states[1]
    assert len({state.stable_hash() for state in states}) == 2
    assert len({state.to_bytes() for state in states}) == 2
    assert str(states[0]) != str(states[1])
    assert states[0].chance_outcomes() != states[1].chance_outcomes()
    assert [kind(CARDS[number]) for number, _ in states[1].chance_outcomes()] != list(range(15))
