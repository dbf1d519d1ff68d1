"""What the modules share: errors, grids, boards as arrays, random numbers, and where data files are."""

from __future__ import annotations

import os
import pathlib
import re
import sys
import sysconfig
import threading
from typing import Any, Optional, Tuple, Union

import numpy as np

from ._native import ffi, lib

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
DIRECTIONS = ("up", "right", "down", "left")
MAX_VALUE = 17

__version__: str = ffi.string(lib.as_version()).decode()


# ---- errors ---------------------------------------------------------------------------------------------------------


class Error(Exception):
    """A failure of the library; the text is the library's own."""


class UsageError(Error, ValueError):
    """An argument does not exist or is out of range."""


class InvalidError(Error, ValueError):
    """Something that can be read but makes no sense: a text that is no board, a recipe with contradictions."""


class CorruptError(Error):
    """The bytes of a file are not what its format promises."""


class FileError(Error, OSError):
    """The operating system refused to read or write."""


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory."""


class Interrupted(Error):
    """Stopped on demand."""


_ERRORS = {
    lib.AS_USAGE: UsageError,
    lib.AS_NO_MEMORY: OutOfMemoryError,
    lib.AS_IO: FileError,
    lib.AS_CORRUPT: CorruptError,
    lib.AS_INVALID: InvalidError,
    lib.AS_INTERRUPTED: Interrupted,
}


def last_error() -> str:
    return ffi.string(lib.as_last_error()).decode("utf-8", "replace")


def check_status(status: int) -> None:
    """Raises what a status stands for. Called by the thread that made the call: messages are kept by thread."""
    if status != lib.AS_OK:
        raise _ERRORS.get(status, Error)(last_error())


_active = threading.local()


def on_error(_kind: Any, value: BaseException, _traceback: Any) -> None:
    """cffi calls this where a callback ended by an exception, Ctrl-C for one: it is kept for raise_kept()."""
    _active.error = value


def raise_kept() -> None:
    """Raises what a callback of this thread ended by, now that C has returned."""
    error = getattr(_active, "error", None)
    _active.error = None
    if error is not None:
        raise error


def owned(handle: Any, free: Any, *borrowed: Any) -> Any:
    """A handle that is freed with its last reference, and before the handles that it borrows."""
    return ffi.gc(handle, lambda pointer, _keep=borrowed: free(pointer))


# ---- sizes ----------------------------------------------------------------------------------------------------------

_grids: dict = {}
_grids_lock = threading.Lock()


class Grid:
    """The size of a board. Grids never change and are kept for the life of the program."""

    __slots__ = ("rows", "cols", "handle")

    def __init__(self, rows: int, cols: int, handle: Any):
        self.rows, self.cols, self.handle = rows, cols, handle

    @property
    def shape(self) -> Tuple[int, int]:
        return self.rows, self.cols

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}"


def grid_of(rows: int, cols: int) -> Grid:
    key = (int(rows), int(cols))
    with _grids_lock:
        if key not in _grids:
            if not (0 < key[0] <= lib.AS_MAX_SIDE and 0 < key[1] <= lib.AS_MAX_SIDE):
                raise InvalidError(f"a board of {key[0]}x{key[1]}; sides are 1 to {lib.AS_MAX_SIDE}")
            out = ffi.new("struct as_grid **")
            check_status(lib.as_grid_create(out, *key))
            _grids[key] = Grid(*key, ffi.gc(out[0], lib.as_grid_free))
        return _grids[key]


def grid_from(board: Union[str, Tuple[int, int]]) -> Grid:
    """The grid of "4x4", "2x5" or (rows, cols)."""
    if isinstance(board, str):
        match = re.fullmatch(r"\s*(\d)\s*[xX]\s*(\d)\s*", board)
        if not match:
            raise InvalidError(f"{board!r} is not the size of a board; expected one such as '4x4' or '2x5'")
        return grid_of(int(match[1]), int(match[2]))
    if isinstance(board, Grid):
        return board
    try:
        rows, cols = board
        return grid_of(int(rows), int(cols))
    except (TypeError, ValueError) as error:
        if isinstance(error, Error):
            raise
        raise TypeError(f"{board!r} is not the size of a board; expected '4x4' or (4, 4)") from None


# ---- boards ---------------------------------------------------------------------------------------------------------


def as_boards(boards: Any, grid: Optional[Grid] = None, name: str = "boards") -> np.ndarray:
    """Checks an array of boards, (.., rows, cols) of uint8, and makes it contiguous; C checks the values."""
    if not isinstance(boards, np.ndarray):
        raise TypeError(f"{name}: expected a NumPy array, not {type(boards).__name__}")
    if boards.dtype != np.uint8:
        raise TypeError(f"{name}: expected uint8 (exponents: 0 empty, 1 for 2, 2 for 4, ..), not {boards.dtype}")
    if boards.ndim < 2:
        raise ValueError(f"{name}: expected the shape (.., rows, cols), not {boards.shape}")
    if grid is not None and boards.shape[-2:] != grid.shape:
        raise ValueError(f"{name}: expected boards of {grid}, not {boards.shape[-2]}x{boards.shape[-1]}")
    return np.ascontiguousarray(boards)


def boards_grid(boards: np.ndarray) -> Grid:
    return grid_of(boards.shape[-2], boards.shape[-1])


def count(boards: np.ndarray) -> int:
    return int(np.prod(boards.shape[:-2], dtype=np.int64))


def u8(array: np.ndarray):
    return ffi.from_buffer("uint8_t[]", array, require_writable=False)


def u8_out(array: np.ndarray):
    return ffi.from_buffer("uint8_t[]", array, require_writable=True)


def parse(text: str, board: Union[str, Tuple[int, int], None] = None) -> np.ndarray:
    """Reads one board: digits ("1200 ..") or numbers ("2 4 0 0 / ..").

    Without a size, digits of 16 cells are 4x4, of 9 cells 3x3, and numbers have their rows separated by slashes.
    """
    if not isinstance(text, str):
        raise TypeError(f"expected the text of a board, not {type(text).__name__}")
    if board is None:
        rows = [row for row in re.split(r"[/\n]", text) if row.strip()]
        if len(rows) > 1:
            grid = grid_of(len(rows), len(re.findall(r"[^\s,]+", rows[0])))
        else:
            side = {16: 4, 9: 3, 4: 2, 1: 1}.get(len(text.strip()))
            if side is None:
                raise InvalidError(f"{text!r}: the size of this board is not clear; give it, as parse(text, '3x4')")
            grid = grid_of(side, side)
    else:
        grid = grid_from(board)
    out = ffi.new("struct as_board *")
    check_status(lib.as_board_parse(grid.handle, text.encode(), out))
    cells = np.zeros(grid.shape, np.uint8)
    check_status(lib.as_boards_to_cells(grid.handle, out, 1, u8_out(cells)))
    return cells


def digits(board: np.ndarray) -> str:
    """One board as digits, one a cell, as the program prints and reads them."""
    board = as_boards(board)
    if board.ndim != 2:
        raise ValueError(f"expected one board of shape (rows, cols), not {board.shape}")
    packed = ffi.new("struct as_board *")
    grid = boards_grid(board)
    check_status(lib.as_boards_from_cells(grid.handle, u8(board), 1, packed))
    out = ffi.new("char[]", lib.AS_DIGITS_BYTES)
    check_status(lib.as_board_digits(grid.handle, packed[0], out, lib.AS_DIGITS_BYTES))
    return ffi.string(out).decode()


def faces(boards: np.ndarray) -> np.ndarray:
    """The numbers on the tiles, 0, 2, 4, .., of boards of exponents."""
    boards = as_boards(boards)
    return np.where(boards == 0, 0, np.left_shift(np.int64(1), boards.astype(np.int64)))


def from_faces(numbers: Any) -> np.ndarray:
    """Boards of exponents from the numbers on the tiles."""
    numbers = np.asarray(numbers)
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"expected integers, not {numbers.dtype}")
    wide = numbers.astype(np.int64)
    exponents = np.zeros(wide.shape, np.uint8)
    for value in range(1, MAX_VALUE + 1):
        exponents[wide == 1 << value] = value
    if not np.array_equal(np.where(exponents == 0, 0, np.left_shift(np.int64(1), exponents.astype(np.int64))), wide):
        raise InvalidError("a number is not 0, 2, 4, .. 131072")
    return exponents


def moves(boards: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All four moves of many boards: up, right, down, left.

    Returns (after, rewards, legal) of the shapes (.., 4, rows, cols), (.., 4) and (.., 4): the afterstates (the board
    itself where the move is illegal), the points as int64, and whether the move is legal.
    """
    boards = as_boards(boards)
    grid, n = boards_grid(boards), count(boards)
    lead = boards.shape[:-2]
    after = np.empty(lead + (4,) + grid.shape, np.uint8)
    rewards = np.empty(lead + (4,), np.uint32)
    legal = np.empty(lead + (4,), np.uint8)
    if n:
        check_status(
            lib.as_moves_many(
                grid.handle, u8(boards), n, u8_out(after), ffi.from_buffer("uint32_t[]", rewards), u8_out(legal)
            )
        )
    return after, rewards.astype(np.int64), legal.view(np.bool_)


