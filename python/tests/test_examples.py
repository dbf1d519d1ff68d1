"""The examples run, and do what they say."""

import importlib.util
import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_play():
    means = load("play").main()
    assert 900 < means["uniform"] < 1300 and means["greedy"] > 2 * means["uniform"]


def test_td_learning():
    result = load("td_learning").main(n_steps=1500)
    assert 0.25 * result.optimum < result.score < result.optimum


def test_policy_gradient():
    first, last = load("policy_gradient").main()
    assert first.score < 0.8 * last.score < last.score < last.optimum


def test_measure_exactly():
    results = load("measure_exactly").main()
    scores = [results[name].score for name in ("random", "merge first", "optimal")]
    assert scores == sorted(scores)
    assert results["corner"].score < results["optimal"].score


def test_there_are_no_others():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {
        "play", "td_learning", "policy_gradient", "measure_exactly", "speed"}  # fmt: skip


@pytest.mark.parametrize("n", [256])
def test_speed_reports(n):
    figures = load("speed").main(num_envs=n, n_steps=20)
    assert figures["steps_per_second"] > 0 and figures["values_per_second"] > 0
