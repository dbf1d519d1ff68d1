"""Environments: one game, or many in step, by Gymnasium's conventions."""

from __future__ import annotations

import os
import threading
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, _render
from ._core import as_boards, as_seed, check_status, ffi, lib, u8, u8_out
from ._gym import AutoresetMode, Box, Discrete, EnvBase, MultiDiscrete, VectorEnvBase

Board = Union[str, Tuple[int, int]]
_MODES = {
    "NEXT_STEP": lib.AS_AUTORESET_NEXT_STEP,
    "SAME_STEP": lib.AS_AUTORESET_SAME_STEP,
    "DISABLED": lib.AS_AUTORESET_DISABLED,
}
_RENDER_MODES = ["ansi", "rgb_array"]


def _mode(mode: Any) -> Tuple[str, Any]:
    """The name and the member of an autoreset mode, given as a member, its name or its value."""
    for name in _MODES:
        member = AutoresetMode[name]
        if mode is member or mode in (name, member.value):
            return name, member
    raise ValueError(f"autoreset_mode {mode!r}; expected one of {', '.join(_MODES)}")


def _check_render_mode(mode: Optional[str]) -> Optional[str]:
    if mode is not None and mode not in _RENDER_MODES:
        raise ValueError(f"render_mode {mode!r}; expected None, {' or '.join(map(repr, _RENDER_MODES))}")
    return mode


class _Vector:
    """The C games and the arrays that they fill."""

    def __init__(self, grid: _core.Grid, n: int, mode: str, seed: int):
        self.n, self.grid = n, grid
        self.cells = np.zeros((n,) + grid.shape, np.uint8)
        self.rewards = np.zeros(n, np.float64)
        self.terminated = np.zeros(n, np.uint8)
        self.legal = np.zeros((n, 4), np.uint8)
        self.illegal = np.zeros(n, np.uint8)
        self.scores = np.zeros(n, np.int64)
        self.moves = np.zeros(n, np.int64)
        self.final_cells = np.zeros((n,) + grid.shape, np.uint8)
        self.final_scores = np.zeros(n, np.int64)
        self.final_moves = np.zeros(n, np.int64)
        arrays = ffi.new("struct as_vector_arrays *")
        arrays.size = ffi.sizeof("struct as_vector_arrays")
        self._keep = [arrays]
        for name in ("cells", "terminated", "legal", "illegal", "final_cells"):
            self._bind(arrays, name, "uint8_t[]")
        for name in ("scores", "moves", "final_scores", "final_moves"):
            self._bind(arrays, name, "int64_t[]")
        self._bind(arrays, "rewards", "double[]")
        settings = ffi.new("struct as_vector_settings *")
        settings.size = ffi.sizeof("struct as_vector_settings")
        settings.n, settings.autoreset, settings.seed = n, _MODES[mode], seed
        out = ffi.new("struct as_vector **")
        check_status(lib.as_vector_create(out, grid.handle, settings, arrays))
        self.handle = ffi.gc(out[0], lib.as_vector_free)

    def _bind(self, arrays: Any, name: str, kind: str) -> None:
        pointer = ffi.from_buffer(kind, getattr(self, name), require_writable=True)
        setattr(arrays, name, pointer)
        self._keep.append(pointer)


