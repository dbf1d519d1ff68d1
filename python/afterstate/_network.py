"""Networks, their weights, and search."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import os
import pathlib
import tempfile
import threading
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._core import as_boards, as_path, check_status, count, ffi, lib, u8

_FORMS = {"compact": lib.AS_NETWORK_COMPACT, "fast": lib.AS_NETWORK_FAST, "weights": lib.AS_NETWORK_WEIGHTS}
_BUNDLED_DOWNGRADE = 15  # the program's own setting for the bundled network: boards with a 32768
_CHUNK = 1 << 18  # boards in one call, so that Ctrl-C is seen within a second


class NTupleTable(NamedTuple):
    """One table of an n-tuple network. weights[digit[b[cell]] for cell in cells] is added for each image of a board."""

    stage: int
    tuple: int
    range: int
    cells: np.ndarray  # numbers of cells, row * cols + column, ascending
    digit: np.ndarray  # digit[value] for the values 0 .. 17
    weights: np.ndarray  # float32, one axis for each cell



class Network:
    """A trained network, n-tuple or neural, from a file of `afterstate train`.

    form: "compact" (little memory, quick to load), "fast" (for millions of boards) or "weights" (4 bytes a weight; the
    weights of an n-tuple network can then be read and changed). Values are the same in all.
    """

    def __init__(self, path: Union[str, os.PathLike], form: str = "compact"):
        if form not in _FORMS:
            raise ValueError(f"form {form!r}; expected one of {', '.join(_FORMS)}")
        out = ffi.new("struct as_network **")
        check_status(lib.as_network_load(out, as_path(path), _FORMS[form]))
        self._adopt(out[0])
        self.path: Optional[pathlib.Path] = pathlib.Path(path)
        self.downgrade = 0

    def add_endgame(
        self, endgame: Optional[Union[str, os.PathLike]] = "auto", late_net: Optional[Union[str, os.PathLike]] = None
    ) -> None:
        """Plays late games of 4x4 by another network, late_net (the one that comes with afterstate), and exact tables.

        endgame: a folder of tables, "auto" for those of `afterstate endgame build`, None for that network alone.
        Searches made from then on use them.
        """
        late = ffi.NULL if late_net is None else as_path(late_net)
        check_status(lib.as_network_add_endgame(self._handle, ffi.NULL if endgame is None else as_path(endgame), late))
        self.downgrade = _BUNDLED_DOWNGRADE

    def _adopt(self, handle: Any) -> None:
        self._handle: Any = ffi.gc(handle, lib.as_network_free)
        self.grid = _core.grid_of(lib.as_network_rows(handle), lib.as_network_cols(handle))

    @classmethod
    def bundled(cls, form: str = "compact") -> "Network":
        """The network that comes with afterstate (4x4), or the one that AFTERSTATE_NET names."""
        named = os.environ.get("AFTERSTATE_NET")
        path = pathlib.Path(named) if named else _core.find_data("nets/default.net")
        if path is None:
            raise FileNotFoundError(
                "the bundled network (nets/default.net) is not here: work in the source tree, install afterstate, or "
                "name a network by the variable AFTERSTATE_NET"
            )
        network = cls(path, form)
        if not named:
            network.downgrade = _BUNDLED_DOWNGRADE
        return network

    @classmethod
    def create(
        cls,
        tuples: Sequence[Sequence[int]],
        board: Union[str, Tuple[int, int]] = "4x4",
        encoding: str = "plain 16",
        stages: str = "1",
        promote: bool = False,
        initial: float = 0.0,
    ) -> "Network":
        """A new n-tuple network, every weight `initial`.

        tuples: lists of cells, each row * cols + column. encoding: "plain K" (K values, larger tiles count as K - 1)
        or ranges of values such as "1-7 8-13 14-17". stages: "1", or the tiles with which stages begin ("0 16384").
        """
        grid = _core.grid_from(board)
        spec = ffi.new("struct as_ntuple_spec *")
        spec.size = ffi.sizeof("struct as_ntuple_spec")
        spec.rows, spec.cols = grid.shape
        lists = [sorted(int(cell) for cell in cells) for cells in tuples]
        if not 1 <= len(lists) <= lib.AS_MAX_TUPLES:
            raise ValueError(f"{len(lists)} tuples; expected 1 to {lib.AS_MAX_TUPLES}")
        spec.n_tuples = len(lists)
        for i, cells in enumerate(lists):
            if not 1 <= len(cells) <= lib.AS_MAX_TUPLE_CELLS:
                raise ValueError(f"tuple {i} has {len(cells)} cells; expected 1 to {lib.AS_MAX_TUPLE_CELLS}")
            if cells[0] < 0 or cells[-1] >= grid.rows * grid.cols:
                raise ValueError(f"tuple {i}: a cell is not on a {grid} board")
            spec.n_cells[i] = len(cells)
            for k, cell in enumerate(cells):
                spec.cells[i][k] = cell
        for field, text, room in (("encoding", encoding, lib.AS_ENCODING_BYTES), ("stages", stages, lib.AS_STAGES_BYTES)):
            if len(text.encode()) >= room:
                raise ValueError(f"{field}: more than {room - 1} characters")
            setattr(spec, field, text.encode())
        spec.promote = bool(promote)
        spec.initial = initial
        return cls._from_spec(spec)

    @classmethod
    def _from_spec(cls, spec: Any) -> "Network":
        out = ffi.new("struct as_network **")
        check_status(lib.as_network_create(out, spec))
        network = cls.__new__(cls)
        network._adopt(out[0])
        network.path = None
        network.downgrade = 0
        return network

    @classmethod
    def from_tables(
        cls, tables: Sequence[NTupleTable], board: Union[str, Tuple[int, int]] = "4x4", encoding: str = "plain 16",
        stages: str = "1", promote: bool = False,
    ) -> "Network":
        """A network of these tables: tables() of one, perhaps with other weights, back."""
        tuples: Dict[int, Sequence[int]] = {}
        for table in tables:
            tuples.setdefault(table.tuple, [int(cell) for cell in table.cells])
        network = cls.create([tuples[i] for i in sorted(tuples)], board, encoding, stages, promote)
        network.set_tables(tables)
        return network

    # ---- values

    def values(self, after: np.ndarray) -> np.ndarray:
        """What the network expects from afterstates (.., rows, cols) to the end of the game: float32 of shape (..)."""
        handle = self._open()
        after = as_boards(after, self.grid, "after")
        out = np.empty(after.shape[:-2], np.float32)
        flat, n = after.reshape(-1, *self.grid.shape), count(after)
        results = out.reshape(-1)
        for first in range(0, n, _CHUNK):
            part = flat[first : first + _CHUNK]
            to = ffi.from_buffer("float[]", results[first : first + len(part)], require_writable=True)
            check_status(lib.as_network_values(handle, u8(part), len(part), to))
        return out

    def greedy(self, boards: np.ndarray) -> np.ndarray:
        """The direction with the largest reward + value on each board (the first of them; -1 where none is legal)."""
        after, rewards, legal = _core.moves(as_boards(boards, self.grid))
        worth = np.where(legal, rewards.astype(np.float32) + self.values(after), -np.inf)
        return np.where(legal.any(-1), worth.argmax(-1), -1)

    # ---- weights

    def _spec(self) -> Tuple[Any, int, int]:
        spec = ffi.new("struct as_ntuple_spec *")
        spec.size = ffi.sizeof("struct as_ntuple_spec")
        n_stages, n_tables = ffi.new("unsigned *"), ffi.new("unsigned *")
        check_status(lib.as_network_get_spec(self._open(), spec, n_stages, n_tables))
        return spec, n_stages[0], n_tables[0]

    @property
    def encoding(self) -> str:
        """How values become digits: "plain 16", "1-7 8-13 14-17"; n-tuple networks with form="weights" only."""
        spec = self._spec()[0]  # kept by a name: its fields are views of it
        return ffi.string(spec.encoding).decode()

    @property
    def stages(self) -> str:
        """The tiles with which stages begin, or "1"; n-tuple networks with form="weights" only."""
        spec = self._spec()[0]
        return ffi.string(spec.stages).decode()

    def _about(self, table: int) -> Any:
        about = ffi.new("struct as_ntuple_table *")
        check_status(lib.as_network_get_table(self._open(), table, about))
        return about

    def tables(self) -> List[NTupleTable]:
        """All tables of an n-tuple network that was loaded with form="weights", with copies of their weights."""
        _, n_stages, n_tables = self._spec()
        tables = []
        for stage in range(n_stages):
            for number in range(n_tables):
                about = self._about(number)
                weights = np.empty((about.n_digits,) * about.n_cells, np.float32)
                to = ffi.from_buffer("float[]", weights, require_writable=True)
                check_status(lib.as_network_get_weights(self._open(), stage, number, to))
                cells = np.array([about.cells[k] for k in range(about.n_cells)])
                digit = np.array([about.digit[value] for value in range(_core.MAX_VALUE + 1)])
                tables.append(NTupleTable(stage, about.tuple, about.range, cells, digit, weights))
        return tables

    def set_tables(self, tables: Sequence[NTupleTable]) -> None:
        """Puts the weights of these tables into the network; stage, tuple and range say where."""
        _, n_stages, n_tables = self._spec()
        numbers = {}
        for number in range(n_tables):
            about = self._about(number)
            numbers[about.tuple, about.range] = (number, (about.n_digits,) * about.n_cells)
        prepared = []
        for table in tables:
            if (table.tuple, table.range) not in numbers or not 0 <= table.stage < n_stages:
                raise ValueError(f"stage {table.stage}, tuple {table.tuple}, range {table.range} is not in the network")
            number, shape = numbers[table.tuple, table.range]
            weights = np.asarray(table.weights)
            if weights.dtype not in (np.float32, np.float64):
                raise TypeError(f"weights of {weights.dtype}; expected float32 or float64")
            if weights.shape != shape:
                raise ValueError(f"tuple {table.tuple}: weights of shape {weights.shape}; expected {shape}")
            if not np.isfinite(weights).all():
                raise ValueError(f"tuple {table.tuple}: a weight is not finite")
            prepared.append((table.stage, number, np.ascontiguousarray(weights, np.float32)))
        for stage, number, weights in prepared:
            check_status(lib.as_network_set_weights(self._open(), stage, number, ffi.from_buffer("float[]", weights)))

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes a network with form="weights" to a file that every afterstate command reads."""
        check_status(lib.as_network_save(self._open(), as_path(path)))

    def arrays(self) -> Dict[str, np.ndarray]:
        """The weights of the network's file as named arrays, n-tuple or neural; as `afterstate net export`."""
        if self.path is None:
            raise ValueError("this network has no file: use tables()")
        with tempfile.TemporaryDirectory() as folder:
            npz = os.path.join(folder, "weights.npz")
            export_npz(self.path, npz)
            with np.load(npz) as arrays:
                return {name: arrays[name] for name in arrays.files}

    # ---- life

    def _open(self) -> Any:
        if self._handle is None:
            raise ValueError("the network is closed")
        return self._handle

    def close(self) -> None:
        """Lets go of the weights; searches over the network keep them as long as they live."""
        self._handle = None

    def __enter__(self) -> "Network":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<afterstate.Network {self.grid} {self.path or 'in memory'}>"


