"""Solved boards: exact values, and the exact score of any player."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Callable, Optional, Tuple, Union

import numpy as np

from . import _core
from ._core import as_boards, as_path, check_status, count, ffi, lib, u8
from ._network import Network, _structured

_CHUNK = 1 << 16
_BOARD = _structured("struct as_board", {"cells": np.uint64, "high": np.uint32})
_ANSWER = _structured(
    "struct as_table_answer",
    {
        "status": np.uint32,
        "best": np.uint32,
        "legal": np.uint32,
        "reward": (np.uint32, 4),
        "value": (np.float64, 4),
        "loss": (np.float64, 4),
        "state_value": np.float64,
    },
)
_AGE = np.dtype(
    [("age", np.int64), ("n_states", np.int64), ("n_terminal", np.int64), ("n_afterstates", np.int64),
     ("best_value", np.float64)]
)  # fmt: skip
_EXACT_AGE = _structured(
    "struct as_exact_age",
    {"age": np.uint32, "visits": np.float64, "optimal": np.float64, "tied": np.float64, "loss": np.float64},
)

Policy = Union[str, Network, Callable[[np.ndarray], np.ndarray]]


@dataclasses.dataclass(frozen=True)
class TableAnswer:
    """What a table knows of boards of shape (..); points, or chances where the table has a goal."""

    best: np.ndarray  # int64: the first of the best directions; -1 where none is legal or the board is not found
    value: np.ndarray  # (.., 4): expected score from here on by each direction; NaN where illegal
    loss: np.ndarray  # (.., 4): what each direction loses against the best, exactly; NaN where illegal
    state_value: np.ndarray  # value under optimal play; 0 where no direction is legal, NaN where not found
    rewards: np.ndarray  # (.., 4): points of the move itself
    legal: np.ndarray  # (.., 4)
    found: np.ndarray  # False where no game reaches the board


class Table:
    """A solved board, as `afterstate solve` or afterstate.solve() wrote it. Any thread may use it."""

    def __init__(self, directory: Union[str, os.PathLike]):
        out = ffi.new("struct as_table **")
        check_status(lib.as_table_open(out, as_path(directory)))
        self._handle: Any = ffi.gc(out[0], lib.as_table_free)
        info = ffi.new("struct as_table_info *")
        check_status(lib.as_table_get_info(self._handle, info))
        self.grid = _core.grid_of(info.rows, info.cols)
        self.directory = os.fspath(directory)
        self.goal: int = info.goal  # exponent of the tile whose chance the values are; 0: expected scores
        self.four_chance: float = info.four_chance
        self.is_solved: bool = bool(info.is_solved)
        self.n_states: int = info.n_states  # boards on which the player is to move, up to symmetry
        self.n_terminal: int = info.n_terminal
        self.n_afterstates: int = info.n_afterstates
        self.expected_score: float = info.expected_score  # of a game under optimal play
        self.n_ages: int = info.n_ages

    def _open(self) -> Any:
        if self._handle is None:
            raise ValueError("the table is closed")
        return self._handle

    @property
    def ages(self) -> np.ndarray:
        """A row for each age (sum of all tiles): counts, and the value of the best afterstate."""
        rows = np.zeros(self.n_ages, _AGE)
        age = ffi.new("struct as_table_age *")
        for i in range(self.n_ages):
            check_status(lib.as_table_get_age(self._open(), i, age))
            rows[i] = (age.age, age.n_states, age.n_terminal, age.n_afterstates, age.best_value)
        return rows

    def values(self, after: np.ndarray) -> np.ndarray:
        """The exact values of afterstates, float64; NaN where no game reaches them."""
        after = as_boards(after, self.grid, "after")
        out = np.empty(after.shape[:-2], np.float64)
        flat, results = after.reshape(-1, *self.grid.shape), out.reshape(-1)
        for first in range(0, count(after), _CHUNK):
            part = flat[first : first + _CHUNK]
            to = ffi.from_buffer("double[]", results[first : first + len(part)], require_writable=True)
            check_status(lib.as_table_values(self._open(), u8(part), len(part), to))
        return out

    def query(self, boards: np.ndarray, threads: int = 1) -> TableAnswer:
        """What each move of boards (.., rows, cols) is worth, the best, and what the others lose."""
        handle = self._open()
        boards = as_boards(boards, self.grid)
        threads = _core.as_integer("threads", threads, 0, 1024)
        found = np.empty(boards.shape[:-2], _ANSWER)
        flat, results = boards.reshape(-1, *self.grid.shape), found.reshape(-1)
        packed = np.empty(min(_CHUNK, len(flat)), _BOARD)
        of = ffi.cast("struct as_board *", ffi.from_buffer(packed)) if len(flat) else ffi.NULL
        for first in range(0, len(flat), _CHUNK):
            part = flat[first : first + _CHUNK]
            to = ffi.cast(
                "struct as_table_answer *",
                ffi.from_buffer(results[first : first + len(part)], require_writable=True),
            )
            check_status(lib.as_boards_from_cells(self.grid.handle, u8(part), len(part), of))
            check_status(lib.as_table_query_many(handle, of, len(part), to, threads))
        best = found["best"].astype(np.int64)
        best[best == lib.AS_DIRECTIONS] = -1
        legal = (found["legal"][..., None] >> np.arange(4, dtype=np.uint32) & 1).astype(bool)
        return TableAnswer(
            best,
            found["value"].copy(),
            found["loss"].copy(),
            found["state_value"].copy(),
            found["reward"].astype(np.int64),
            legal,
            found["status"] == lib.AS_OK,
        )

    def close(self) -> None:
        self._handle = None

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<afterstate.Table {self.grid} {self.directory}: {self.n_states} states>"


def solve(
    board: Union[str, Tuple[int, int]], directory: Union[str, os.PathLike], goal: int = 0, threads: int = 1
) -> Table:
    """Solves a board into a directory, or continues there, and opens the table.

    Seconds for 3x3 (120 MB), hours for 3x4: use `afterstate solve` for those, which shows progress and can be stopped.
    goal: the exponent of a tile whose chance is wanted instead of the expected score, 9 for 512.
    """
    grid = _core.grid_from(board)
    settings = ffi.new("struct as_solve_settings *")
    settings.size = ffi.sizeof("struct as_solve_settings")
    settings.rows, settings.cols = grid.shape
    settings.goal = _core.as_integer("goal", goal, 0, _core.MAX_VALUE)
    settings.threads = _core.as_integer("threads", threads, 0, 1024)
    check_status(lib.as_solve(as_path(directory), settings))
    return Table(directory)


# ---- exact evaluation -----------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class ExactResult:
    """The exact measure of a player: no sampling, no error bars."""

    score: float  # expected points of a game, or the chance of the table's goal
    optimum: float  # of optimal play
    loss: float  # optimum - loss is the score, to the precision of the table's values
    moves: float  # expected moves of a game
    optimal_moves: float  # how many of them are optimal
    tied_moves: float  # of a network: how many took the first of equal values
    forward_score: float  # the score by a second computation, as a check
    ages: np.ndarray  # by age: visits, optimal, tied, loss


class _Player:
    """What C calls back."""

    def __init__(self, policy: Optional[Callable[[np.ndarray], np.ndarray]], grid: _core.Grid):
        self.policy, self.grid = policy, grid

    def choose(self, cells: Any, n: int, share: Any) -> None:
        boards = np.frombuffer(ffi.buffer(cells, n * self.grid.rows * self.grid.cols), np.uint8)
        boards = boards.reshape(n, *self.grid.shape)
        boards.flags.writeable = False
        out = np.frombuffer(ffi.buffer(share, n * 4 * 8), np.float64).reshape(n, 4)
        assert self.policy is not None
        chosen = np.asarray(self.policy(boards))
        if chosen.shape == (n,) and chosen.dtype.kind in "iu":
            if n and not (0 <= int(chosen.min()) and int(chosen.max()) < 4):
                raise ValueError("the policy chose a direction that is not 0, 1, 2 or 3")
            out[...] = 0
            out[np.arange(n), chosen] = 1
        elif chosen.shape == (n, 4) and chosen.dtype == np.bool_:
            out[...] = chosen / np.maximum(chosen.sum(-1, keepdims=True), 1)
        elif chosen.shape == (n, 4) and chosen.dtype.kind == "f":
            out[...] = chosen
        else:
            raise ValueError(
                f"the policy returned {chosen.dtype} of shape {chosen.shape} for {n} boards; expected directions as "
                f"integers ({n},), sets of them as bool ({n}, 4), or probabilities as floats ({n}, 4)"
            )


@ffi.def_extern(error=1, onerror=_core.on_error)
def afterstate_on_player(context: Any, cells: Any, n: int, share: Any) -> int:
    ffi.from_handle(context).choose(cells, n, share)
    return 0


@ffi.def_extern(error=1, onerror=_core.on_error)
def afterstate_on_poll(_context: Any) -> int:
    """Called between ages, so that Python can look at its signals."""
    return 0


_PLAYERS = {"random": lib.AS_PLAYER_RANDOM, "greedy": lib.AS_PLAYER_GREEDY, "optimal": lib.AS_PLAYER_OPTIMAL}


def exact(table: Table, policy: Policy, symmetric: bool = False, threads: int = 1) -> ExactResult:
    """The exact expected score of a player on a solved board, and what it loses at which age.

    policy: "random", "greedy" (largest reward, evenly among equal ones), "optimal", a Network (greedy on reward +
    value), or a function from boards (n, rows, cols) to directions (n,) of int, sets of directions (n, 4) of bool that
    are drawn from evenly, or probabilities (n, 4) of float. It gets every board that has a move, up to 65536
    at a time, twice. symmetric=True promises that it treats the 8 images of a board alike, and gets one of them.
    """
    if not isinstance(table, Table):
        raise TypeError(f"expected an afterstate.Table, not {type(table).__name__}")
    threads = _core.as_integer("threads", threads, 0, 1024)
    settings = ffi.new("struct as_exact_settings *")
    settings.size = ffi.sizeof("struct as_exact_settings")
    settings.symmetric, settings.threads = bool(symmetric), threads
    settings.poll = lib.afterstate_on_poll
    player = _Player(None, table.grid)
    if isinstance(policy, str):
        if policy not in _PLAYERS:
            raise ValueError(f"policy {policy!r}; expected one of {', '.join(_PLAYERS)}")
        settings.player = _PLAYERS[policy]
    elif isinstance(policy, Network):
        settings.player = lib.AS_PLAYER_NETWORK
        settings.network = policy._open()
    elif callable(policy):
        player.policy = policy
        settings.player = lib.AS_PLAYER_FUNCTION
        settings.function = lib.afterstate_on_player
    else:
        raise TypeError(f"policy: expected a name, a Network or a function, not {type(policy).__name__}")
    context = ffi.new_handle(player)
    settings.context = context
    result = ffi.new("struct as_exact_result *")
    ages = np.zeros(table.n_ages, _EXACT_AGE)
    to = ffi.cast("struct as_exact_age *", ffi.from_buffer(ages, require_writable=True))
    status = lib.as_exact(table._open(), settings, result, to)
    _core.raise_kept()
    check_status(status)
    return ExactResult(
        result.score, result.optimum, result.loss, result.moves, result.optimal_moves, result.tied_moves,
        result.forward_score, ages,
    )  # fmt: skip
