"""Solved boards and exact evaluation."""

import json
import os
import signal
import threading

import numpy as np
import pytest

import afterstate as af


def all_boards(table, n=300):
    """Boards of random games on the table's size."""
    env = af.VectorEnv(n, board=table.grid.shape, seed=3, autoreset_mode="DISABLED")
    shown, _ = env.reset()
    boards = [shown]
    for _ in range(20):
        boards.append(env.step(env.sample())[0])
    return np.concatenate(boards)


def test_values_are_consistent(table):
    boards = all_boards(table)
    answer = table.query(boards)
    assert answer.found.all()
    after, rewards, legal = af.moves(boards)
    assert np.array_equal(answer.legal, legal) and np.array_equal(answer.rewards[legal], rewards[legal])
    values = table.values(after)
    assert np.allclose(answer.value[legal], (rewards + values)[legal])
    best = np.where(legal.any(-1), np.where(legal, rewards + values, -1).max(-1), 0)
    assert np.allclose(answer.state_value, best)
    assert np.allclose(answer.loss[legal], (best[:, None] - answer.value)[legal])
    assert np.isnan(answer.loss[~legal]).all()
    rows = np.flatnonzero(legal.any(-1))
    assert (answer.loss[rows, answer.best[rows]] == 0).all() and (answer.best[~legal.any(-1)] == -1).all()
    assert np.array_equal(table.query(boards, threads=2).best, answer.best)


def test_boards_that_no_game_reaches(table):
    strange = np.full((2, 3), 9, np.uint8)
    assert not table.query(strange).found and np.isnan(table.query(strange).state_value)
    assert np.isnan(table.values(strange))
    with pytest.raises(ValueError):
        table.query(np.zeros((4, 4), np.uint8))


def test_info(table):
    assert table.ages["n_states"].sum() == table.n_states and table.is_solved and table.goal == 0
    assert af.Table(table.directory).n_afterstates == table.n_afterstates
    with pytest.raises(OSError):
        af.Table(os.path.join(table.directory, "nothing"))


def uniform(boards):
    return af.legal_moves(boards)


def probabilities(boards):
    legal = af.legal_moves(boards)
    return legal / legal.sum(-1, keepdims=True)


def greedy(boards):
    _, rewards, legal = af.moves(boards)
    worth = np.where(legal, rewards, -1)
    return legal & (worth == worth.max(-1, keepdims=True))


def first(boards):
    return af.legal_moves(boards).argmax(-1)


def program_score(program, table, *player):
    return json.loads(program("exact", table.directory, "--json", *player))["score"]


@pytest.mark.parametrize("symmetric", [False, True])
def test_policies_score_as_the_program_says(table, program, symmetric):
    for policy in (uniform, probabilities):
        score = af.exact(table, policy, symmetric=symmetric).score
        assert abs(score - program_score(program, table, "--policy", "random")) < 1e-9
    score = af.exact(table, greedy, symmetric=symmetric, threads=2).score
    assert abs(score - program_score(program, table, "--policy", "greedy-score")) < 1e-9


def test_players_of_the_library(table, program, network):
    for name, theirs in (("random", "random"), ("greedy", "greedy-score"), ("optimal", "optimal")):
        assert abs(af.exact(table, name).score - program_score(program, table, "--policy", theirs)) < 1e-9
    assert abs(af.exact(table, network).score - program_score(program, table, "--net", network.path)) < 1e-9
    result = af.exact(table, "optimal")
    assert abs(result.score - table.expected_score) < 1e-3 and abs(result.loss) < 1e-3
    assert abs(result.optimal_moves - result.moves) < 1e-9
    assert abs(result.ages["visits"].sum() - result.moves) < 1e-9


def test_a_policy_that_depends_on_the_image_is_what_its_games_are(table):
    result = af.exact(table, first)
    assert abs(result.score - result.forward_score) < 1e-9
    env = af.VectorEnv(20000, board="2x3", seed=1, autoreset_mode="DISABLED")
    shown, info = env.reset()
    over = np.zeros(20000, bool)
    while not over.all():
        shown, _, over, _, info = env.step(first(shown))
    error = info["score"].std() / np.sqrt(20000)
    assert abs(info["score"].mean() - result.score) < 5 * error
    assert abs(info["moves"].mean() - result.moves) < 5 * info["moves"].std() / np.sqrt(20000)


def test_wrong_policies(table):
    def raises(boards):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        af.exact(table, raises)
    for wrong in (
        lambda b: np.zeros(3),
        lambda b: np.full(len(b), 4),
        lambda b: np.full(len(b), -1),
        lambda b: np.zeros((len(b), 4), bool),
        lambda b: np.full((len(b), 4), np.nan),
        lambda b: np.full((len(b), 4), 0.25),
        lambda b: None,
        lambda b: np.zeros(len(b), int),
    ):
        with pytest.raises(ValueError):
            af.exact(table, wrong)
    for wrong in ("best", 7, None):
        with pytest.raises((ValueError, TypeError)):
            af.exact(table, wrong)
    with pytest.raises(ValueError):
        af.exact(table, af.Network.create([[0, 1]], board="3x3", encoding="plain 11"))


def test_ctrl_c_interrupts_an_evaluation(table):
    def slow(boards):
        os.kill(os.getpid(), signal.SIGINT)
        return first(boards)

    with pytest.raises(KeyboardInterrupt):
        af.exact(table, slow)
    assert threading.active_count() >= 1 and af.exact(table, "random").score > 0


def test_a_goal(tmp_path, program):
    table = af.solve("2x3", tmp_path / "goal", goal=5)
    result = af.exact(table, uniform, symmetric=True)
    assert 0 < result.score < result.optimum < 1
    assert abs(result.score - program_score(program, table, "--policy", "random")) < 1e-12


@pytest.mark.long
def test_all_of_3x3(tmp_path, program):
    table = af.solve("3x3", tmp_path / "3x3", threads=2)
    for policy, name in ((uniform, "random"), (greedy, "greedy-score")):
        score = af.exact(table, policy, symmetric=True, threads=2).score
        assert abs(score - program_score(program, table, "--policy", name)) < 1e-9
