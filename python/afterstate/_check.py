"""A conformance kit: does any 2048 environment follow the rules?

It plays, looks at every transition with the rules of this library, and tests the new tiles statistically. Where the
environment lets boards be put into it, all rows of the rules vectors of its size run as well.
"""

from __future__ import annotations

import csv
import dataclasses
import itertools
from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np

from . import _core

_LIMIT = 5.0  # standard deviations; a fair environment fails once in about a hundred thousand checks
_SHOWN = 3  # examples of one kind of problem


@dataclasses.dataclass
class Report:
    """What check() found. `ok` is True if nothing is wrong; str() is for people."""

    problems: List[str] = dataclasses.field(default_factory=list)
    notes: List[str] = dataclasses.field(default_factory=list)
    transitions: int = 0
    vectors: int = 0
    four_rate: float = float("nan")

    @property
    def ok(self) -> bool:
        return not self.problems

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        head = f"{'follows the rules' if self.ok else 'breaks the rules'}: {self.transitions} transitions, "
        head += f"{self.vectors} rule vectors, {100 * self.four_rate:.2f}% fours"
        lines = [f"  wrong: {problem}" for problem in self.problems] + [f"  note: {note}" for note in self.notes]
        return "\n".join([head, *lines])


@dataclasses.dataclass
class _Steps:
    """Transitions, one a row."""

    before: np.ndarray
    action: np.ndarray
    after: np.ndarray
    reward: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    mask: Optional[np.ndarray]  # of `after`, where the environment gives one


# ---- observations ---------------------------------------------------------------------------------------------------


def _decoders(shape: Tuple[int, int]) -> List[Tuple[str, Callable[[np.ndarray], Optional[np.ndarray]]]]:
    """Ways in which environments show boards, each from (n, ..) to exponents (n, rows, cols) or None."""
    n_cells = shape[0] * shape[1]

    def exponents(obs: np.ndarray) -> Optional[np.ndarray]:
        if obs[0].size != n_cells or (obs < 0).any() or (obs > _core.MAX_VALUE).any() or (obs != np.floor(obs)).any():
            return None
        return obs.reshape(-1, *shape).astype(np.uint8)

    def numbers(obs: np.ndarray) -> Optional[np.ndarray]:
        if obs[0].size != n_cells or (obs != np.floor(obs)).any():
            return None
        try:
            return _core.from_faces(obs.reshape(-1, *shape).astype(np.int64))
        except _core.InvalidError:
            return None

    def one_hot(axis: int) -> Callable[[np.ndarray], Optional[np.ndarray]]:
        def decode(obs: np.ndarray) -> Optional[np.ndarray]:
            if obs.ndim != 4 or obs[0].size % n_cells or obs[0].size == n_cells:
                return None
            planes = np.moveaxis(obs, axis, -1)
            if planes.shape[1:3] != shape or not ((planes != 0).sum(-1) <= 1).all():
                return None
            return planes.argmax(-1).astype(np.uint8)

        return decode

    return [
        ("numbers on tiles", numbers),
        ("exponents", exponents),
        ("one-hot planes, last axis", one_hot(-1)),
        ("one-hot planes, first axis", one_hot(1)),
    ]


def _find_decoder(raw: np.ndarray, shape: Tuple[int, int], starts: np.ndarray) -> Tuple[str, Callable]:
    """The decoder by which start boards have two tiles, each a 2 or a 4, and everything else can be read."""
    for name, decode in _decoders(shape):
        boards, first = decode(raw), decode(starts)
        if boards is None or first is None:
            continue
        tiles = first.reshape(len(first), -1)
        if tiles.max() <= 2 and ((tiles > 0).sum(-1) <= 2).all():
            return name, decode
    raise ValueError(
        f"cannot read observations of shape {raw.shape[1:]} and type {raw.dtype} as {shape[0]}x{shape[1]} boards: give "
        "check(env, decode=function) that turns (n, ..) observations into exponents (n, rows, cols) of uint8"
    )


