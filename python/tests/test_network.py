"""Networks, their weights, search."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import afterstate as af
import afterstate._core

from conftest import random_boards


def images(board):
    """All images of a board, eight on square ones; of the others the four that keep its shape."""
    turns = (0, 1, 2, 3) if board.shape[0] == board.shape[1] else (0, 2)
    return [np.rot90(image, k) for image in (board, board[:, ::-1]) for k in turns]


def plain_value(tables, board):
    """The value of a board as the tables say it, in the plainest way."""
    return sum(t.weights[tuple(t.digit[image.reshape(-1)[t.cells]])] for t in tables for image in images(board))


def test_tables_mean_what_the_values_are(network):
    tables = af.Network(network.path, form="weights").tables()
    boards = random_boards(50, (2, 3), largest=12)
    expected = [plain_value(tables, board) for board in boards]
    for form in ("compact", "fast", "weights"):
        assert np.allclose(af.Network(network.path, form).values(boards), expected, atol=1e-3)


def test_split_encoding_and_stages():
    random = np.random.default_rng(2)
    network = af.Network.create([[0, 1, 4, 5], [2, 3]], encoding="1-4 5-17", stages="0 1024")
    tables = network.tables()
    assert len(tables) == 8 and {t.stage for t in tables} == {0, 1} and network.stages == "0 1024"
    tables = [t._replace(weights=random.normal(size=t.weights.shape).astype(np.float32)) for t in tables]
    network.set_tables(tables)
    for board in random_boards(50, largest=11):
        stage = int(board.max() >= 10)
        expected = plain_value([t for t in tables if t.stage == stage], board)
        assert abs(network.values(board) - expected) < 1e-4
    back = af.Network.from_tables(network.tables(), encoding=network.encoding, stages=network.stages)
    assert all(np.array_equal(a.weights, b.weights) for a, b in zip(back.tables(), tables))


def test_a_trip_through_files(network, program, tmp_path):
    arrays = network.arrays()
    assert arrays["tuple0.cells"].tolist() == [0, 1, 2] and arrays["stage0.tuple1.range0"].shape == (8,) * 4
    program("net", "export", network.path, tmp_path / "by-program.npz")
    with np.load(tmp_path / "by-program.npz") as other:
        assert all(np.array_equal(arrays[name], other[name]) for name in other.files)
    changed = {name: 2 * array if "stage" in name else array for name, array in arrays.items()}
    np.savez_compressed(tmp_path / "changed.npz", **changed)
    af.import_npz(tmp_path / "changed.npz", network.path, tmp_path / "changed.net")
    boards = random_boards(100, (2, 3))
    assert np.allclose(af.Network(tmp_path / "changed.net").values(boards), 2 * network.values(boards), atol=1e-3)
    np.savez(tmp_path / "other.npz", **{"stage0.tuple0.range0": np.zeros(5, np.float32)})
    with pytest.raises(af.InvalidError, match="other.npz"):
        af.import_npz(tmp_path / "other.npz", network.path, tmp_path / "never.net")
    assert not (tmp_path / "never.net").exists()


def test_values_in_any_shape(network):
    boards = random_boards(60, (2, 3)).reshape(3, 20, 2, 3)
    values = network.values(boards)
    assert values.shape == (3, 20) and values.dtype == np.float32
    assert np.array_equal(network.values(boards[1, 3]), values[1, 3])
    assert network.values(boards[:0]).shape == (0, 20)


def test_search_of_one_ply_is_greedy(network):
    boards = random_boards(300, (2, 3), seed=4)
    found = af.Search(network, depth=1).search(boards)
    assert np.array_equal(found.best, network.greedy(boards))
    after, rewards, legal = af.moves(boards)
    assert np.array_equal(found.legal, legal)
    assert np.allclose(found.values[legal], (rewards + network.values(after))[legal], atol=1e-3)
    assert np.isnan(found.values[~legal]).all() and (found.depth[legal] == 1).all()


def expectimax(network, board, depth):
    """The values of all moves of a board, in the plainest way."""
    after, rewards, legal = af.moves(board)
    values = np.full(4, np.nan)
    for d in np.flatnonzero(legal):
        if depth == 1:
            values[d] = rewards[d] + network.values(after[d])
            continue
        empty = np.argwhere(after[d] == 0)
        total = 0.0
        for row, col in empty:
            for value, chance in ((1, 0.9), (2, 0.1)):
                child = after[d].copy()
                child[row, col] = value
                best = expectimax(network, child, depth - 1)
                total += chance * (0 if np.isnan(best).all() else np.nanmax(best))
        values[d] = rewards[d] + total / len(empty)
    return values


def test_deeper_searches_are_expectimax(network):
    boards = random_boards(6, (2, 3), seed=5, largest=4)
    search = af.Search(network, depth=2)
    found = search.search(boards)
    for board, values in zip(boards, found.values):
        assert np.allclose(values, expectimax(network, board, 2), atol=1e-2, equal_nan=True)
    over = np.array([[1, 2, 1], [2, 1, 2]], np.uint8)
    assert search.best(over) == -1 and search(boards[:0]).shape == (0,)


def test_network_may_be_closed_before_its_search(network):
    own = af.Network(network.path)
    search = af.Search(own, depth=2)
    own.close()
    search.best(random_boards(5, (2, 3)))
    with pytest.raises(ValueError, match="closed"):
        own.values(random_boards(1, (2, 3)))
    search.close()
    with pytest.raises(ValueError, match="closed"):
        search.best(random_boards(1, (2, 3)))


def interrupt_soon():
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_interrupts_a_search(network):
    search = af.Search(network, depth=8, milliseconds=600_000, table_bytes=1 << 20)
    boards = np.zeros((1000, 2, 3), np.uint8)
    boards[:, 0, 0] = boards[:, 1, 1] = 1
    interrupt_soon()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            search.best(boards)
    assert time.monotonic() - start < 60
    assert af.Search(network, depth=1).best(boards[0]) in range(4)
    assert search._handle is not None and af.Search(network, depth=2).best(boards[0]) in range(4)


def test_bundled_network_plays():
    if af._core.find_data("nets/default.net") is None:
        pytest.skip("the bundled network is not here")
    network = af.Network.bundled()
    game = af.Game.play(af.Search(network, depth=1), seed=1, max_moves=300)
    assert len(game) == 300 and game.boards[-1].max() >= 8


def test_missing_files(tmp_path):
    with pytest.raises(OSError, match="nothing.net"):
        af.Network(tmp_path / "nothing.net")
    (tmp_path / "junk.net").write_bytes(b"junk" * 100)
    with pytest.raises(af.CorruptError):
        af.Network(tmp_path / "junk.net")
