"""The match of Ingenious Challenges: challenges one after another, on both engines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.distribution import check_resampling
from tests.engines import effort
from tests.rules import card_challenge_table, dice_challenge_table, tile_challenge_table
from tests.rules.challenges_board import TARGETS
from tests.rules.shared import (
    Shown,
    comes_back,
    counting,
    flat,
    header,
    load,
    misfits,
    one_hot,
    returns_of,
    u16,
    view_text,
)
from tests.walks import step, walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from tabletop_core.protocol import Game, State

NAME = "ingenious_challenges"
KINDS = ("card", "dice", "tile")
TABLES: dict[str, Any] = {
    "card": card_challenge_table,
    "dice": dice_challenge_table,
    "tile": tile_challenge_table,
}
FIRST_ACTION = {"card": 0, "dice": 32, "tile": 148}
ROLLS = {2: 126, 3: 56, 4: 21}
KEYS = ("played", "totals", "truncated", "game", "position")
DEFAULTS = {
    "players": 2,
    "challenges": ("card", "dice", "tile"),
    "two_player_row": "fifo",
    "gate_test": "stepwise",
    "dump_tie_rule": "all",
    "free_scoring_tie": "any",
    "free_scoring_take": "all",
    "max_turns": 1000,
    "no_progress_limit": 100,
}
MATCHES: tuple[dict[str, Any], ...] = (
    {},
    {"players": 3, "challenges": ("tile", "card"), "free_scoring_take": "one"},
    {"players": 4, "challenges": ("dice",), "gate_test": "strict"},
    {
        "challenges": ("card", "card", "tile", "dice"),
        "two_player_row": "static_centre",
        "dump_tie_rule": "any",
        "free_scoring_tie": "unique",
        "max_turns": 12,
    },
    {"players": 3, "challenges": ("dice", "tile", "dice"), "no_progress_limit": 2},
)


def first_outcome(kind: str, players: int) -> int:
    """Give the id of the first chance outcome of a challenge."""
    return {"card": 0, "dice": 15, "tile": 15 + ROLLS[players]}[kind]


def part(engine: ModuleType, match: Game, kind: str) -> Game:
    """Load a challenge alone with what the match says about it."""
    name = f"{kind}_challenge"
    known = [spec.name for spec in engine.game_options(name)]
    return load(engine, name, **{option: match.options[option] for option in known})


def some(states: Iterator[State], every: int) -> Iterator[State]:
    """Give some of the positions, and the last."""
    for number, state in enumerate(states):
        if number % every == 0 or state.is_terminal():
            yield state


NO_CHALLENGES: list[Any] = [
    *((), [], "card", "", None, 3, ("cards",), ("Card",), ("card_challenge",)),
    *(("card",) * 17, ("card", None), (0, 1), {"card": 1}),
]


# Options


@pytest.mark.rule("IC-1")
def test_options_have_their_names_defaults_and_values(engine: ModuleType) -> None:
    specs = engine.game_options(NAME)
    assert {spec.name: spec.default for spec in specs} == DEFAULTS
    assert [spec.name for spec in specs] == list(load(engine, NAME).options) == list(DEFAULTS)
    assert dict(load(engine, NAME).options) == DEFAULTS
    for name, value in {
        "players": 4,
        "two_player_row": "static_centre",
        "gate_test": "strict",
        "dump_tie_rule": "any",
        "free_scoring_tie": "unique",
        "free_scoring_take": "one",
        "max_turns": 65535,
        "no_progress_limit": 1,
    }.items():
        assert load(engine, NAME, **{name: value}).options[name] == value


@pytest.mark.rule("IC-1", "IC-2")
@pytest.mark.parametrize(
    "option",
    [
        *({"players": value} for value in (1, 5, True, "2")),
        *({"challenges": value} for value in NO_CHALLENGES),
        *({"gate_test": value} for value in ("none", None)),
        {"two_player_row": "none"},
        {"dump_tie_rule": "one"},
        {"free_scoring_tie": "all"},
        {"free_scoring_take": "any"},
        {"max_turns": 0},
        {"no_progress_limit": 65536},
        {"games": 3},
    ],
    ids=str,
)
def test_other_options_are_refused(engine: ModuleType, option: dict[str, Any]) -> None:
    with pytest.raises(tc.OptionError):
        load(engine, NAME, **option)


@pytest.mark.rule("IC-2")
@pytest.mark.parametrize(
    "names", [["tile"], ("dice", "card"), ["card"] * 16, ("tile", "dice", "tile")], ids=str
)
def test_challenges_are_a_sequence_of_names_and_shown_as_a_tuple(
    engine: ModuleType, names: Any
) -> None:
    game = load(engine, NAME, challenges=names)
    assert game.options["challenges"] == tuple(names)
    assert isinstance(game.options["challenges"], tuple)
    assert game == load(engine, NAME, challenges=tuple(names))
    assert game.new_initial_state().to_dict()["game"] == names[0]


# Whole matches


@pytest.mark.rule("IC-3", "IC-4", "IC-5", "IC-6", "IC-7", "IC-8", "IC-9", "IC-10", "IC-12", "IC-13")
@pytest.mark.parametrize("options", MATCHES, ids=str)
def test_a_match_is_its_challenges_one_after_another(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    """Each challenge is played along by itself, with the ids of the match moved to its own."""
    game = load(engine, NAME, **options)
    players = game.num_players()
    for seed in range(effort(engine, native=6, reference=1)):
        state, rng = game.new_initial_state(), engine.Rng(seed)
        totals, truncated = np.zeros(players, dtype=np.int64), False
        for played, kind in enumerate(game.options["challenges"]):
            alone = part(engine, game, kind).new_initial_state()
            while not alone.is_terminal():
                assert state.to_dict() == {
                    "played": played,
                    "totals": totals.tolist(),
                    "truncated": truncated,
                    "game": kind,
                    "position": alone.to_dict(),
                }
                assert state.current_player() == alone.current_player()
                assert state.scores().tolist() == (totals + alone.scores()).tolist()
                assert (state.winners(), state.is_truncated()) == ([], False)
                assert not state.returns().any()
                chance = alone.is_chance_node()
                first = first_outcome(kind, players) if chance else FIRST_ACTION[kind]
                assert state.legal_actions() == [first + one for one in alone.legal_actions()]
                for one in alone.legal_actions():
                    text = f"{kind}: {alone.action_to_string(one)}"
                    assert state.action_to_string(first + one) == text
                if chance:
                    shares = [(first + one, share) for one, share in alone.chance_outcomes()]
                    assert state.chance_outcomes() == shares
                alone.apply_action(step(state, rng) - first)
            totals += alone.scores()
            truncated |= alone.is_truncated()
        assert state.is_terminal()
        assert state.to_dict() == {
            "played": len(game.options["challenges"]),
            "totals": totals.tolist(),
            "truncated": truncated,
            "game": game.options["challenges"][-1],
            "position": alone.to_dict(),
        }
        assert state.scores().tolist() == totals.tolist()
        assert state.is_truncated() == truncated
        assert state.winners() == np.flatnonzero(totals == totals.max()).tolist()
        assert state.returns().tolist() == returns_of(state.winners(), players)


@pytest.mark.rule("IC-26")
@pytest.mark.parametrize(
    ("players", "means"),
    [
        (
            2,
            {"turns": "190", "decisions": "418", "real": "346", "chances": "260", "points": "17.7"},
        ),
        (
            3,
            {"turns": "275", "decisions": "535", "real": "441", "chances": "370", "points": "16.2"},
        ),
        (
            4,
            {"turns": "333", "decisions": "685", "real": "547", "chances": "484", "points": "13.5"},
        ),
    ],
)
def test_random_matches_have_the_known_means(
    engine: ModuleType, players: int, means: dict[str, str]
) -> None:
    game = load(engine, NAME, players=players)
    found = []
    for seed in range(effort(engine, native=120, reference=6)):
        nodes: Counter[str] = Counter()
        turns, before = 0, 0
        for state in counting(walk(game, seed), nodes):
            now = state.to_dict()["position"]["turns"]
            turns += now - before if now >= before else 1
            before = now
        assert not state.is_truncated()
        found.append({**nodes, "turns": turns, "points": float(state.scores().mean())})
    assert not misfits(found, means, games=1000)


@pytest.mark.rule("IC-11")
@pytest.mark.parametrize(("players", "dice"), [(2, 4), (3, 3), (4, 2)])
def test_the_longest_match_is_the_sum_of_the_longest_challenges(
    engine: ModuleType, players: int, dice: int
) -> None:
    for challenges, turns in (
        (("card",), 2),
        (("dice", "tile"), 9 + dice),
        (("tile", "card", "tile"), 16),
    ):
        game = load(engine, NAME, players=players, challenges=challenges, max_turns=5)
        assert game.max_game_length() == 5 * turns
        result = engine.playouts(game, effort(engine, native=500, reference=5), seed=3)
        assert result.lengths.max() <= 5 * turns


# Ends of challenges


def nearly(kind: str, players: int, seat: int) -> tuple[Shown, list[int]]:
    """Give a position in which the seat wins the challenge, and the actions that do it; lowest rows are then 8 (Tile: the target), others 4."""
    pegs: dict[int, Any] = {other: [4] * 6 for other in range(players)}
    if kind == "tile":
        target = TARGETS[players]
        pegs[seat] = [target - 1, *[target] * 5]
        shown = tile_challenge_table.set_up(players, seat=seat, pegs=pegs, centre=[0, 1, 2])
        return shown, [148 + tile_challenge_table.free(0)]
    pegs[seat] = [6, 8, 8, 8, 8, 8]
    if kind == "dice":
        size = dice_challenge_table.DICE[players]
        dice = {seat: [0] * size, (seat + 1) % players: [0, *[5] * (size - 1)]}
        dice |= {other: [5] * size for other in range(players) if other not in dice}
        shown = dice_challenge_table.set_up(players, seat=seat, pegs=pegs, dice=dice)
        return shown, [32 + dice_challenge_table.match(0)] * size
    shown = card_challenge_table.set_up(
        players,
        seat=seat,
        pegs=pegs,
        front={
            other: [(0, 1), (2, 3)] if players == 2 else [(0, 1 + other)]
            for other in range(players)
        },
        hands={seat: [(0, 5)]},
    )
    return shown, [card_challenge_table.play([0, 5], 0)]


@pytest.mark.rule("IC-4", "IC-5", "IC-6", "IC-7")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("following", KINDS)
def test_after_a_win_points_are_given_and_the_next_challenge_begins(
    engine: ModuleType, players: int, kind: str, following: str
) -> None:
    game = load(engine, NAME, players=players, challenges=("tile", kind, following))
    seat = players - 1
    position, actions = nearly(kind, players, seat)
    totals = [3] * players
    shown = {"played": 1, "totals": totals, "truncated": False, "game": kind, "position": position}
    state = game.state_from_dict(shown)
    for action in actions:
        assert not state.is_chance_node()
        state.apply_action(action)
    after = state.to_dict()
    alone = part(engine, game, following).new_initial_state()
    assert (after["played"], after["game"], after["truncated"]) == (2, following, False)
    assert after["position"] == alone.to_dict()
    assert state.is_chance_node()
    best = after["totals"][seat] - 3
    assert best >= (TARGETS[players] if kind == "tile" else 7)
    assert after["totals"] == [3 + (best if other == seat else 4) for other in range(players)]
    assert state.scores().tolist() == after["totals"]


@pytest.mark.rule("IC-6", "IC-8", "IC-9")
@pytest.mark.fault("A112")
def test_the_winner_of_the_last_challenge_may_lose_the_match(engine: ModuleType) -> None:
    """The winner of the Dice Challenge gets its lowest row, which is 8."""
    position, actions = nearly("dice", 2, 0)
    for start, winners in (([1, 6], [1]), ([2, 6], [0, 1]), ([3, 6], [0])):
        game = load(engine, NAME, challenges=("card", "dice"))
        shown = {
            "played": 1,
            "totals": start,
            "truncated": False,
            "game": "dice",
            "position": position,
        }
        state = game.state_from_dict(shown)
        for action in actions:
            assert state.winners() == []
            state.apply_action(action)
        assert state.is_terminal()
        assert state.to_dict()["totals"] == state.scores().tolist() == [start[0] + 8, 10]
        assert state.winners() == winners
        assert state.returns().tolist() == returns_of(winners, 2)


@pytest.mark.rule("IC-6", "IC-10")
def test_a_capped_challenge_gives_its_points_and_marks_the_match(engine: ModuleType) -> None:
    game = load(engine, NAME, challenges=("tile", "dice"), max_turns=20)
    table = tile_challenge_table
    position = table.set_up(turns=19, pegs={0: [1, 2, 3, 4, 5, 6], 1: [2, 2, 2, 2, 2, 2]})
    shown = {
        "played": 0,
        "totals": [0, 0],
        "truncated": False,
        "game": "tile",
        "position": position,
    }
    state = game.state_from_dict(shown)
    state.apply_action(148 + table.DRAW)
    state.apply_action(first_outcome("tile", 2) + 5)
    after = state.to_dict()
    assert (after["played"], after["totals"], after["truncated"]) == (1, [1, 2], True)
    assert after["position"]["truncated"] is False
    assert (state.is_truncated(), state.is_terminal()) == (False, False)
    assert comes_back(state)
    position, actions = nearly("dice", 2, 1)
    state = game.state_from_dict({**after, "position": {**position, "turns": 5}})
    for action in actions:
        state.apply_action(action)
    assert state.is_terminal()
    assert state.is_truncated()
    assert state.to_dict()["position"]["truncated"] is False
    assert state.winners() == [1]


@pytest.mark.rule("IC-4")
def test_counters_start_anew_in_each_challenge(engine: ModuleType) -> None:
    """A match of three challenges with a cap of one turn has three turns."""
    game = load(engine, NAME, challenges=("card", "tile", "card"), max_turns=1)
    for state in walk(game, seed=1):
        position = state.to_dict()["position"]
        assert position["turns"] == (position["phase"] == "over")
        assert position["seat"] == 0 or position["phase"] == "deal"
    assert state.to_dict()["played"] == 3


@pytest.mark.rule("IC-3")
def test_options_of_challenges_that_are_not_played_do_nothing(engine: ModuleType) -> None:
    plain = load(engine, NAME, challenges=("tile",))
    other = load(engine, NAME, challenges=("tile",), gate_test="strict", dump_tie_rule="any")
    assert plain != other
    ends = [engine.playouts(game, 5, seed=1).lengths.tolist() for game in (plain, other)]
    assert ends[0] == ends[1]


# Ids and texts


@pytest.mark.rule("IC-12", "IC-13")
@pytest.mark.fault("A022")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("challenges", [("card", "dice", "tile"), ("dice",)])
def test_ids_and_texts_are_those_of_all_three_parts(
    engine: ModuleType, players: int, challenges: tuple[str, ...]
) -> None:
    game = load(engine, NAME, players=players, challenges=challenges)
    parts = {kind: load(engine, f"{kind}_challenge", players=players) for kind in KINDS}
    texts = [
        f"{kind}: {one.action_to_string(action)}"
        for kind, one in parts.items()
        for action in range(one.num_distinct_actions())
    ]
    assert game.num_distinct_actions() == len(texts) == 156
    assert [game.action_to_string(action) for action in range(156)] == texts
    assert [game.action_from_string(text) for text in texts] == list(range(156))
    texts = [
        f"{kind}: {one.chance_to_string(outcome)}"
        for kind, one in parts.items()
        for outcome in range(one.max_chance_outcomes())
    ]
    assert game.max_chance_outcomes() == len(texts) == 21 + ROLLS[players]
    assert [game.chance_to_string(outcome) for outcome in range(len(texts))] == texts
    assert [game.chance_from_string(text) for text in texts] == list(range(len(texts)))
    assert texts[first_outcome("tile", players)] == "tile: tile red"
    for wrong in (
        "",
        "keep hand",
        "card: ",
        "card:keep hand",
        "dice: keep hand",
        "Card: keep hand",
    ):
        with pytest.raises(tc.IllegalActionError):
            game.action_from_string(wrong)


@pytest.mark.rule("IC-14")
@pytest.mark.parametrize("options", MATCHES, ids=str)
def test_a_position_is_written_with_a_line_of_the_match(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **options)
    number = len(game.options["challenges"])
    for state in walk(game, seed=2):
        shown = state.to_dict()
        place = "over" if state.is_terminal() else f"challenge {shown['played'] + 1} of {number}"
        first = f"{NAME}: {place}, totals {' '.join(map(str, shown['totals']))}"
        assert str(state) == f"{first}\n{TABLES[shown['game']].text(shown['position'])}"


# What a seat knows


def seen(shown: Shown, seat: int) -> Shown:
    """Give what a seat knows."""
    view = TABLES[shown["game"]].view(shown["position"], seat)
    return {
        "observer": seat,
        **shown,
        "position": {key: view[key] for key in view if key != "observer"},
    }


def tensor_fields(game: Game, shown: Shown, seat: int) -> dict[str, Any]:
    """Give the fields of the observation tensor."""
    challenges, players = game.options["challenges"], game.num_players()
    fields = {
        "observer": one_hot(players, seat),
        "played": [shown["played"]],
        "totals": shown["totals"],
        "truncated": [int(shown["truncated"])],
        "challenge": one_hot(len(challenges), min(shown["played"], len(challenges) - 1)),
    }
    for kind in KINDS:
        if kind in challenges:
            table = TABLES[kind]
            playing = shown["game"] == kind
            position = shown["position"] if playing else table.beginning(players)
            for name, value in table.tensor_fields(position, seat).items():
                if name != "observer":
                    fields[f"{kind}.{name}"] = np.asarray(value) * playing
    return fields


@pytest.mark.rule("IC-15", "IC-23", "IC-24")
@pytest.mark.parametrize("options", MATCHES, ids=str)
def test_observations_show_the_match_and_what_the_challenge_shows(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **options)
    for state in some(walk(game, seed=4), effort(engine, native=2, reference=7)):
        for seat in range(game.num_players()):
            shown = state.to_dict()
            fields = tensor_fields(game, shown, seat)
            np.testing.assert_array_equal(state.observation_tensor(seat), flat(fields))
            assert state.observation_string(seat) == view_text(seen(shown, seat))
    shapes = {name: np.shape(value) for name, value in fields.items()}
    assert {field.name: tuple(field.shape) for field in game.observation_fields} == shapes
    assert [field.name for field in game.observation_fields] == list(shapes)


@pytest.mark.rule("IC-15", "IC-16")
@pytest.mark.fault("A049")
@pytest.mark.parametrize("options", MATCHES[:2], ids=str)
def test_resampling_is_that_of_the_challenge(engine: ModuleType, options: dict[str, Any]) -> None:
    """The same random numbers deal the same cards in the match and in the challenge alone; seats notice nothing."""
    game = load(engine, NAME, **options)
    changed = 0
    for number, state in enumerate(some(walk(game, seed=6), 5)):
        shown = state.to_dict()
        alone = part(engine, game, shown["game"]).state_from_dict(shown["position"])
        for seat in range(game.num_players()):
            sample = state.resample_from_infostate(seat, engine.Rng(number))
            dealt = alone.resample_from_infostate(seat, engine.Rng(number))
            assert sample.to_dict() == {**shown, "position": dealt.to_dict()}
            told, told_alone = (
                [one.observed_action_to_string(seat, action) for action in one.legal_actions()[:1]]
                for one in (state, alone)
            )
            hidden = told_alone == ["draw (hidden)"]
            word = "" if hidden else f"{shown['game']}: "
            assert told == [word + text for text in told_alone]
            assert sample.observation_string(seat) == state.observation_string(seat)
            np.testing.assert_array_equal(
                sample.observation_tensor(seat), state.observation_tensor(seat)
            )
            changed += sample != state
    assert changed


@pytest.mark.rule("IC-16")
@pytest.mark.parametrize("rule", ["all", "any"])
def test_resampling_has_the_exact_distribution_of_the_card_challenge(
    engine: ModuleType, rule: str
) -> None:
    """Seen from every seat, with a small deck; the first seat may dump its hand, which lacks red or green."""
    game = load(engine, NAME, challenges=("tile", "card", "dice"), dump_tie_rule=rule)
    first = (
        [(1, 2), (2, 3), (2, 3), (2, 4), (2, 4)] if rule == "any" else [(2, 3)] * 3 + [(2, 4)] * 2
    )
    cards = card_challenge_table.set_up(
        phase="dump",
        pegs={0: [1, 1, 2, 2, 2, 2]},
        hands={0: first, 1: [(0, 2), (0, 2), (1, 3), (2, 5), (2, 5), (4, 5)]},
        deck=[(2, 3), (0, 3), (1, 2)],
    )
    match = {"played": 1, "totals": [5, 3], "truncated": False, "game": "card"}
    state = game.state_from_dict({**match, "position": cards})
    for seat in (0, 1):
        deals = card_challenge_table.hidden_deals(cards, seat, rule)
        check_resampling(
            state,
            seat,
            (({**match, "position": dealt}, ways) for dealt, ways in deals),
            draws=effort(engine, native=10_000, reference=500),
        )


# Dict and bytes


@pytest.mark.rule("IC-17", "IC-19", "IC-20", "IC-21", "IC-22", "IC-25")
@pytest.mark.parametrize("options", MATCHES, ids=str)
def test_every_position_of_a_match_comes_back_from_its_dict_and_bytes(
    engine: ModuleType, options: dict[str, Any]
) -> None:
    game = load(engine, NAME, **options)
    for state in some(walk(game, seed=8), effort(engine, native=1, reference=6)):
        shown = state.to_dict()
        assert tuple(shown) == KEYS
        assert comes_back(state)
        numbers = [byte for n in (shown["played"], *shown["totals"]) for byte in u16(n)]
        payload = TABLES[shown["game"]].payload(shown["position"])
        written = header(NAME, game.options) + bytes([*numbers, shown["truncated"]]) + payload
        assert state.to_bytes() == written


@pytest.mark.rule("IC-25")
def test_cut_longer_or_foreign_bytes_are_refused(engine: ModuleType) -> None:
    game = load(engine, NAME, challenges=("tile", "dice"))
    state = game.new_initial_state()
    good = state.to_bytes()
    others = (load(engine, NAME, challenges=("dice", "tile")), load(engine, "tile_challenge"))
    for bad in (
        *(good[:size] for size in range(len(good))),
        good + b"\0",
        *(other.new_initial_state().to_bytes() for other in others),
    ):
        with pytest.raises(tc.PositionError):
            game.state_from_bytes(bad)