def legal_moves(boards: np.ndarray) -> np.ndarray:
    """Which moves are legal: (.., 4) of bool."""
    boards = as_boards(boards)
    legal = np.empty(boards.shape[:-2] + (4,), np.uint8)
    if count(boards):
        check_status(
            lib.as_moves_many(
                boards_grid(boards).handle, u8(boards), count(boards), ffi.NULL, ffi.NULL, u8_out(legal)
            )
        )
    return legal.view(np.bool_)


def canonical(boards: np.ndarray) -> np.ndarray:
    """The smallest of each board's images (8 on square boards, else 4): the same for all of them."""
    boards = as_boards(boards)
    out = np.empty_like(boards)
    if count(boards):
        check_status(lib.as_canonical_many(boards_grid(boards).handle, u8(boards), count(boards), u8_out(out)))
    return out


class Random:
    """A generator of the library: stream `stream` of `seed`. The same pair gives the same numbers everywhere."""

    def __init__(self, seed: int = 0, stream: int = 0):
        out = ffi.new("struct as_random **")
        check_status(lib.as_random_create(out, as_seed(seed), as_seed(stream)))
        self._handle = ffi.gc(out[0], lib.as_random_free)
        self._lock = threading.Lock()

    def below(self, bound: int) -> int:
        """A number in 0 .. bound-1."""
        bound = as_integer("bound", bound, 1, (1 << 64) - 1)
        with self._lock:
            return int(lib.as_random_below(self._handle, bound))


