"""Training runs."""

import os
import signal
import threading

import numpy as np
import pytest

import afterstate as af

RECIPE = """[board]
rows = 3
cols = 3
[network]
tuple = 0 1 2 3
tuple = 0 1 3 4
values = 11
[train]
actions = 60000
threads = 1
[eval]
every = 20000
games = 50
"""


@pytest.fixture
def recipe(tmp_path):
    path = tmp_path / "recipe.ini"
    path.write_text(RECIPE)
    return path


def test_a_run_is_that_of_the_program(recipe, tmp_path, program):
    run = af.train(recipe, tmp_path / "run")
    assert run.state["end"] == "done" and run.state["actions"] >= 60000
    assert run.log["actions"].size == 3 and run.log["eval_mean"][-1] > run.log["eval_mean"][0] > 0
    assert "touched" in run.log.dtype.names and "rows = 3" in run.recipe
    program("train", recipe, "--out", tmp_path / "theirs", "--quiet")
    mine = af.Network(tmp_path / "run/network.net", "weights").tables()
    theirs = af.Network(tmp_path / "theirs/network.net", "weights").tables()
    assert all(np.array_equal(a.weights, b.weights) for a, b in zip(mine, theirs))


def test_advancing_by_steps(recipe, tmp_path):
    calls = []

    def stop_early(actions, planned, message):
        calls.append((actions, planned, message))
        return message is None

    with af.train(recipe, tmp_path / "run", progress=stop_early, settings={"train.actions": 90000}) as run:
        assert run.state["end"] == "stopped" and calls and all(planned == 90000 for _, planned, _ in calls)
        done = run.state["actions"]
        run.advance()
        assert run.state["end"] == "done" and run.state["actions"] >= max(done, 90000)
    again = af.Run(tmp_path / "run").advance("10s")
    assert again.state["end"] == "done" and len(again.log) == len(run.log)


def test_a_budget_ends_it(recipe, tmp_path):
    run = af.train(recipe, tmp_path / "run", budget="0.5s", settings={"train.actions": 10**12, "eval.every": 0})
    assert run.state["end"] == "budget" and run.network().values(np.ones((3, 3), np.uint8)) is not None


def test_ctrl_c_saves_and_raises(recipe, tmp_path):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        af.train(recipe, tmp_path / "run", settings={"train.actions": 10**12, "eval.every": 0})
    assert (tmp_path / "run/network.net").exists() and af.Run(tmp_path / "run").advance(0.3).state["actions"] > 0


def test_errors(recipe, tmp_path):
    with pytest.raises(af.InvalidError, match="did you mean 'rate'"):
        af.train(recipe, tmp_path / "run", settings={"learn.rat": 1})
    with pytest.raises(OSError):
        af.train(tmp_path / "nothing.ini", tmp_path / "run")
    for budget in ("soon", -1, 0, float("nan"), [1], True):
        with pytest.raises((ValueError, TypeError)):
            af.train(recipe, tmp_path / "run", budget=budget)

    def fails(*_):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        af.train(recipe, tmp_path / "run", progress=fails, settings={"train.actions": 10**9})
    with pytest.raises(FileNotFoundError):
        af.Run(tmp_path / "nothing").log


def test_recipes_are_found_by_name(tmp_path):
    run = af.train("tiny-3x3.ini", tmp_path / "run", budget=0.2)
    assert "rows = 3" in run.recipe