def export_npz(network: Union[str, os.PathLike], npz: Union[str, os.PathLike]) -> None:
    """Writes the weights of a network file as NumPy's .npz, as `afterstate net export`."""
    check_status(lib.as_network_export(as_path(network), as_path(npz)))


def import_npz(
    npz: Union[str, os.PathLike], like: Union[str, os.PathLike], network: Union[str, os.PathLike]
) -> None:
    """Writes a network file with the weights of `npz` and all else of `like`, as `afterstate net import --like`."""
    check_status(lib.as_network_import(as_path(npz), as_path(like), as_path(network)))


# ---- search ---------------------------------------------------------------------------------------------------------


def _structured(name: str, fields: Dict[str, Any]) -> np.dtype:
    """The NumPy dtype of a C struct, from its own offsets."""
    of = dict(ffi.typeof(name).fields)
    return np.dtype(
        {
            "names": list(fields),
            "formats": list(fields.values()),
            "offsets": [of[field].offset for field in fields],
            "itemsize": ffi.sizeof(name),
        }
    )


_RESULT = _structured(
    "struct as_search_result",
    {
        "best": np.uint32,
        "legal": np.uint32,
        "value": (np.float32, 4),
        "depth": (np.uint32, 4),
        "reward": (np.uint32, 4),
        "order": (np.uint32, 4),
    },
)


