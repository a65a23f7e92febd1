"""Card Challenge: score the two symbols of a card once for each open card that shows them.

A turn is: play a card of your hand and advance two pegs, the first symbol's before the second's;
lay the card in front of yourself; fill your hand up again, and if none of its cards shows your
lowest row you may dump them first. Score board, bonus turns and the end of the game are those of
all Ingenious Challenges (`_score_board`); the cards are in `_card_challenge_cards`.

A decision is a card and the symbol that is scored first: id = 2 * kind + order, order 0 being the
lower symbol; then 30 keeps a hand and 31 dumps it. Drawing a card is chance outcome `kind`.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._base import (
    CHANCE,
    TERMINAL,
    Below,
    ByteReader,
    Field,
    OptionSpec,
    Rules,
    Word,
    deal_unseen,
    one_hot,
    require,
    take_dict,
    take_list,
    take_name,
    word_option,
)
from ._card_challenge_cards import (
    CARDS,
    COPIES,
    Cards,
    Conditions,
    all_cards,
    cards_text,
    count_cards,
    decode_cards,
    draw_dumpable_hand,
    dump_conditions,
    may_be_dumped,
    pairs,
    take_cards,
)
from ._score_board import Race, ScoreBoard, Symbol
from ._score_board_forms import (
    GATE_TEST,
    MAX_TURNS,
    NO_PROGRESS_LIMIT,
    PLAYERS,
    bonus_text,
    caps_options,
    check_race,
    check_untouched,
    decode_flag,
    decode_pegs,
    decode_turn,
    encode_pegs,
    encode_turn,
    gate_test_option,
    headline,
    pegs_field,
    pegs_tensor,
    pegs_text,
    pegs_to_dict,
    players_option,
    take_race,
    truncated_field,
    turn_fields,
    turn_tensor,
    turn_to_dict,
)

HAND_SIZE = 6

# Ids of decisions.
PLAY = 0  # + 2 * kind + order
KEEP = 2 * len(CARDS)
DUMP = KEEP + 1


class Phase(Word):
    """What has to happen next."""

    DEAL = 0
    PLAY = 1
    DUMP = 2  # keep the hand or dump it
    DRAW = 3
    OVER = 4


_PHASE_WORDS = [phase.word for phase in Phase]

_KEYS = [
    "phase",
    "seat",
    "turns",
    "idle",
    "pending_bonus",
    "pegs",
    "front",
    "hands",
    "deck",
    "pile",
    "truncated",
]


@dataclass
class Position:
    """All that lies on the table or is held in hand."""

    phase: Phase
    race: Race
    front: list[list[int]]
    """The kinds of the open cards of each seat; with two players the one nearer the centre first,
    the one nearer the seat second."""
    hands: list[Cards]
    deck: Cards
    pile: Cards
    """The cards discarded since the deck was last made."""


class CardChallenge(Rules[Position]):
    """The rules of the Card Challenge.

    >>> from tabletop_core.reference import load_game
    >>> game = load_game("card_challenge", players=3)
    >>> game.action_to_string(1), game.action_to_string(31), game.chance_to_string(14)
    ('play red+green, green first', 'dump hand', 'draw yellow+purple')
    """

    name = "card_challenge"
    option_specs = (
        PLAYERS,
        OptionSpec(
            "two_player_row",
            "fifo",
            "fifo|static_centre",
            ("fifo", "static_centre"),
            "With 2 players: which of the two cards in front of a seat a new one replaces, the "
            "older one or the one nearer the seat.",
        ),
        GATE_TEST,
        OptionSpec(
            "dump_tie_rule",
            "all",
            "all|any",
            ("all", "any"),
            "Which symbols of several lowest rows a hand must lack to be dumped: all or any one.",
        ),
        MAX_TURNS,
        NO_PROGRESS_LIMIT,
    )

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Seat the players and give out the score boards."""
        self.num_players = players_option(options)
        self.two_player_row = word_option(options, "two_player_row", ("fifo", "static_centre"))
        gate_test = gate_test_option(options)
        self.dump_tie_rule = word_option(options, "dump_tie_rule", ("all", "any"))
        caps = caps_options(options)
        self.options = {
            "players": self.num_players,
            "two_player_row": self.two_player_row,
            "gate_test": gate_test.value,
            "dump_tie_rule": self.dump_tie_rule,
            **caps,
        }
        self.board = ScoreBoard(self.num_players, last_hole=10, goal=7, gate_test=gate_test, **caps)
        self.front_size = 2 if self.num_players == 2 else 1
        self.num_distinct_actions = DUMP + 1
        self.max_chance_outcomes = len(CARDS)
        self.max_game_length = 2 * self.board.max_turns  # play, keep or dump

    # The course of the game.

    def initial_position(self) -> Position:
        """Shuffle all cards; seat 0 gets the first."""
        return Position(
            phase=Phase.DEAL,
            race=self.board.start(),
            front=[[] for _ in range(self.num_players)],
            hands=[[] for _ in range(self.num_players)],
            deck=all_cards(),
            pile=[],
        )

    def clone(self, position: Position) -> Position:
        """Copy all that changes."""
        return Position(
            phase=position.phase,
            race=position.race.copy(),
            front=[list(cards) for cards in position.front],
            hands=[list(hand) for hand in position.hands],
            deck=list(position.deck),
            pile=list(position.pile),
        )

    def current_player(self, position: Position) -> int:
        """Cards are dealt and drawn by chance; all else is up to the seat."""
        if position.phase is Phase.OVER:
            return TERMINAL
        decides = position.phase in {Phase.PLAY, Phase.DUMP}
        return position.race.seat if decides else CHANCE

    def legal_actions(self, position: Position) -> list[int]:
        """Play any card of the hand, either symbol first; or keep the hand or dump it."""
        if position.phase is Phase.DUMP:
            return [KEEP, DUMP]
        kinds = sorted(set(position.hands[position.race.seat]))
        return [PLAY + 2 * kind + order for kind in kinds for order in (0, 1)]

    def chance_weights(self, position: Position) -> list[tuple[int, int]]:
        """Every card of the deck is equally likely."""
        return [(kind, position.deck.count(kind)) for kind in sorted(set(position.deck))]

    def apply(self, position: Position, action: int) -> None:
        """Play a card, keep or dump a hand, or hand out a card."""
        match position.phase:
            case Phase.PLAY:
                kind, order = divmod(action - PLAY, 2)
                self._play(position, kind, high_first=order == 1)
            case Phase.DUMP:
                if action == DUMP:
                    self._dump(position)
                self._fill_hand(position)
            case Phase.DEAL:
                self._deal(position, action)
            case _:
                self._draw(position, action)

    def _deal(self, position: Position, kind: int) -> None:
        """Fill one hand after another, then lay out open cards, seat by seat as well."""
        seat = position.race.seat
        position.deck.remove(kind)
        if len(position.hands[seat]) < HAND_SIZE:
            insort(position.hands[seat], kind)
            full = len(position.hands[seat]) == HAND_SIZE
        else:
            position.front[seat].append(kind)
            full = len(position.front[seat]) == self.front_size
        if full:
            # Behind the last seat comes seat 0: to get its open cards, or to begin.
            position.race.seat = (seat + 1) % self.num_players
        if len(position.front[-1]) == self.front_size:
            position.phase = Phase.PLAY

    def _play(self, position: Position, kind: int, *, high_first: bool) -> None:
        race = position.race
        position.hands[race.seat].remove(kind)
        card = CARDS[kind]
        moved = False
        for symbol in reversed(card) if high_first else card:
            # The card itself does not lie in front yet and does not count.
            moved |= self.board.advance(race, symbol, _open_cards(position, symbol)) > 0
        self._lay_in_front(position, kind)
        if self.board.count_turn(race, moved=moved):
            position.phase = Phase.OVER
        elif may_be_dumped(position.hands[race.seat], self._dump_conditions(race)):
            position.phase = Phase.DUMP
        else:
            self._fill_hand(position)

    def _lay_in_front(self, position: Position, kind: int) -> None:
        """Replace an own open card by the one just played."""
        front = position.front[position.race.seat]
        replaced = 0
        if self.num_players == 2 and self.two_player_row == "static_centre":
            replaced = 1
        insort(position.pile, front.pop(replaced))
        front.append(kind)

    def _dump_conditions(self, race: Race) -> Conditions:
        """Say when the seat whose turn it is may dump its hand."""
        return dump_conditions(self.board.lowest_rows(race), self.dump_tie_rule)

    def _dump(self, position: Position) -> None:
        seat = position.race.seat
        position.pile = sorted([*position.pile, *position.hands[seat]])
        position.hands[seat] = []

    def _fill_hand(self, position: Position) -> None:
        """Go on to the next draw, or to the next turn if the hand is full."""
        if len(position.hands[position.race.seat]) == HAND_SIZE:
            self.board.next_turn(position.race)
            position.phase = Phase.PLAY
            return
        if not position.deck:
            # A new deck is made when a card is needed, not when the last one is drawn.
            position.deck, position.pile = position.pile, []
        position.phase = Phase.DRAW

    def _draw(self, position: Position, kind: int) -> None:
        position.deck.remove(kind)
        insort(position.hands[position.race.seat], kind)
        self._fill_hand(position)

    def scores(self, position: Position) -> list[int]:
        """Give the value of each seat's lowest row."""
        return self.board.scores(position.race)

    def winners(self, position: Position) -> list[int]:
        """List the seats that win; none before the end."""
        return self.board.winners(position.race) if position.phase is Phase.OVER else []

    def is_truncated(self, position: Position) -> bool:
        """Say whether a cap has ended the game."""
        return position.race.truncated

    # What a seat knows: all but the other hands and what is in the deck.

    def fields(self) -> list[Field]:
        """List the parts of the observation."""
        players, kinds = self.num_players, len(CARDS)
        return [
            Field("observer", (players,), "one-hot: the seat that observes"),
            Field("phase", (len(Phase),), "one-hot: deal, play, dump, draw, over"),
            *turn_fields(players),
            pegs_field(players),
            Field(
                "front",
                (players, self.front_size, kinds),
                "one-hot: the kind of each card in front of a seat, that nearer the centre first",
            ),
            Field("hand", (kinds,), "the observer's cards, by kind"),
            Field("hand_sizes", (players,), "number of cards in each hand"),
            Field("deck_size", (1,), "number of cards in the deck"),
            Field("pile", (kinds,), "discarded cards, by kind"),
            truncated_field(),
        ]

    def tensor(self, position: Position, seat: int) -> dict[str, Sequence[int]]:
        """Give what the seat knows as numbers."""
        front = []
        for cards in position.front:
            for place in range(self.front_size):
                front += one_hot(len(CARDS), cards[place] if place < len(cards) else -1)
        return {
            "observer": one_hot(self.num_players, seat),
            "phase": one_hot(len(Phase), position.phase),
            **turn_tensor(position.race),
            "pegs": pegs_tensor(position.race),
            "front": front,
            "hand": count_cards(position.hands[seat]),
            "hand_sizes": [len(hand) for hand in position.hands],
            "deck_size": [len(position.deck)],
            "pile": count_cards(position.pile),
            "truncated": [int(position.race.truncated)],
        }

    def view(self, position: Position, seat: int) -> dict[str, Any]:
        """Give what the seat knows as a dict."""
        return {
            "observer": seat,
            "phase": position.phase.word,
            **turn_to_dict(position.race),
            "pegs": pegs_to_dict(position.race),
            "front": [pairs(cards) for cards in position.front],
            "hand": pairs(position.hands[seat]),
            "hand_sizes": [len(hand) for hand in position.hands],
            "deck_size": len(position.deck),
            "pile": pairs(position.pile),
            "truncated": position.race.truncated,
        }

    def resample(self, position: Position, seat: int, below: Below) -> None:
        """Deal the other hands again, from all cards that the seat does not see.

        A seat that may dump its hand shows by this alone what it does not hold. Its hand is drawn
        first, from those that may be dumped; all else is dealt as ever.
        """
        mover = position.race.seat
        others = [other for other in range(self.num_players) if other != seat]
        unseen = [*position.deck, *(kind for other in others for kind in position.hands[other])]
        if position.phase is Phase.DUMP and mover in others:
            others.remove(mover)
            size = len(position.hands[mover])
            conditions = self._dump_conditions(position.race)
            position.hands[mover], unseen = draw_dumpable_hand(unseen, size, conditions, below)
        sizes = [len(position.hands[other]) for other in others]
        hands, position.deck = deal_unseen(unseen, sizes, below)
        for other, hand in zip(others, hands, strict=True):
            position.hands[other] = hand

    def sees_outcome(self, position: Position, seat: int) -> bool:
        """Say whether a card comes into the seat's own hand, or face up onto the table."""
        receiver = position.race.seat
        hand_is_full = len(position.hands[receiver]) == HAND_SIZE
        return seat == receiver or hand_is_full

    # Positions in and out.

    def to_dict(self, position: Position) -> dict[str, Any]:
        """Write the whole position."""
        return {
            "phase": position.phase.word,
            **turn_to_dict(position.race),
            "pegs": pegs_to_dict(position.race),
            "front": [pairs(cards) for cards in position.front],
            "hands": [pairs(hand) for hand in position.hands],
            "deck": pairs(position.deck),
            "pile": pairs(position.pile),
            "truncated": position.race.truncated,
        }

    def from_dict(self, position: object) -> Position:
        """Read a position; cards, and symbols of a card, may be in any order, save in front."""
        entries = take_dict(position, _KEYS, "the position")
        front = take_list(entries["front"], "front", self.num_players)
        hands = take_list(entries["hands"], "hands", self.num_players)
        return Position(
            phase=Phase(take_name(entries["phase"], _PHASE_WORDS, "phase")),
            race=take_race(self.board, entries),
            front=[take_cards(cards, f"front[{seat}]") for seat, cards in enumerate(front)],
            hands=[sorted(take_cards(hand, f"hands[{s}]")) for s, hand in enumerate(hands)],
            deck=sorted(take_cards(entries["deck"], "deck")),
            pile=sorted(take_cards(entries["pile"], "pile")),
        )

    def encode(self, position: Position) -> bytes:
        """Write the whole position; the two numbers of turns take two bytes each."""
        numbers: list[int] = []
        for cards in position.front:
            numbers += [len(cards), *cards]
        for cards in (*position.hands, position.deck, position.pile):
            numbers += count_cards(cards)
        return (
            bytes([position.phase])
            + encode_turn(position.race)
            + encode_pegs(position.race)
            + bytes([*numbers, position.race.truncated])
        )

    def decode(self, reader: ByteReader) -> Position:
        """Read what `encode` writes."""
        seats = range(self.num_players)
        phase = Phase(reader.u8("phase", len(Phase)))
        race = decode_turn(self.board, reader)
        race.pegs = decode_pegs(self.board, reader)
        front = [
            [
                reader.u8(f"a card of front[{seat}]", len(CARDS))
                for _ in range(reader.u8(f"the size of front[{seat}]", self.front_size + 1))
            ]
            for seat in seats
        ]
        hands = [decode_cards(reader, f"hands[{seat}]") for seat in seats]
        deck = decode_cards(reader, "deck")
        pile = decode_cards(reader, "pile")
        race.truncated = decode_flag(reader, "truncated")
        return Position(phase, race, front, hands, deck, pile)

    # Which positions can be.

    def check(self, position: Position) -> None:
        """Refuse a position that breaks an invariant of the game."""
        check_race(self.board, position.race, over=position.phase is Phase.OVER)
        _check_all_cards(position)
        if position.phase is Phase.DEAL:
            self._check_deal(position)
        else:
            self._check_table(position)

    def _check_deal(self, position: Position) -> None:
        """During the deal there are only cards handed out one after another."""
        check_untouched(position.race, "deal")
        require(not position.pile, "pile must be empty in phase deal")
        hands = [len(hand) for hand in position.hands]
        front = [len(cards) for cards in position.front]
        in_order_hands = self._dealt_in_order(sum(hands), HAND_SIZE)
        in_order_front = self._dealt_in_order(sum(front), self.front_size)
        hands_full = sum(hands) == self.num_players * HAND_SIZE
        front_full = sum(front) == self.num_players * self.front_size
        require(
            hands == in_order_hands
            and front == in_order_front
            and (hands_full or not any(front))
            and not front_full,
            f"in phase deal each seat in turn gets {HAND_SIZE} cards, then each {self.front_size} "
            f"open ones, and one is missing yet; not hands of {hands} and {front} open cards",
        )
        dealt = sum(front) // self.front_size if hands_full else sum(hands) // HAND_SIZE
        seat = position.race.seat
        require(seat == dealt, f"seat must be {dealt}, who gets the next card, not {seat}")

    def _dealt_in_order(self, cards: int, most: int) -> list[int]:
        """Say how many of the cards dealt each seat has got, at most so many each."""
        return [min(max(cards - seat * most, 0), most) for seat in range(self.num_players)]

    def _check_table(self, position: Position) -> None:
        """After the deal the sizes of the hands follow from the phase."""
        phase, mover = position.phase, position.race.seat
        if phase is Phase.PLAY:
            sizes = [HAND_SIZE]
        elif phase is Phase.DRAW:
            sizes = list(range(HAND_SIZE))  # few after a dump
        else:
            sizes = [HAND_SIZE - 1]
        for seat, hand in enumerate(position.hands):
            right = sizes if seat == mover else [HAND_SIZE]
            require(
                len(hand) in right,
                f"hands[{seat}] must have {' or '.join(map(str, right))} cards in phase "
                f"{phase.word} of seat {mover}, not {len(hand)}",
            )
        for seat, cards in enumerate(position.front):
            require(
                len(cards) == self.front_size,
                f"front[{seat}] must have {self.front_size} cards in phase {phase.word}, "
                f"not {len(cards)}",
            )
        require(
            phase is not Phase.DRAW or bool(position.deck),
            "deck must have a card in phase draw; an empty one is made anew before that",
        )
        require(
            phase is not Phase.DUMP
            or may_be_dumped(position.hands[mover], self._dump_conditions(position.race)),
            f"in phase dump the hand of seat {mover} must lack its lowest rows, "
            f"not be {cards_text(position.hands[mover])}",
        )

    # Texts.

    def action_to_string(self, action: int) -> str:
        """Name a decision, as in "play red+green, red first"."""
        if action == KEEP:
            return "keep hand"
        if action == DUMP:
            return "dump hand"
        kind, order = divmod(action - PLAY, 2)
        return f"play {CARDS[kind].text}, {CARDS[kind][order].word} first"

    def chance_to_string(self, outcome: int) -> str:
        """Name the card drawn."""
        return f"draw {CARDS[outcome].text}"

    def describe(self, position: Position) -> str:
        """List the board, the open cards and the hand of each seat, then the other cards."""
        return "\n".join(
            [
                headline(self.name, position.phase.word, position.race),
                *(
                    f"{pegs_text(position.race, seat)}, front {cards_text(position.front[seat])}, "
                    f"hand {cards_text(position.hands[seat])}"
                    for seat in range(self.num_players)
                ),
                f"deck: {len(position.deck)} cards",
                f"pile: {cards_text(position.pile)}",
                bonus_text(position.race),
            ]
        )


def _open_cards(position: Position, symbol: Symbol) -> int:
    """Count the open cards on the table that show a symbol, own ones as well."""
    return sum(symbol in CARDS[kind] for cards in position.front for kind in cards)


def _check_all_cards(position: Position) -> None:
    """No card is lost or doubled."""
    places = [*position.front, *position.hands, position.deck, position.pile]
    everywhere = [kind for cards in places for kind in cards]
    for kind, card in enumerate(CARDS):
        found = everywhere.count(kind)
        require(
            found == COPIES,
            f"there must be {COPIES} cards {card.text} ({kind}) in front, in hands, in the deck "
            f"and in the pile together, not {found}",
        )


RULES = CardChallenge
