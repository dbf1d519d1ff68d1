"""The conformance kit: right environments pass, and each kind of wrong one is found."""

import numpy as np
import pytest

import afterstate as af


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
def test_ours_pass(mode):
    report = af.check(af.VectorEnv(16, board="3x3", seed=1, autoreset_mode=mode), steps=6000)
    assert report.ok, report
    assert report.vectors > 1000 and report.transitions > 5000


def test_ours_alone_passes():
    report = af.check(af.Env("2x5", seed=1), steps=3000)
    assert report and report.vectors == 1744, report


class Plain:
    """A 2048 environment as many are written: numbers on tiles, other actions, no boards from outside."""

    order = (3, 0, 1, 2)  # its numbers of up, right, down, left

    def __init__(self):
        self.random = np.random.default_rng(0)

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.board = np.zeros((4, 4), np.int64)
        self.add_tile()
        self.add_tile()
        return self.board.copy(), {}

    def add_tile(self):
        cells = np.argwhere(self.board == 0)
        row, col = cells[self.pick(len(cells))]
        self.board[row, col] = 4 if self.random.random() < self.fours() else 2

    def pick(self, n):
        return self.random.integers(n)

    def fours(self):
        return 0.1

    def slide(self, row):
        tiles, out, points = [int(t) for t in row if t], [], 0
        while tiles:
            tile = tiles.pop(0)
            if tiles and tiles[0] == tile:
                tile += tiles.pop(0)
                points += tile
            out.append(tile)
        return out + [0] * (4 - len(out)), points

    def move(self, board, direction):
        turns = {3: 0, 0: 1, 1: 2, 2: 3}[direction]  # turned so that it is a move to the left
        turned = np.rot90(board, turns)
        rows = [self.slide(row) for row in turned]
        return np.rot90(np.array([row for row, _ in rows]), -turns), sum(points for _, points in rows)

    def is_over(self):
        return all(np.array_equal(self.move(self.board, d)[0], self.board) for d in range(4))

    def reward(self, points):
        return points

    def step(self, action):
        after, points = self.move(self.board, self.order.index(action))
        changed = not np.array_equal(after, self.board)
        self.board = after.copy()
        if changed:
            self.add_tile()
        return self.board.copy(), self.reward(points), bool(self.is_over()), False, {}


def test_a_right_stranger_passes():
    report = af.check(Plain(), steps=4000)
    assert report.ok, report
    assert any("numbers on tiles" in note for note in report.notes)
    assert any("[3, 0, 1, 2]" in note for note in report.notes)
    assert any("no rule vectors" in note for note in report.notes)


def test_one_hot_observations():
    class Planes(Plain):
        def show(self):
            return np.eye(18, dtype=np.float32)[af.from_faces(self.board)]

        def reset(self, **given):
            super().reset(**given)
            return self.show(), {}

        def step(self, action):
            return (self.show(), *super().step(action)[1:])

    planes = Planes()
    step = planes.step
    planes.step = lambda action: (lambda result: (planes.show(), *result[1:]))(step(action))
    assert af.check(planes, steps=2000).ok


def problem_of(kind):
    report = af.check(kind(), steps=5000)
    assert not report.ok
    return " ".join(report.problems)


def test_wrong_rate_of_fours():
    assert "are 4s" in problem_of(type("Wrong", (Plain,), {"fours": lambda self: 0.2}))


def test_wrong_places_of_tiles():
    assert "prefer some cells" in problem_of(type("Wrong", (Plain,), {"pick": lambda self, n: 0}))


def test_merging_twice():
    class Wrong(Plain):
        def slide(self, row):
            out, points = super().slide(row)
            again, more = super().slide(out)
            return again, points + more

    assert "does not give its afterstate" in problem_of(Wrong)


def test_missed_end():
    assert "the end of the game is missed" in problem_of(type("Wrong", (Plain,), {"is_over": lambda self: False}))


def test_end_at_a_full_board():
    class Wrong(Plain):
        def is_over(self):
            return (self.board > 0).all()

    assert "although a move is legal" in problem_of(Wrong)


def test_wrong_rewards():
    assert "the reward is not" in problem_of(type("Wrong", (Plain,), {"reward": lambda self, p: p / 2}))


def test_a_tile_after_an_illegal_move():
    class Wrong(Plain):
        def step(self, action):
            before = self.board.copy()
            result = super().step(action)
            if np.array_equal(before, self.board) and (self.board == 0).any():
                self.add_tile()
            return (self.board.copy(), *result[1:])

    assert "an illegal move changes the board" in problem_of(Wrong)


def test_wrong_starts():
    class Wrong(Plain):
        def reset(self, **given):
            super().reset(**given)
            self.board[self.board > 0] = 2
            self.board[0, 0] = self.board[1, 1] = self.board[2, 2] = 2
            return self.board.copy(), {}

    report = None
    with pytest.raises(ValueError):
        report = af.check(Wrong(), steps=500)
    assert report is None
    report = af.check(Wrong(), steps=500, decode=af.from_faces)
    assert any("does not begin with" in problem for problem in report.problems)


def test_wrong_mask():
    class Wrong(Plain):
        def step(self, action):
            return (*super().step(action)[:4], {"action_mask": np.ones(4, bool)})

    assert "the action mask" in problem_of(Wrong)


def test_seeds_that_do_nothing():
    class Wrong(Plain):
        def reset(self, *, seed=None, options=None):
            return super().reset(seed=None)

    assert "the same seed" in problem_of(Wrong)


def test_environments_that_are_none():
    class Old(Plain):
        def reset(self, **given):
            return super().reset(**given)[0]

    with pytest.raises(TypeError, match="reset"):
        af.check(Old())
    with pytest.raises(ValueError, match="permutation"):
        af.check(Plain(), steps=50, actions=[0, 1, 2, 2])
