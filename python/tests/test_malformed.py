"""A hundred thousand malformed calls: each raises an exception, none crashes, and what is right still works."""

import os

import numpy as np
import pytest

import afterstate as af

CALLS = int(os.environ.get("AFTERSTATE_MALFORMED_CALLS", 100_000))
EXPECTED = (TypeError, ValueError, OSError, OverflowError, MemoryError, IndexError, KeyError, af.Error)


class Strange:
    """Things that are no boards, actions, seeds, paths or numbers."""

    def __init__(self, random):
        self.random = random

    def number(self):
        return self.pick([-1, 4, 255, 1 << 31, 1 << 40, -(1 << 63), 1 << 64, 1 << 70, float("nan"), float("inf"),
                          -0.5, 1e300, None, "x", b"", (), [], {}, object(), True, np.nan, np.float32(2), 1j])  # fmt: skip

    def shape(self):
        return tuple(int(side) for side in self.random.integers(0, 8, self.random.integers(0, 5)))

    def array(self):
        shape = self.shape()
        kind = self.pick([np.uint8, np.int8, np.int64, np.float32, np.float64, np.bool_, np.complex64, object, "U3",
                          "M8[s]", ">i4"])  # fmt: skip
        array = np.zeros(shape, kind)
        if array.size and array.dtype.kind in "iuf":
            array.flat[0] = self.pick([0, 18, 100]) if array.dtype.kind != "f" else np.nan
        way = self.random.integers(4)
        if way == 1:
            array = array[::-1]
        elif way == 2:
            array = array.T
        elif way == 3 and array.ndim:
            array = array[..., ::2]
        return array

    def wrong_board(self, grid=(4, 4)):
        """Always wrong for this grid: another shape, another type, or a value that is none."""
        array = self.array()
        fits = array.dtype == np.uint8 and array.ndim >= 2 and array.shape[-2:] == grid
        if fits and (array.size == 0 or array.max() <= 17):
            array = np.full(grid, 18 + self.random.integers(200), np.uint8)
        return self.pick([array, array, array, np.full((3,) + grid, 200, np.uint8), self.number() or 3, "1200", [[1, 2]]])

    def wrong_any_board(self):
        """Wrong for functions that take boards of any size."""
        return self.pick([
            np.zeros((4, 4), self.pick([np.int8, np.int64, np.float64, np.bool_, object])),
            np.zeros(self.random.integers(0, 40), np.uint8), np.uint8(3), np.full((5, 4, 4), 18, np.uint8),
            np.zeros((2, 7, 2), np.uint8), np.zeros((5, 5), np.uint8), np.zeros((0, 4), np.uint8), self.number(), [[1]],
        ])  # fmt: skip

    def wrong_actions(self, n):
        return self.pick([
            np.zeros(n + 1, np.int64), np.zeros((n, 1), np.int64), np.zeros(n), np.full(n, 4), np.full(n, -1),
            np.zeros(n, bool), np.full(n, 255, np.uint8), np.full(n, 1 << 62), np.full(n, np.nan), None, "up", [0] * 99,
            [0.5] * n, np.zeros(n, ">i8"), np.zeros(n, object), np.array(0), np.full(n, 3.0), [None] * n, {}, object(),
        ])  # fmt: skip

    def pick(self, items):
        return items[self.random.integers(len(items))]


