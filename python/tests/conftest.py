"""What the tests share: the program, a small solved board, a small network."""

import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import afterstate as af

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def find_program():
    named = os.environ.get("AFTERSTATE_PROGRAM")
    for path in [named] if named else [SOURCE / "build" / kind / "afterstate" for kind in ("gcc", "release")]:
        if os.access(path, os.X_OK):
            return str(path)
    return shutil.which("afterstate")


def pytest_collection_modifyitems(items):
    if os.environ.get("AFTERSTATE_LONG_TESTS"):
        return
    for item in items:
        if "long" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="takes minutes: AFTERSTATE_LONG_TESTS=1 runs it"))


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes")


@pytest.fixture(scope="session")
def program():
    """Runs the command-line program and returns what it prints."""
    path = find_program()
    if path is None:
        pytest.skip("the program afterstate is not built")

    def run(*arguments):
        result = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout

    return run


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    """All of 2x3, which is small."""
    return af.solve("2x3", tmp_path_factory.mktemp("tables") / "2x3")


@pytest.fixture(scope="session")
def network(tmp_path_factory):
    """A small network of random weights on 2x3, loaded from its file."""
    random = np.random.default_rng(1)
    made = af.Network.create([[0, 1, 2], [1, 2, 4, 5]], board="2x3", encoding="plain 8")
    made.set_tables([t._replace(weights=random.normal(0, 9, t.weights.shape)) for t in made.tables()])
    path = tmp_path_factory.mktemp("networks") / "small.net"
    made.save(path)
    return af.Network(path)


def random_boards(n, shape=(4, 4), seed=0, largest=8):
    return np.random.default_rng(seed).integers(0, largest + 1, (n,) + shape).astype(np.uint8)