@dataclasses.dataclass(frozen=True)
class SearchResult:
    """What a search found for boards of shape (..): arrays of shape (..) and (.., 4), directions as everywhere."""

    best: np.ndarray  # int64; -1 where no direction is legal
    values: np.ndarray  # float32: expected points from here on, the move's own included; NaN where illegal
    depth: np.ndarray  # plies searched for each value
    rewards: np.ndarray  # points of the move itself
    legal: np.ndarray  # bool


class Search:
    """Expectimax over a network. `depth` plies are that many moves with all new tiles between them.

    milliseconds: time for each board, deeper and deeper until it is over (depth may then be 0). prune, margin and
    downgrade leave out what hardly matters (docs/GUIDE.md); 0 is exact. Boards met before are remembered in
    `table_bytes`. Ctrl-C interrupts. One thread at a time uses a search; others wait.
    """

    def __init__(
        self,
        network: Network,
        depth: int = 3,
        milliseconds: float = 0.0,
        prune: float = 0.0,
        margin: float = 0.0,
        downgrade: Optional[int] = None,
        table_bytes: int = 64 << 20,
        threads: int = 1,
    ):
        if not isinstance(network, Network):
            raise TypeError(f"expected an afterstate.Network, not {type(network).__name__}")
        depth = _core.as_integer("depth", depth, 0, lib.AS_MAX_DEPTH)
        table_bytes = _core.as_integer("table_bytes", table_bytes, 0, 1 << 48)
        threads = _core.as_integer("threads", threads, 0, 1024)
        downgrade = network.downgrade if downgrade is None else downgrade
        downgrade = _core.as_integer("downgrade", downgrade, 0, _core.MAX_VALUE)
        settings = ffi.new("struct as_search_settings *")
        settings.size = ffi.sizeof("struct as_search_settings")
        settings.depth, settings.milliseconds, settings.threads = depth, float(milliseconds), threads
        settings.prune, settings.margin, settings.downgrade = float(prune), float(margin), downgrade
        settings.table_bytes = table_bytes if depth != 1 else 0
        out = ffi.new("struct as_search **")
        check_status(lib.as_search_create(out, network._open(), settings))
        self._handle: Any = _core.owned(out[0], lib.as_search_free, network._open())
        self.grid = network.grid
        self._is_short = depth == 1 and not milliseconds
        self._lock = threading.Lock()
        self._helper: Optional[concurrent.futures.ThreadPoolExecutor] = None

    def search(self, boards: np.ndarray) -> SearchResult:
        """Values of all moves of boards (.., rows, cols)."""
        boards = as_boards(boards, self.grid)
        found = np.empty(boards.shape[:-2], _RESULT)
        flat, results = boards.reshape(-1, *self.grid.shape), found.reshape(-1)
        with self._lock:
            if self._handle is None:
                raise ValueError("the search is closed")
            if self._is_short or threading.current_thread() is not threading.main_thread():
                for first in range(0, len(flat), _CHUNK):
                    self._run(flat[first : first + _CHUNK], results[first : first + _CHUNK])
            else:
                self._run_interruptibly(flat, results)
        best = found["best"].astype(np.int64)
        best[best == lib.AS_DIRECTIONS] = -1
        legal = (found["legal"][..., None] >> np.arange(4, dtype=np.uint32) & 1).astype(bool)
        return SearchResult(best, found["value"].copy(), found["depth"].copy(), found["reward"].astype(np.int64), legal)

    def best(self, boards: np.ndarray) -> np.ndarray:
        """The best direction of each board, int64; -1 where none is legal."""
        return self.search(boards).best

    __call__ = best

    def _run(self, boards: np.ndarray, results: np.ndarray) -> None:
        if len(boards):
            to = ffi.cast("struct as_search_result *", ffi.from_buffer(results, require_writable=True))
            check_status(lib.as_search_many(self._handle, u8(boards), len(boards), to))

    def _run_interruptibly(self, boards: np.ndarray, results: np.ndarray) -> None:
        """Searches on another thread, while this one waits for it or for Ctrl-C."""
        if self._helper is None:
            self._helper = concurrent.futures.ThreadPoolExecutor(1, "afterstate-search")
        future = self._helper.submit(self._run, boards, results)
        try:
            future.result()
        except KeyboardInterrupt:
            lib.as_search_cancel(self._handle)
            while not future.done():
                try:
                    concurrent.futures.wait([future])
                except KeyboardInterrupt:
                    pass  # it is ending
            lib.as_search_resume(self._handle)
            raise

    def close(self) -> None:
        """Frees the working memory."""
        with self._lock:
            if self._helper is not None:
                self._helper.shutdown()
            self._helper = self._handle = None

    def __enter__(self) -> "Search":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
