"""The rules through arrays."""

import numpy as np
import pytest

import afterstate as af
from afterstate._check import read_vectors

from conftest import random_boards

SIZES = [(4, 4), (3, 3), (3, 4), (2, 5), (3, 5), (2, 6)]


@pytest.mark.parametrize("shape", SIZES)
def test_all_rule_vectors(shape):
    rows = read_vectors(shape)
    assert len(rows) == 1744
    boards = np.stack([row[0] for row in rows])
    directions = np.array([row[1] for row in rows])
    after, rewards, legal = af.moves(boards)
    chosen = np.arange(len(rows))
    assert np.array_equal(after[chosen, directions], np.stack([row[2] for row in rows]))
    assert np.array_equal(rewards[chosen, directions], [row[3] for row in rows])
    assert np.array_equal(legal[chosen, directions], [row[4] for row in rows])
    assert np.array_equal(af.legal_moves(boards), legal)


@pytest.mark.parametrize("shape", SIZES)
def test_all_rule_vectors_through_an_environment(shape):
    rows = read_vectors(shape)
    env = af.VectorEnv(len(rows), board=shape, seed=1, autoreset_mode="DISABLED")
    boards = np.stack([row[0] for row in rows])
    shown, info = env.reset(options={"board": boards})
    assert np.array_equal(shown, boards)
    assert np.array_equal(info["action_mask"], af.legal_moves(boards))
    shown, rewards, terminated, truncated, info = env.step(np.array([row[1] for row in rows]))
    after = np.stack([row[2] for row in rows])
    legal = np.array([row[4] for row in rows])
    change = (shown.astype(int) - after).reshape(len(rows), -1)
    assert ((change != 0).sum(-1) == legal).all() and np.isin(change[legal].max(-1), (1, 2)).all()
    assert np.array_equal(rewards, [row[3] for row in rows])
    assert np.array_equal(info["illegal"], ~legal & af.legal_moves(boards).any(-1))
    assert np.array_equal(terminated, ~af.legal_moves(shown).any(-1)) and not truncated.any()


def test_any_leading_shape():
    boards = random_boards(24).reshape(2, 3, 4, 4, 4)
    after, rewards, legal = af.moves(boards)
    assert after.shape == (2, 3, 4, 4, 4, 4) and rewards.shape == legal.shape == (2, 3, 4, 4)
    one = af.moves(boards[1, 2, 3])
    assert np.array_equal(one[0], after[1, 2, 3]) and one[1].shape == (4,)
    nothing = af.moves(np.zeros((0, 4, 4), np.uint8))
    assert nothing[0].shape == (0, 4, 4, 4)
    assert np.array_equal(af.moves(boards[:, ::2])[0], after[:, ::2])


def test_text():
    board = af.parse("2 4 0 8 / 0 0 0 0 / 0 0 0 0 / 0 0 0 131072")
    assert board[0].tolist() == [1, 2, 0, 3] and board[3, 3] == 17
    assert af.digits(board) == "120300000000000h"
    assert np.array_equal(af.parse(af.digits(board)), board)
    assert np.array_equal(af.from_faces(af.faces(board)), board)
    assert af.parse("1200000000", "2x5").shape == (2, 5)
    for text, error in (("12", ValueError), ("x" * 16, af.InvalidError), (5, TypeError)):
        with pytest.raises(error):
            af.parse(text)
    with pytest.raises(af.InvalidError):
        af.from_faces([[3]])


def test_canonical_is_the_same_for_all_images():
    boards = random_boards(200, largest=17)
    expected = af.canonical(boards)
    for k in range(4):
        turned = np.rot90(boards, k, axes=(1, 2))
        assert np.array_equal(af.canonical(turned), expected)
        assert np.array_equal(af.canonical(turned.transpose(0, 2, 1)), expected)


def test_spawns():
    random = af.Random(3)
    after = np.zeros((20000, 3, 3), np.uint8)
    after[:, 1, 1] = 5
    boards = af.spawn(after, random)
    new = (boards - after).reshape(-1, 9)
    assert ((new > 0).sum(-1) == 1).all() and not new[:, 4].any()
    assert abs((new == 2).sum() / 20000 - 0.1) < 0.012
    assert (np.abs((new > 0).sum(0)[[0, 1, 2, 3, 5, 6, 7, 8]] - 2500) < 250).all()
    with pytest.raises(af.InvalidError):
        af.spawn(np.ones((3, 3), np.uint8), random)
    assert [af.Random(1).below(10) for _ in range(3)] == [af.Random(1).below(10)] * 3