def test_malformed_calls(table, network, tmp_path):
    random = np.random.default_rng(7)
    strange = Strange(random)
    env, one = af.VectorEnv(3, seed=1), af.Env(seed=1)
    env.reset()
    one.reset()
    weights = af.Network(network.path, "weights")
    search = af.Search(network, depth=1)
    closed_env, closed_net, closed_search = af.VectorEnv(3), af.Network(network.path), af.Search(network, depth=1)
    closed_table = af.Table(table.directory)
    for thing in (closed_env, closed_net, closed_search, closed_table):
        thing.close()
    good = np.zeros((2, 3), np.uint8)
    generator = af.Random(1)
    first = weights.tables()[0]
    calls = [
        lambda: af.moves(strange.wrong_any_board()),
        lambda: af.legal_moves(strange.wrong_any_board()),
        lambda: af.canonical(strange.wrong_any_board()),
        lambda: af.digits(strange.wrong_any_board()),
        lambda: af.spawn(strange.wrong_any_board(), generator),
        lambda: af.spawn(good, strange.number()),
        lambda: af.spawn(np.ones((2, 2), np.uint8), generator),
        lambda: af.parse(strange.pick(["", "xyz", "1" * 17, "99/99", "\0" * 16, "g" * 9, None, 3, "1 2 / 3"])),
        lambda: af.parse("1200", strange.pick(["0x0", "7x7", "4", "", (1, 2, 3), 5, "-1x4", (99, 99), "6x6"])),
        lambda: af.Random(strange.pick([-1, 1 << 64, 0.5, None, "1", True])),
        lambda: generator.below(strange.pick([0, -1, 1 << 64, None, "a", np.nan])),
        lambda: af.VectorEnv(strange.pick([0, -1, 1 << 25, 1 << 70, 2.5, None, "4", True])),
        lambda: af.VectorEnv(2, board=strange.pick(["", "9x9", "4x", 4, None, (4,), (0, 1), (1e9, 1), "44", object()])),
        lambda: af.VectorEnv(2, seed=strange.pick([-1, 1 << 64, 0.5, "1", [1, 2]])),
        lambda: af.VectorEnv(2, autoreset_mode=strange.number()),
        lambda: af.VectorEnv(2, render_mode=strange.pick(["human", 3, b"", object()])),
        lambda: env.step(strange.wrong_actions(3)),
        lambda: env.reset(seed=strange.pick([-1, 1 << 64, 0.5, "1", [1, 2], [1, 2, -3], [None] * 3, {}])),
        lambda: env.reset(options=strange.pick([3, "x", [1], {"bord": 1}, {"reset_mask": [1, 0, 1]},
                                                {"reset_mask": np.ones(4, bool)}, {"board": "12"}])),  # fmt: skip
        lambda: env.reset(options={"board": strange.pick([strange.wrong_board(), np.zeros((2, 4, 4), np.uint8)])}
                          if random.integers(2) else {"board": np.full((4, 4), 99, np.uint8)}),  # fmt: skip
        lambda: env.play_random(strange.pick([-1, 1 << 41, None, "1", np.nan])),
        lambda: one.step(strange.pick([4, -1, 1 << 40, 0.5, None, "up", [0], True, np.zeros(2, int), np.array([9])])),
        lambda: closed_env.step(np.zeros(3, int)),
        lambda: closed_env.reset(),
        lambda: network.values(strange.wrong_board((2, 3))),
        lambda: network.greedy(strange.wrong_board((2, 3))),
        lambda: closed_net.values(good),
        lambda: af.Search(closed_net),
        lambda: network.tables(),
        lambda: closed_net.tables(),
        lambda: search.best(strange.wrong_board((2, 3))),
        lambda: closed_search.best(good),
        lambda: af.Search(network, depth=strange.pick([9, -1, 1 << 40, 0, None, "3", 2.5, True])),
        lambda: af.Search(network, milliseconds=strange.pick([-1, np.nan, np.inf, 1e300, None, "x"])),
        lambda: af.Search(network, prune=strange.pick([-1, 2, np.nan, np.inf, None])),
        lambda: af.Search(network, margin=strange.pick([-1, np.nan, np.inf, 1e300, None])),
        lambda: af.Search(network, downgrade=strange.pick([-1, 1, 5, 18, 1 << 40, np.nan, "x"])),
        lambda: af.Search(network, threads=strange.pick([-1, 1025, 1 << 40, 1.5])),
        lambda: af.Search(network, table_bytes=strange.pick([-1, 1 << 60, 0.5, None])),
        lambda: af.Search(strange.number()),
        lambda: table.query(strange.wrong_board((2, 3))),
        lambda: table.query(good, threads=strange.pick([-1, 1025, 1 << 40, None, np.nan, "x"])),
        lambda: table.values(strange.wrong_board((2, 3))),
        lambda: closed_table.query(good),
        lambda: closed_table.values(good),
        lambda: closed_table.ages,
        lambda: af.exact(closed_table, "random"),
        lambda: af.exact(table, strange.pick([None, 3, "best", closed_net, [], np.zeros(3)])),
        lambda: af.exact(strange.number(), "random"),
        lambda: af.exact(table, "random", threads=strange.pick([-1, 1025, 1 << 40])),
        lambda: af.Table(strange.pick(["", "/nowhere", "a\0b", None, 3.5, b"\xff", tmp_path])),
        lambda: af.Network(strange.pick(["", "/nowhere", "a\0b", None, 3.5, tmp_path, __file__])),
        lambda: af.Network(network.path, form=strange.number()),
        lambda: af.Game.load(strange.pick(["", "/nowhere", "a\0b", None, tmp_path, __file__])),
        lambda: af.Game.play(lambda b: strange.pick([4, -1, 99, np.nan, None, "x", []]), seed=1),
        lambda: af.solve(strange.pick(["9x9", "", None, 4]), tmp_path / "never"),
        lambda: af.solve("2x2", tmp_path / "never", goal=strange.pick([1, 2, -1, 18, 1 << 40])),
        lambda: af.train(strange.pick(["/nowhere.ini", "", "a\0b", 3.5, tmp_path]), tmp_path / "run"),
        lambda: af.Network.create(strange.pick([[], [[]], [[0, 0]], [[16]], [[-1]], [list(range(10))], [[0]] * 65, None,
                                                [[0, 1], [0, 1]], "ab", [["x"]]])),  # fmt: skip
        lambda: af.Network.create([[0, 1]], encoding=strange.pick(["", "plain", "plain 99", "x" * 99, "9-1", "1-99"])),
        lambda: af.Network.create([[0, 1]], stages=strange.pick(["", "2", "0 3", "x" * 300, "bits 9", "5 0"])),
        lambda: af.Network.create([[0, 1]], initial=strange.pick([np.nan, np.inf, None, "x"])),
        lambda: weights.set_tables([first._replace(weights=strange.pick([
            np.zeros(3, np.float32), first.weights.astype(int), np.full(first.weights.shape, np.nan), None, "x",
            first.weights[..., :-1], np.full(first.weights.shape, np.inf, np.float32)]))]),  # fmt: skip
        lambda: weights.set_tables([first._replace(stage=strange.pick([1, -1, 99]))]),
        lambda: weights.set_tables([first._replace(tuple=strange.pick([9, -1, None]))]),
        lambda: network.save(tmp_path / "never.net"),
        lambda: weights.save(strange.pick(["/nowhere/x.net", "a\0b", None, 3.5])),
        lambda: af.from_faces(strange.pick([[[3]], [[0.5]], "x", [[1]], [[-2]], None, [[1 << 20]]])),
    ]
    n_raised = 0
    for i in range(CALLS):
        call = calls[i % len(calls)] if i < 3 * len(calls) else calls[random.integers(len(calls))]
        try:
            result = call()
        except EXPECTED:
            n_raised += 1
            continue
        pytest.fail(f"call {calls.index(call)} returned {result!r}")
    assert n_raised == CALLS
    assert env.step(env.sample())[0].shape == (3, 4, 4)
    assert table.query(af.parse("120000", "2x3")).found
    assert np.isfinite(network.values(good))
    assert len(weights.tables()) == 2
