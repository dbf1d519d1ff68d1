"""Games as arrays, and record files."""

from __future__ import annotations

import os
from typing import Any, Callable, Iterable, List, Optional, Tuple, Union

import numpy as np

from . import _core
from ._core import as_boards, as_path, check_status, ffi, lib, u8, u8_out


class Game:
    """A game move by move. Move k is made on boards[k]; boards[-1] is the last one."""

    def __init__(
        self,
        boards: np.ndarray,
        directions: np.ndarray,
        rewards: np.ndarray,
        spawn_cells: np.ndarray,
        spawn_values: np.ndarray,
        seed: int = 0,
        index: int = 0,
    ):
        self.boards = boards  # (moves + 1, rows, cols) uint8
        self.directions = directions  # (moves,) uint8
        self.rewards = rewards  # (moves,) int64
        self.spawn_cells = spawn_cells  # (moves,) uint8: row * cols + column of the new tile
        self.spawn_values = spawn_values  # (moves,) uint8: 1 (a 2) or 2 (a 4)
        self.seed, self.index = seed, index

    @property
    def score(self) -> int:
        return int(self.rewards.sum())

    @property
    def grid(self) -> _core.Grid:
        return _core.boards_grid(self.boards)

    def __len__(self) -> int:
        """The number of moves."""
        return len(self.directions)

    @property
    def afterstates(self) -> np.ndarray:
        """The boards after each move, before the new tile: (moves, rows, cols)."""
        after = self.boards[1:].copy()
        after.reshape(len(self), -1)[np.arange(len(self)), self.spawn_cells] = 0
        return after

    @classmethod
    def load(cls, path: Union[str, os.PathLike], number: int = 0) -> "Game":
        """Game `number` of a record file, the first one by default."""
        reader = _Reader(path)
        for i, game in enumerate(reader):
            if i == number:
                return game
        raise IndexError(f"{os.fspath(path)} has {reader.n_games} games; there is no number {number}")

    @classmethod
    def play(
        cls,
        policy: Callable[[np.ndarray], Any],
        board: Union[str, Tuple[int, int]] = "4x4",
        seed: int = 1,
        index: int = 0,
        max_moves: Optional[int] = None,
    ) -> "Game":
        """Plays game `index` of `seed`, the same new tiles as `afterstate play --seed`, by a policy.

        policy: a function from boards (1, rows, cols) to a direction; a Search or Network.greedy will do.
        """
        grid = _core.grid_from(board)
        out = ffi.new("struct as_game **")
        check_status(lib.as_game_begin(out, grid.handle, _core.as_seed(seed), _core.as_seed(index)))
        handle = ffi.gc(out[0], lib.as_game_free)
        boards, directions = [_present(handle, grid)], []
        while not lib.as_game_is_over(handle) and (max_moves is None or len(directions) < max_moves):
            direction = int(np.asarray(policy(boards[-1][None])).reshape(-1)[0])
            if not 0 <= direction < 4 or lib.as_game_play(handle, direction) != 1:
                raise ValueError(f"move {len(directions)}: the policy chose {direction}, which is not legal there")
            directions.append(direction)
            boards.append(_present(handle, grid))
        return cls._from_boards(np.stack(boards), np.array(directions, np.uint8), seed, index)

    @classmethod
    def _from_boards(cls, boards: np.ndarray, directions: np.ndarray, seed: int, index: int) -> "Game":
        after, rewards, _ = _core.moves(boards[:-1])
        chosen = np.arange(len(directions))
        new = boards[1:].reshape(len(directions), -1).astype(np.int16)
        new -= after[chosen, directions].reshape(len(directions), -1)
        cells = new.argmax(-1).astype(np.uint8) if len(directions) else np.zeros(0, np.uint8)
        values = new[chosen, cells].astype(np.uint8)
        return cls(boards, directions, rewards[chosen, directions], cells, values, seed, index)

    def save(self, path: Union[str, os.PathLike], player: str = "") -> None:
        """Writes a record file of this game."""
        save_games(path, [self], player)

    def __repr__(self) -> str:
        return f"<afterstate.Game {self.grid}: {len(self)} moves, {self.score} points>"


def _present(handle: Any, grid: _core.Grid) -> np.ndarray:
    cells = np.zeros(grid.shape, np.uint8)
    board = ffi.new("struct as_board *", lib.as_game_board(handle))
    check_status(lib.as_boards_to_cells(grid.handle, board, 1, u8_out(cells)))
    return cells


class _Reader:
    """The games of a record file, one after the other."""

    def __init__(self, path: Union[str, os.PathLike]):
        out = ffi.new("struct as_record_reader **")
        check_status(lib.as_record_reader_open(out, as_path(path)))
        self._handle = ffi.gc(out[0], lib.as_record_reader_free)
        info = ffi.new("struct as_record_info *")
        check_status(lib.as_record_reader_get_info(self._handle, info))
        self.grid = _core.grid_of(info.rows, info.cols)
        self.n_games: int = info.n_games
        self.player = ffi.string(info.player).decode("utf-8", "replace")

    def __iter__(self):
        about = ffi.new("struct as_record_game *")
        while True:
            found = lib.as_record_reader_next(self._handle, about)
            if found < 0:
                raise _core.CorruptError(_core.last_error())
            if found == 0:
                return
            yield self._read(about)

    def _read(self, about: Any) -> Game:
        n = about.n_moves
        boards = np.empty((n + 1,) + self.grid.shape, np.uint8)
        directions, cells, values = (np.empty(n, np.uint8) for _ in range(3))
        rewards = np.empty(n, np.uint32)
        steps = ffi.new("struct as_record_steps *")
        steps.size = ffi.sizeof("struct as_record_steps")
        keep = [u8_out(array) for array in (boards, directions, cells, values)]
        steps.cells, steps.directions, steps.spawn_cells, steps.spawn_values = keep
        points = ffi.from_buffer("uint32_t[]", rewards, require_writable=True)
        steps.rewards = points
        check_status(lib.as_record_reader_get_steps(self._handle, steps))
        return Game(boards, directions, rewards.astype(np.int64), cells, values, about.seed, about.index)


def load_games(path: Union[str, os.PathLike]) -> List[Game]:
    """All games of a record file."""
    return list(_Reader(path))


def save_games(path: Union[str, os.PathLike], games: Iterable[Game], player: str = "") -> None:
    """Writes a record file that `afterstate play --replay` and the page read. Every move is checked."""
    games = list(games)
    if not games:
        raise ValueError("no games to save")
    grid = games[0].grid
    out = ffi.new("struct as_record_writer **")
    check_status(lib.as_record_writer_open(out, as_path(path), grid.handle, player.encode()))
    writer = ffi.gc(out[0], lib.as_record_writer_free)
    for game in games:
        about = ffi.new("struct as_record_game *")
        about.seed, about.index, about.n_moves = game.seed, game.index, len(game)
        start = as_boards(game.boards[0], grid, "boards[0]")
        arrays = [np.ascontiguousarray(a, np.uint8) for a in (game.directions, game.spawn_cells, game.spawn_values)]
        if any(array.shape != (len(game),) for array in arrays):
            raise ValueError("directions, spawn_cells and spawn_values have different lengths")
        steps = ffi.new("struct as_record_steps *")
        steps.size = ffi.sizeof("struct as_record_steps")
        keep = [u8(array) for array in (start, *arrays)]
        steps.start, steps.directions, steps.spawn_cells, steps.spawn_values = keep
        check_status(lib.as_record_writer_add(writer, about, steps))
    ffi.gc(writer, None)  # committing frees it
    check_status(lib.as_record_writer_commit(writer))
