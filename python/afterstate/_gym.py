"""Gymnasium's base classes and spaces where it is installed, and small ones of the same behaviour where it is not."""

from __future__ import annotations

import enum
from typing import Any, Optional, Sequence

import numpy as np

try:  # pragma: no cover - depends on the machine
    import gymnasium
    from gymnasium import Env as EnvBase
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector import VectorEnv as VectorEnvBase

    try:
        from gymnasium.vector import AutoresetMode
    except ImportError:  # before 1.1
        AutoresetMode = None  # type: ignore
    HAS_GYMNASIUM = True
except ImportError:
    gymnasium = None  # type: ignore
    AutoresetMode = None  # type: ignore
    HAS_GYMNASIUM = False

if AutoresetMode is None:

    class AutoresetMode(enum.Enum):  # type: ignore  # noqa: F811
        """What happens to a game that has ended, with Gymnasium's names and values."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


if not HAS_GYMNASIUM:

    class EnvBase:  # type: ignore
        """The part of gymnasium.Env that is used here."""

        metadata: dict = {"render_modes": []}
        render_mode: Optional[str] = None
        spec = None

        @property
        def unwrapped(self) -> Any:
            return self

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: Any) -> bool:
            self.close()
            return False

        def close(self) -> None:
            pass

    class VectorEnvBase(EnvBase):  # type: ignore
        """The part of gymnasium.vector.VectorEnv that is used here."""

        num_envs: int
        closed = False

    class Space:
        """A set of arrays of one shape and type, with a generator to draw from it."""

        def __init__(self, shape: Sequence[int], dtype: Any, seed: Optional[int] = None):
            self.shape, self.dtype = tuple(shape), np.dtype(dtype)
            self._random = np.random.default_rng(seed)

        def seed(self, seed: Optional[int] = None) -> None:
            self._random = np.random.default_rng(seed)

        def __contains__(self, x: Any) -> bool:
            return self.contains(x)

        def contains(self, x: Any) -> bool:
            raise NotImplementedError

    class Box(Space):  # type: ignore
        """Arrays with values from low to high, both included."""

        def __init__(self, low: Any, high: Any, shape: Sequence[int], dtype: Any, seed: Optional[int] = None):
            super().__init__(shape, dtype, seed)
            self.low = np.full(self.shape, low, self.dtype)
            self.high = np.full(self.shape, high, self.dtype)

        def sample(self) -> np.ndarray:
            return self._random.integers(self.low, self.high, endpoint=True).astype(self.dtype)

        def contains(self, x: Any) -> bool:
            is_array = isinstance(x, np.ndarray) and x.shape == self.shape and np.can_cast(x.dtype, self.dtype)
            return bool(is_array and (x >= self.low).all() and (x <= self.high).all())

    class Discrete(Space):  # type: ignore
        """0 .. n-1."""

        def __init__(self, n: int, seed: Optional[int] = None):
            super().__init__((), np.int64, seed)
            self.n = np.int64(n)

        def sample(self, mask: Optional[np.ndarray] = None) -> np.int64:
            if mask is None:
                return np.int64(self._random.integers(self.n))
            legal = np.flatnonzero(mask)
            return np.int64(self._random.choice(legal)) if len(legal) else np.int64(0)

        def contains(self, x: Any) -> bool:
            is_integer = isinstance(x, (int, np.integer)) and not isinstance(x, bool)
            return bool(is_integer and 0 <= int(x) < self.n)

    class MultiDiscrete(Space):  # type: ignore
        """Arrays whose number i is in 0 .. nvec[i]-1."""

        def __init__(self, nvec: Any, dtype: Any = np.int64, seed: Optional[int] = None):
            self.nvec = np.asarray(nvec, dtype)
            super().__init__(self.nvec.shape, dtype, seed)

        def sample(self) -> np.ndarray:
            return self._random.integers(0, self.nvec).astype(self.dtype)

        def contains(self, x: Any) -> bool:
            is_array = isinstance(x, np.ndarray) and x.shape == self.shape and x.dtype.kind in "iu"
            return bool(is_array and (x >= 0).all() and (x < self.nvec).all())
