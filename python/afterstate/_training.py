"""Training runs: a directory with a recipe, a log, a checkpoint and a network."""

from __future__ import annotations

import csv
import math
import os
import pathlib
import re
import sys
import threading
import time
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np

from . import _core
from ._core import as_path, check_status, ffi, lib
from ._network import Network

Progress = Union[bool, Callable[[int, int, Optional[str]], Any]]
_UNITS = {"": 1, "ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_ENDS = {lib.AS_TRAINING_DONE: "done", lib.AS_TRAINING_BUDGET: "budget", lib.AS_TRAINING_STOPPED: "stopped"}


def _seconds(budget: Union[str, float, int, None]) -> float:
    """Seconds of "90s", "5m", 60 or None (0: no limit)."""
    if budget is None:
        return 0.0
    if isinstance(budget, str):
        match = re.fullmatch(r"\s*([0-9.]+(?:[eE][+-]?\d+)?)\s*(ms|s|m|h|d|)\s*", budget)
        if not match:
            raise ValueError(f"budget {budget!r}: expected a duration such as '90s', '30m' or '5h'")
        budget = float(match[1]) * _UNITS[match[2]]
    if isinstance(budget, bool) or not isinstance(budget, (int, float, np.integer, np.floating)):
        raise TypeError(f"budget {budget!r}: expected seconds, or a text such as '60s'")
    if not (math.isfinite(budget) and budget > 0):
        raise ValueError(f"budget {budget}: expected a positive number of seconds")
    return float(budget)


def _find_recipe(name: Any) -> Any:
    """A recipe that comes with afterstate, by its file name alone or with folders before it."""
    folder = _core.find_data("recipes")
    base = os.path.basename(str(name))
    found = sorted(folder.glob("**/" + base)) if folder and re.fullmatch(r"[\w.-]+\.ini", base) else []
    return found[0] if found else name


class _Session:
    """One call of advance(): what C calls back."""

    def __init__(self, progress: Progress):
        self.progress = progress
        self.shown = 0.0

    def report(self, actions: int, planned: int, message: Optional[str]) -> bool:
        """Whether to stop."""
        if callable(self.progress):
            return self.progress(actions, planned, message) is False
        now = time.monotonic()
        if self.progress and (message is not None or now - self.shown >= 1):
            line = message or f"{actions:,} of {planned:,} actions"
            self.shown = now
            is_terminal = sys.stderr.isatty()
            end = "\n" if message or not is_terminal else ""
            if message or is_terminal:
                print(("\r\033[K" if is_terminal else "") + line, end=end, file=sys.stderr, flush=True)
        return False


@ffi.def_extern(error=1, onerror=_core.on_error)
def afterstate_on_training(context: Any, actions: int, planned: int, message: Any) -> int:
    text = None if message == ffi.NULL else ffi.string(message).decode("utf-8", "replace")
    return 1 if ffi.from_handle(context).report(actions, planned, text) else 0


class Run:
    """A run directory, of this package or of `afterstate train`."""

    def __init__(self, directory: Union[str, os.PathLike]):
        self.directory = pathlib.Path(directory)
        self.state: dict = {}  # after advance(): end, actions, planned_actions, games, seconds, moves_per_second
        self._handle: Any = None
        self._lock = threading.Lock()

    @property
    def log(self) -> np.ndarray:
        """log.csv as a structured array: one row for each measurement, NaN where nothing was measured."""
        with open(self.directory / "log.csv", newline="") as file:
            rows = list(csv.reader(file))
        names = rows[0]
        data = np.zeros(len(rows) - 1, [(name, np.float64) for name in names])
        for i, row in enumerate(rows[1:]):
            data[i] = tuple(float(field) if field else np.nan for field in row)
        return data

    @property
    def recipe(self) -> str:
        """The resolved recipe."""
        return (self.directory / "recipe.ini").read_text()

    def network(self, form: str = "compact") -> Network:
        """The network as it was saved last."""
        return Network(self.directory / "network.net", form)

    def _open(self, recipe: Optional[bytes], settings: Optional[Mapping[str, Any]]) -> None:
        about = ffi.new("struct as_training_settings *")
        about.size = ffi.sizeof("struct as_training_settings")
        texts = [f"{key}={value}".encode() for key, value in (settings or {}).items()]
        keep = [ffi.new("char[]", text) for text in texts]
        overrides = ffi.new("char *[]", keep) if keep else ffi.NULL
        directory = ffi.new("char[]", as_path(self.directory))
        name = ffi.new("char[]", recipe) if recipe is not None else ffi.NULL
        about.directory, about.recipe, about.overrides = directory, name, ffi.cast("char const *const *", overrides)
        about.n_overrides = len(texts)
        out = ffi.new("struct as_training **")
        check_status(lib.as_training_open(out, about))
        self._handle = ffi.gc(out[0], lib.as_training_free)

    def advance(self, budget: Union[str, float, None] = None, progress: Progress = False) -> "Run":
        """Learns for `budget` ("60s", "5m", seconds; None: to the end of the recipe) and saves.

        progress: True shows lines on stderr; a function gets (actions, planned actions, message or None) some twenty
        times a second and stops the run by returning False. Ctrl-C stops it too: everything is saved, then
        KeyboardInterrupt is raised.
        """
        seconds = _seconds(budget)
        with self._lock:
            if self._handle is None:
                self._open(None, None)
            session = _Session(progress)
            context = ffi.new_handle(session)
            state = ffi.new("struct as_training_state *")
            status = lib.as_training_advance(self._handle, seconds, lib.afterstate_on_training, context, state)
            if status == lib.AS_OK:
                names = ("actions", "planned_actions", "games", "seconds", "moves_per_second")
                self.state = {"end": _ENDS[state.end], **{name: getattr(state, name) for name in names}}
            _core.raise_kept()
            check_status(status)
        return self

    def close(self) -> None:
        """Frees the weights and unlocks the directory; advance() opens it again."""
        with self._lock:
            self._handle = None

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<afterstate.Run {self.directory}>"


def train(
    recipe: Union[str, os.PathLike, None],
    out: Union[str, os.PathLike],
    budget: Union[str, float, None] = None,
    progress: Progress = False,
    settings: Optional[Mapping[str, Any]] = None,
) -> Run:
    """Learns a network by a recipe into the directory `out`, as `afterstate train`; a run that is there is continued.

    recipe: a path, or the name of one that comes with afterstate ("quick-4x6.ini"); None continues a run.
    settings: values over the recipe's, {"learn.rate": 0.5}. The other arguments are those of Run.advance().
    """
    path: Optional[bytes] = None
    if recipe is not None:
        path = as_path(recipe if os.path.exists(recipe) else _find_recipe(os.fspath(recipe)))
    _seconds(budget)
    run = Run(out)
    run._open(path, settings)
    try:
        return run.advance(budget, progress)
    finally:
        run.close()