def _board_shape(obs: np.ndarray, board: Any) -> Tuple[int, int]:
    if board is not None:
        return _core.grid_from(board).shape
    if obs.ndim >= 2 and obs.shape[0] <= 6 and obs.shape[1] <= 6:
        return int(obs.shape[0]), int(obs.shape[1])
    if obs.ndim == 3 and obs.shape[1] <= 6 and obs.shape[2] <= 6:
        return int(obs.shape[1]), int(obs.shape[2])
    side = int(round(obs.size**0.5))
    if side * side == obs.size and side <= 4:
        return side, side
    raise ValueError(f"observations of shape {obs.shape}: give the size of the board, check(env, board='4x4')")


# ---- playing --------------------------------------------------------------------------------------------------------


class _Driver:
    """One face for single and vector environments: reset() and step() on arrays of games."""

    def __init__(self, env: Any):
        self.env = env
        self.is_vector = hasattr(env, "num_envs")
        self.n = int(env.num_envs) if self.is_vector else 1
        mode = getattr(env, "metadata", {}).get("autoreset_mode") if self.is_vector else None
        self.mode = str(getattr(mode, "name", mode) or "NEXT_STEP").upper()
        self.over = np.zeros(self.n, bool)
        self.next = np.zeros(0)  # the observations of the last step as they were; with SAME_STEP of new games

    def reset(self, seed: Optional[int], options: Optional[dict] = None) -> np.ndarray:
        given = {} if options is None else {"options": options}
        result = self.env.reset(seed=seed, **given)
        if not (isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], dict)):
            raise TypeError("reset() does not return (observation, info)")
        self.over[:] = False
        return self._rows(result[0])

    def _rows(self, observation: Any) -> np.ndarray:
        array = np.asarray(observation)
        return array.copy() if self.is_vector else array[None].copy()

    def step(self, actions: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Any, np.ndarray]:
        """Observations (of ended games the last ones), rewards, ends, masks, which games really made a move."""
        moved = ~self.over if self.mode != "DISABLED" or not self.is_vector else np.ones(self.n, bool)
        result = self.env.step(actions if self.is_vector else int(actions[0]))
        if not (isinstance(result, tuple) and len(result) == 5):
            raise TypeError("step() does not return (observation, reward, terminated, truncated, info)")
        observation, reward, terminated, truncated, info = result
        self.next = self._rows(observation)
        shown = self.next.copy()
        terminated, truncated = np.atleast_1d(terminated).copy(), np.atleast_1d(truncated).copy()
        if self.is_vector and self.mode == "SAME_STEP" and "final_obs" in info:
            final = info["final_obs"]
            for i in np.flatnonzero(terminated | truncated):
                shown[i] = np.asarray(final[i])
        mask = info.get("action_mask") if isinstance(info, dict) else None
        mask = None if mask is None else np.array(mask, bool).reshape(self.n, -1)
        self.over = (terminated | truncated).astype(bool) & (self.mode != "SAME_STEP")
        return shown, np.atleast_1d(reward).astype(float), terminated, truncated, mask, moved

    def fresh(self, seed: Optional[int]) -> Optional[np.ndarray]:
        """Begins new games in place of ended ones where the environment does not; their observations."""
        if not self.over.any():
            return None
        if not self.is_vector:
            return self.reset(seed)
        if self.mode == "DISABLED":
            shown = self._rows(self.env.reset(options={"reset_mask": self.over.copy()})[0])
            self.over[:] = False
            return shown
        return None