class VectorEnv(VectorEnvBase):
    """n games of 2048 in step. Observations are boards of exponents, (n, rows, cols) of uint8; actions are 0 up,
    1 right, 2 down, 3 left; rewards are points.

    Game i begins as game number i of `seed`, with the new tiles of `afterstate play --seed`; when it ends, game i + n
    follows. `info` has "action_mask" (n, 4), "score", "moves" and "illegal" (n,): an illegal action changes nothing.
    Nothing is truncated. autoreset_mode is Gymnasium's NEXT_STEP (the default), SAME_STEP or DISABLED.

    copy=False returns views of arrays that the next step overwrites: no allocation in step().
    """

    metadata: Dict[str, Any] = {"render_modes": _RENDER_MODES, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int,
        board: Board = "4x4",
        seed: Optional[int] = None,
        autoreset_mode: Any = "NEXT_STEP",
        copy: bool = True,
        render_mode: Optional[str] = None,
    ):
        self.num_envs = _core.as_integer("num_envs", num_envs, 1, 1 << 24)
        name, member = _mode(autoreset_mode)
        self.grid = _core.grid_from(board)
        self.render_mode = _check_render_mode(render_mode)
        self.copy = bool(copy)
        self.metadata = {**type(self).metadata, "autoreset_mode": member}
        self.single_observation_space = Box(0, _core.MAX_VALUE, self.grid.shape, np.uint8)
        self.single_action_space = Discrete(4)
        self.observation_space = Box(0, _core.MAX_VALUE, (self.num_envs,) + self.grid.shape, np.uint8)
        self.action_space = MultiDiscrete(np.full(self.num_envs, 4, np.int64))
        self._mode = name
        self._lock = threading.Lock()
        first = int.from_bytes(os.urandom(6), "little") if seed is None else as_seed(seed)
        self._vector: Optional[_Vector] = _Vector(self.grid, self.num_envs, name, first)
        self._random = _core.Random(first, (1 << 64) - 1)  # of sample(); no game has this stream
        self._is_new = True
        self._all = np.ones(self.num_envs, np.bool_)
        self._truncated = np.zeros(self.num_envs, np.bool_)
        self._actions = np.zeros(self.num_envs, np.int64)
        self.closed = False

    # ---- what Gymnasium requires

    def reset(
        self,
        *,
        seed: Union[int, Sequence[int], None] = None,
        options: Optional[Dict[str, Any]] = None,
    ) -> Tuple[np.ndarray, Dict[str, Any]]:
        """Begins new games.

        seed: a number s gives games 0 .. n-1 of seed s; a list of n numbers gives game 0 of each; None the next games.
        options: {"reset_mask": (n,) bool} begins only some; {"board": text or array} puts boards there.
        """
        with self._lock:
            vector = self._open()
            which, board = self._read_options(options)
            mask = ffi.NULL if which is None else u8(which.view(np.uint8))
            if seed is not None:
                seeds, indices = self._seeds(seed)
                check_status(
                    lib.as_vector_reset(
                        vector.handle, mask, ffi.from_buffer("uint64_t[]", seeds),
                        ffi.from_buffer("uint64_t[]", indices),
                    )
                )  # fmt: skip
            elif not self._is_new or which is not None:
                check_status(lib.as_vector_reset(vector.handle, mask, ffi.NULL, ffi.NULL))
            if board is not None:
                check_status(lib.as_vector_set_boards(vector.handle, mask, u8(board)))
            self._is_new = False
            return self._give(vector.cells), self._info(vector)

    def step(
        self, actions: np.ndarray
    ) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        """One action in each game: (n,) of any integer type, or a list. Refused as a whole if one is not 0 to 3."""
        with self._lock:
            vector = self._open()
            if not isinstance(actions, np.ndarray):
                actions = np.asarray(actions)
            if actions.dtype.kind not in "iu" or actions.dtype.byteorder == ">":
                raise TypeError(f"actions of {actions.dtype}; expected integers")
            if actions.shape != (vector.n,):
                raise ValueError(f"actions of shape {actions.shape}; expected ({vector.n},)")
            if not actions.flags.c_contiguous:
                actions = np.ascontiguousarray(actions)
            check_status(lib.as_vector_step(vector.handle, ffi.from_buffer(actions), actions.dtype.itemsize))
            self._is_new = False
            info = self._info(vector)
            terminated = vector.terminated.view(np.bool_)
            if self._mode == "SAME_STEP" and terminated.any():
                info["final_obs"] = vector.final_cells.copy()
                info["_final_obs"] = terminated.copy()
                info["final_info"] = {
                    "score": vector.final_scores.copy(), "_score": terminated.copy(),
                    "moves": vector.final_moves.copy(), "_moves": terminated.copy(),
                }  # fmt: skip
                info["_final_info"] = terminated.copy()
            return (
                self._give(vector.cells),
                self._give(vector.rewards),
                self._give(terminated),
                self._give(self._truncated),
                info,
            )

    def render(self) -> Any:
        """A tuple with the text or the picture of each game's board, by render_mode; None without one."""
        vector = self._open()
        if self.render_mode is None:
            return None
        draw = _render.text if self.render_mode == "ansi" else _render.picture
        return tuple(draw(board) for board in vector.cells)

    def close(self, **_: Any) -> None:
        """Frees the games; everything but close() then raises ValueError."""
        with self._lock:
            self._vector = None
            self.closed = True

    # ---- more

    def sample(self) -> np.ndarray:
        """A random legal action for each game (0 where none is): int64, each direction equally likely. Fast.

        With copy=False it is the same array every time.
        """
        with self._lock:
            vector = self._open()
            to = ffi.from_buffer(self._actions, require_writable=True)
            check_status(lib.as_vector_sample(vector.handle, self._random._handle, to, 8))
            return self._give(self._actions)

    def afterstates(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All four moves of the present boards, as afterstate.moves(): after, rewards, legal."""
        with self._lock:
            return _core.moves(self._open().cells)

    def play_random(self, n_moves: int) -> None:
        """Plays n_moves random legal moves in each game inside one call: how fast the rules alone are."""
        n_moves = _core.as_integer("n_moves", n_moves, 0, 1 << 40)
        with self._lock:
            vector = self._open()
            check_status(lib.as_vector_play_random(vector.handle, self._random._handle, n_moves))

    @property
    def seeds(self) -> Tuple[np.ndarray, np.ndarray]:
        """The seed and the number of each present game: (seeds, indices), uint64."""
        with self._lock:
            vector = self._open()
            seeds, indices = np.empty(vector.n, np.uint64), np.empty(vector.n, np.uint64)
            to = [ffi.from_buffer("uint64_t[]", array, require_writable=True) for array in (seeds, indices)]
            check_status(lib.as_vector_get_seeds(vector.handle, *to))
            return seeds, indices

    # ---- inside

    def _open(self) -> _Vector:
        if self._vector is None:
            raise ValueError("the environment is closed")
        return self._vector

    def _give(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self.copy else array.view()

    def _info(self, vector: _Vector) -> Dict[str, Any]:
        given = self._all.view()
        return {
            "action_mask": self._give(vector.legal.view(np.bool_)), "_action_mask": given,
            "score": self._give(vector.scores), "_score": given,
            "moves": self._give(vector.moves), "_moves": given,
            "illegal": self._give(vector.illegal.view(np.bool_)), "_illegal": given,
        }  # fmt: skip

    def _seeds(self, seed: Any) -> Tuple[np.ndarray, np.ndarray]:
        n = self.num_envs
        if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool):
            return np.full(n, as_seed(seed), np.uint64), np.arange(n, dtype=np.uint64)
        if isinstance(seed, (str, bytes)) or not hasattr(seed, "__len__") or len(seed) != n:
            raise ValueError(f"seed: expected a number, or {n} of them")
        return np.array([as_seed(s) for s in seed], np.uint64), np.zeros(n, np.uint64)

    def _read_options(self, options: Optional[Dict[str, Any]]) -> Tuple[Optional[np.ndarray], Optional[np.ndarray]]:
        if options is None:
            return None, None
        if not isinstance(options, dict):
            raise TypeError(f"options: expected a dictionary, not {type(options).__name__}")
        unknown = set(options) - {"reset_mask", "board"}
        if unknown:
            raise ValueError(f"unknown options {sorted(map(str, unknown))}; known are 'reset_mask' and 'board'")
        which, board = options.get("reset_mask"), options.get("board")
        if which is not None:
            which = np.ascontiguousarray(which)
            if which.dtype != np.bool_ or which.shape != (self.num_envs,):
                raise ValueError(f"reset_mask: expected bool of shape ({self.num_envs},)")
        if isinstance(board, str):
            board = _core.parse(board, self.grid)
        if board is not None:
            board = as_boards(board, self.grid, "board")
            if board.ndim > 3 or (board.ndim == 3 and len(board) != self.num_envs):
                raise ValueError(f"board: expected one board or {self.num_envs} of them, not {board.shape}")
            if board.max() > _core.MAX_VALUE:  # C would say so too, but after the reset
                raise _core.InvalidError(f"board: a value of {board.max()}; expected 0 to {_core.MAX_VALUE}")
            board = np.ascontiguousarray(np.broadcast_to(board, (self.num_envs,) + self.grid.shape))
        return which, board


class Env(EnvBase):
    """One game of 2048; see VectorEnv for observations, actions, rewards and info. It ends when no move is legal."""

    metadata: Dict[str, Any] = {"render_modes": _RENDER_MODES, "render_fps": 10}

    def __init__(self, board: Board = "4x4", seed: Optional[int] = None, render_mode: Optional[str] = None):
        self._games = VectorEnv(1, board, seed, "DISABLED", render_mode=render_mode)
        self.grid = self._games.grid
        self.render_mode = self._games.render_mode
        self.observation_space = self._games.single_observation_space
        self.action_space = self._games.single_action_space

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[np.ndarray, Dict[str, Any]]:
        """Begins game 0 of `seed`, or the next game of the seed before. options: {"board": text or array}."""
        observation, info = self._games.reset(seed=seed, options=options)
        return observation[0], self._first(info)

    def step(self, action: Any) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        """Plays a direction. An illegal one changes nothing, brings 0 points, and is reported by info["illegal"]."""
        if isinstance(action, (bool, np.bool_)) or not isinstance(action, (int, np.integer, np.ndarray)):
            raise TypeError(f"action {action!r}: expected an integer")
        actions = np.asarray(action)
        if actions.size != 1:
            raise ValueError(f"action of shape {actions.shape}: expected one integer")
        observation, reward, terminated, truncated, info = self._games.step(actions.reshape(1))
        return observation[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), self._first(info)

    def afterstates(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All four moves of the present board: after (4, rows, cols), rewards (4,), legal (4,)."""
        after, rewards, legal = self._games.afterstates()
        return after[0], rewards[0], legal[0]

    def render(self) -> Any:
        """The board as text or as a picture, by render_mode; None without one."""
        frames = self._games.render()
        return None if frames is None else frames[0]

    def close(self) -> None:
        self._games.close()

    @staticmethod
    def _first(info: Dict[str, Any]) -> Dict[str, Any]:
        return {
            "action_mask": info["action_mask"][0],
            "score": int(info["score"][0]),
            "moves": int(info["moves"][0]),
            "illegal": bool(info["illegal"][0]),
        }
