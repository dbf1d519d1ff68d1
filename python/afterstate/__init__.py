"""afterstate: 2048 as a laboratory. Exact and fast environments, strong networks, search, solved boards, training.

A board is an array (rows, cols) of uint8 with exponents: 0 an empty cell, 1 the tile 2, 2 the tile 4, .. Directions are
0 up, 1 right, 2 down, 3 left. docs/PYTHON.md is the tutorial.
"""

from ._check import Report, check
from ._core import (
    DIRECTIONS,
    DOWN,
    LEFT,
    MAX_VALUE,
    RIGHT,
    UP,
    CorruptError,
    Error,
    FileError,
    Interrupted,
    InvalidError,
    OutOfMemoryError,
    Random,
    UsageError,
    __version__,
    canonical,
    digits,
    faces,
    from_faces,
    legal_moves,
    moves,
    parse,
    spawn,
)
from ._env import Env, VectorEnv
from ._games import Game, load_games, save_games
from ._gym import AutoresetMode
from ._network import Network, NTupleTable, Search, SearchResult, export_npz, import_npz
from ._table import ExactResult, Table, TableAnswer, exact, solve
from ._training import Run, train

__all__ = [name for name in dir() if not name.startswith("_")] + ["__version__"]
