"""OpenSpiel's own Python searches run on our states as they are."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import tabletop_core as tc
from tests.engines import effort
from tests.walks import after

if TYPE_CHECKING:
    from types import ModuleType

pytestmark = [
    pytest.mark.peers,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of OpenSpiel and what it imports
]


def algorithm(name: str) -> Any:
    """Import a module of OpenSpiel, which has no types."""
    return importlib.import_module(f"open_spiel.python.algorithms.{name}")


def play(state: Any, seed: int, choose: Any, decisions: int) -> None:
    """Play on, chance at random, until the end or so many decisions."""
    rng = np.random.default_rng(seed)
    while not state.is_terminal() and decisions > 0:
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=probabilities))
        else:
            action = choose(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            decisions -= 1


@pytest.mark.parametrize("name", tc.registered_games())
def test_random_rollouts_and_tree_search(engine: ModuleType, name: str) -> None:
    mcts = algorithm("mcts")
    game = engine.load_game(name)
    evaluator = mcts.RandomRolloutEvaluator(random_state=np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 4, evaluator, random_state=np.random.RandomState(2))
    state = after(game, 10, 3)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert evaluator.evaluate(state).shape == (game.num_players(),)
    assert [action for action, _ in evaluator.prior(state)] == state.legal_actions()
    play(state, 4, bot.step, effort(engine, native=40, reference=3))


@pytest.mark.parametrize("name", tc.registered_games())
def test_search_over_information_sets(engine: ModuleType, name: str) -> None:
    mcts, ismcts = algorithm("mcts"), algorithm("ismcts")
    game = engine.load_game(name)
    if game.get_type().information.name == "PERFECT_INFORMATION":
        return  # OpenSpiel's search refuses such games
    evaluator = mcts.RandomRolloutEvaluator(random_state=np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game,
        evaluator=evaluator,
        uct_c=1.4,
        max_simulations=6,
        random_state=np.random.RandomState(2),
        use_observation_string=True,
    )
    play(game.new_initial_state(), 4, bot.step, effort(engine, native=20, reference=2))


def test_kinds_of_games_are_those_of_openspiel(engine: ModuleType) -> None:
    theirs = importlib.import_module("pyspiel").GameType
    indigo = engine.load_game("indigo").get_type()
    assert (indigo.short_name, indigo.long_name) == ("indigo", "Indigo")
    assert indigo.min_num_players == indigo.max_num_players == indigo.num_players == 2
    assert indigo.dynamics == theirs.Dynamics.SEQUENTIAL
    assert indigo.chance_mode == theirs.ChanceMode.EXPLICIT_STOCHASTIC
    assert indigo.information == theirs.Information.IMPERFECT_INFORMATION
    assert indigo.information != theirs.Information.PERFECT_INFORMATION
    assert indigo.utility == theirs.Utility.ZERO_SUM
    assert indigo.reward_model == theirs.RewardModel.TERMINAL
    assert indigo.reward_model != theirs.Dynamics.SEQUENTIAL
    tile = engine.load_game("tile_challenge").get_type()
    assert tile.information == theirs.Information.PERFECT_INFORMATION
    alone = engine.load_game("optimus2", players=1).get_type()
    assert alone.utility == theirs.Utility.GENERAL_SUM