def spawn(boards: np.ndarray, random: Random) -> np.ndarray:
    """Copies of the boards with a new tile on each: a 2 with probability 0.9, a 4 with 0.1, on any empty cell."""
    if not isinstance(random, Random):
        raise TypeError(f"expected an afterstate.Random, not {type(random).__name__}")
    out = as_boards(boards).copy()
    with random._lock:
        if count(out):
            check_status(lib.as_spawn_many(boards_grid(out).handle, u8_out(out), count(out), random._handle))
    return out


def as_integer(name: str, value: Any, low: int, high: int) -> int:
    """An integer from low to high, both included; TypeError and ValueError with the name otherwise."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} {value!r}: expected an integer")
    if not low <= int(value) <= high:
        raise ValueError(f"{name} {value}: expected {low} to {high}")
    return int(value)


def as_seed(seed: Any) -> int:
    return as_integer("seed", seed, 0, (1 << 64) - 1)


def as_path(path: Any) -> bytes:
    encoded = os.fsencode(os.fspath(path))
    if b"\0" in encoded:
        raise ValueError("a path with a zero byte")
    return encoded


# ---- files that come with the program -------------------------------------------------------------------------------


def find_data(name: str) -> Optional[pathlib.Path]:
    """The path of a file such as "nets/default.net": in the package, the source tree, or an installed afterstate."""
    package = pathlib.Path(__file__).resolve().parent
    places = [package, package.parent.parent]
    if os.environ.get("AFTERSTATE_DATA"):
        places.insert(0, pathlib.Path(os.environ["AFTERSTATE_DATA"]))
    for prefix in (sys.prefix, sysconfig.get_config_var("prefix") or "/usr", "/usr/local", "/usr"):
        places.append(pathlib.Path(prefix) / "share" / "afterstate")
    for place in places:
        if (place / name).exists():
            return place / name
    return None