def _play(driver: _Driver, n_steps: int, seed: int, random: np.random.Generator) -> Tuple[list, np.ndarray]:
    """Random actions, legal or not; raw transitions and the observations with which games began."""
    shown = driver.reset(seed)
    rows, starts = [], [shown]
    for _ in range(-(-n_steps // driver.n)):
        actions = random.integers(0, 4, driver.n)
        before = shown
        shown, reward, terminated, truncated, mask, moved = driver.step(actions)
        for i in np.flatnonzero(moved):
            row_mask = None if mask is None or (driver.mode == "SAME_STEP" and terminated[i]) else mask[i]
            rows.append((before[i], actions[i], shown[i], reward[i], terminated[i], truncated[i], row_mask))
        if not moved.all():
            starts.append(shown[~moved])
        if driver.mode == "SAME_STEP" and (terminated | truncated).any():
            starts.append(driver.next[(terminated | truncated).astype(bool)])
        shown = driver.next
        ended = driver.over.copy()
        fresh = driver.fresh(None)
        if fresh is not None:
            shown = fresh
            starts.append(fresh[ended])
    return rows, np.concatenate(starts)


# ---- looking at transitions -----------------------------------------------------------------------------------------


def _fits(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """(n, 4): whether `after` is what direction d makes of `before`, whatever the new tile."""
    made, _, legal = _core.moves(before)
    n = len(before)
    change = after.reshape(n, 1, -1).astype(int) - made.reshape(n, 4, -1)
    one_tile = ((change != 0).sum(-1) == 1) & np.isin(change.sum(-1), (1, 2))
    empty_before = (made.reshape(n, 4, -1) * (change != 0)).sum(-1) == 0
    unchanged = (change == 0).all(-1)
    return np.where(legal, one_tile & empty_before, unchanged)


def _find_actions(steps: _Steps) -> Tuple[List[int], float]:
    """order[d] = the environment's number of direction d, and the share of transitions that it explains."""
    fits = _fits(steps.before, steps.after)
    best, share = list(range(4)), -1.0
    for order in itertools.permutations(range(4)):
        direction_of = np.argsort(order)
        explained = fits[np.arange(len(fits)), direction_of[steps.action]].mean()
        if explained > share:
            best, share = list(order), float(explained)
    return best, share


def _show(board: np.ndarray) -> str:
    return _core.digits(np.ascontiguousarray(board))


def _tell(report: Report, wrong: np.ndarray, what: str, example: Callable[[int], str]) -> None:
    places = np.flatnonzero(wrong)
    if len(places):
        shown = "; ".join(example(int(i)) for i in places[:_SHOWN])
        report.problems.append(f"{what}, {len(places)} of {len(wrong)} times: {shown}")


def _check_moves(report: Report, steps: _Steps, direction: np.ndarray) -> np.ndarray:
    """Moves, rewards, ends and masks; which transitions are legal moves with a right new tile."""
    rows = np.arange(len(direction))
    made, rewards, legal = _core.moves(steps.before)
    expected, points, is_legal = made[rows, direction], rewards[rows, direction], legal[rows, direction]
    fits = _fits(steps.before, steps.after)[rows, direction]

    def example(i: int) -> str:
        name = _core.DIRECTIONS[direction[i]]
        return f"{_show(steps.before[i])} {name} gives {_show(steps.after[i])}, expected {_show(expected[i])} and a tile"

    _tell(report, is_legal & ~fits, "a legal move does not give its afterstate and one new 2 or 4", example)
    _tell(report, ~is_legal & ~fits, "an illegal move changes the board", example)
    _tell(
        report, is_legal & fits & (steps.reward != points), "the reward is not the sum of the tiles made",
        lambda i: f"{_show(steps.before[i])} {_core.DIRECTIONS[direction[i]]}: {steps.reward[i]:g}, expected {points[i]}",
    )  # fmt: skip
    if (~is_legal & (steps.reward != 0)).any():
        report.notes.append("illegal moves have a reward: the return is then not the score of the game")
    can_move = _core.legal_moves(steps.after)
    over = ~can_move.any(-1)
    _tell(report, over & ~steps.terminated, "the end of the game is missed", lambda i: _show(steps.after[i]))
    _tell(
        report, ~over & steps.terminated & is_legal, "the game is ended although a move is legal",
        lambda i: _show(steps.after[i]),
    )  # fmt: skip
    if (~over & steps.terminated & ~is_legal).any():
        report.notes.append("an illegal move ends the game")
    if steps.mask is not None:
        known = steps.mask[:, 0] >= 0
        _tell(
            report, known & (steps.mask != can_move).any(-1), "the action mask is not that of the legal moves",
            lambda i: f"{_show(steps.after[i])}: {steps.mask[i].astype(int).tolist()}",
        )  # fmt: skip
    return is_legal & fits


def _check_spawns(report: Report, before: np.ndarray, after: np.ndarray) -> None:
    """New tiles: a 4 one time in ten, and every empty cell alike. before: afterstates."""
    n = len(before)
    if n < 200:
        report.notes.append("too few new tiles for statistics")
        return
    empty = before.reshape(n, -1) == 0
    new = after.reshape(n, -1).astype(int) - before.reshape(n, -1)
    value = new.max(-1)
    report.four_rate = float((value == 2).mean())
    z = ((value == 2).sum() - 0.1 * n) / np.sqrt(0.09 * n)
    if abs(z) > _LIMIT:
        report.problems.append(f"{100 * report.four_rate:.2f}% of {n} new tiles are 4s; expected 10% ({z:+.1f} sigma)")
    chance = empty / empty.sum(-1, keepdims=True)
    seen, expected = (new > 0).sum(0), chance.sum(0)
    variance = (chance * (1 - chance)).sum(0)
    cells = np.divide(seen - expected, np.sqrt(variance), where=variance > 5, out=np.zeros(len(expected)))
    rank = (empty & (np.arange(empty.shape[1]) < new.argmax(-1)[:, None])).sum(-1)
    m = empty.sum(-1)
    place = ((rank - (m - 1) / 2).sum()) / np.sqrt(np.maximum((m**2 - 1).sum() / 12, 1))
    worst = int(np.abs(cells).argmax())
    if abs(cells[worst]) > _LIMIT or abs(place) > _LIMIT:
        report.problems.append(
            f"new tiles prefer some cells: cell {worst} had {seen[worst]} of {n}, expected {expected[worst]:.0f} "
            f"({cells[worst]:+.1f} sigma); place among the empty cells {place:+.1f} sigma"
        )
    for cell in range(empty.shape[1]):
        here = value[new[:, cell] > 0]
        if len(here) > 50:
            z = ((here == 2).sum() - report.four_rate * len(here)) / np.sqrt(max(0.09 * len(here), 1))
            if abs(z) > _LIMIT:
                report.problems.append(f"4s prefer cell {cell} ({z:+.1f} sigma)")


def _check_starts(report: Report, starts: np.ndarray) -> None:
    tiles = starts.reshape(len(starts), -1)
    wanted = min(2, tiles.shape[1])
    wrong = ((tiles > 0).sum(-1) != wanted) | (tiles.max(-1) > 2)
    _tell(report, wrong, f"a game does not begin with {wanted} tiles of 2 or 4", lambda i: _show(starts[i]))


def _check_seeds(report: Report, driver: _Driver) -> None:
    def play() -> List[np.ndarray]:
        shown = [driver.reset(12345)]
        for move in range(20):
            shown.append(driver.step(np.full(driver.n, move % 4))[0])
        return shown

    first, second = play(), play()
    if any(not np.array_equal(a, b) for a, b in zip(first, second)):
        report.problems.append("the same seed and the same moves do not give the same game")


# ---- rule vectors ---------------------------------------------------------------------------------------------------


def _board_setter(driver: _Driver, decode: Callable, shape: Tuple[int, int]) -> Optional[Callable]:
    """A function that puts one board into (every game of) the environment, if it has a way to do it."""

    def by_options(board: np.ndarray) -> np.ndarray:
        return driver.reset(None, {"board": board})

    def by_method(board: np.ndarray) -> np.ndarray:
        driver.over[:] = False
        driver.env.set_board(board)
        return np.repeat(board[None], driver.n, 0)

    probe = np.zeros(shape, np.uint8)
    probe[0, 0], probe[-1, -1] = 3, 5
    for setter in ([by_method] if hasattr(driver.env, "set_board") else []) + [by_options]:
        try:
            shown = setter(probe)
            if setter is by_method or np.array_equal(decode(shown)[0], probe):
                return setter
        except Exception:  # noqa: BLE001 - any refusal means that this is not the way
            continue
    return None


def read_vectors(shape: Tuple[int, int]) -> List[Tuple[np.ndarray, int, np.ndarray, int, bool]]:
    """The rules vectors of a size: board, direction, afterstate, reward, legal. Empty where there are none."""
    name = f"{shape[0]}x{shape[1]}.csv"
    path = _core.find_data("vectors/" + name) or _core.find_data("tests/vectors/" + name)
    if path is None:
        return []

    def board(text: str) -> np.ndarray:
        return np.array([int(digit, 18) for digit in text], np.uint8).reshape(shape)

    with open(path, newline="") as file:
        return [
            (
                board(row["board"]), _core.DIRECTIONS.index(row["move"]), board(row["afterstate"]),
                int(row["reward"]), row["legal"] == "1",
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def _check_vectors(report: Report, driver: _Driver, decode: Callable, order: Sequence[int], shape: Any) -> None:
    setter = _board_setter(driver, decode, shape)
    if setter is None:
        report.notes.append('boards cannot be put into it (options={"board": ..} or set_board()): no rule vectors')
        return
    wrong = []
    for board, direction, after, reward, legal in read_vectors(shape):
        if not _core.legal_moves(board).any() and driver.is_vector and driver.mode != "DISABLED":
            continue  # such an environment begins a new game there
        setter(board)
        shown, points, *_ = driver.step(np.full(driver.n, order[direction]))
        got = decode(shown)
        report.vectors += 1
        change = got[0].astype(int) - after
        fits = ((change != 0).sum() == 1 and change.sum() in (1, 2)) if legal else not change.any()
        if not fits or (legal and points[0] != reward):
            wrong.append(
                f"{_show(board)} {_core.DIRECTIONS[direction]} gives {_show(got[0])} for {points[0]:g} points, expected "
                f"{_show(after)}{' and a tile' if legal else ''} for {reward}"
            )
    if wrong:
        report.problems.append(f"{len(wrong)} of {report.vectors} rule vectors fail: " + "; ".join(wrong[:_SHOWN]))


# ---------------------------------------------------------------------------------------------------------------------


def check(
    env: Any,
    steps: int = 20000,
    seed: int = 0,
    board: Any = None,
    decode: Optional[Callable[[np.ndarray], np.ndarray]] = None,
    actions: Optional[Sequence[int]] = None,
) -> Report:
    """Runs any Gymnasium-like 2048 environment, single or vector, against the rules and says what is wrong with it.

    board: its size, where observations do not show it. decode: observations (n, ..) to exponents (n, rows, cols) of uint8;
    without it exponents, numbers and one-hot planes are recognised. actions: its numbers of up, right, down and left;
    without them they are found from what happens. Boards are put into it for the rule vectors by
    reset(options={"board": exponents}) or set_board(exponents), if it has one of the two.
    """
    report, driver, random = Report(), _Driver(env), np.random.default_rng(seed)
    rows, raw_starts = _play(driver, int(steps), seed, random)
    shape = _board_shape(rows[0][0], board)
    raw = np.stack([row[0] for row in rows] + [row[2] for row in rows])
    if decode is None:
        name, found = _find_decoder(raw, shape, raw_starts)
        report.notes.append(f"observations are read as {name}")
    else:
        found = decode
    boards, starts = found(raw), found(raw_starts)
    has_masks = any(row[6] is not None for row in rows)
    unknown = np.full(4, -1)
    taken = _Steps(
        boards[: len(rows)],
        np.array([row[1] for row in rows]),
        boards[len(rows) :],
        np.array([row[3] for row in rows]),
        np.array([bool(row[4]) for row in rows]),
        np.array([bool(row[5]) for row in rows]),
        np.stack([unknown if row[6] is None else row[6].astype(int) for row in rows]) if has_masks else None,
    )
    report.transitions = len(rows)
    if actions is None:
        order, share = _find_actions(taken)
        if order != [0, 1, 2, 3]:
            report.notes.append(f"its actions for up, right, down, left are {order}")
    else:
        order = [int(action) for action in actions]
        if sorted(order) != [0, 1, 2, 3]:
            raise ValueError(f"actions {order}: expected a permutation of 0, 1, 2, 3")
    direction = np.argsort(order)[taken.action]
    good = _check_moves(report, taken, direction)
    _check_starts(report, starts)
    made = _core.moves(taken.before)[0][np.arange(len(rows)), direction]
    _check_spawns(report, made[good], taken.after[good])
    _check_seeds(report, driver)
    _check_vectors(report, driver, found, order, shape)
    return report
