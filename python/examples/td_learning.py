"""TD(0) learning of a small n-tuple network in NumPy, checked against the exact optimum.

    python3 examples/td_learning.py [TABLES]

The board is 3x3. 512 games are played in step; each move teaches the afterstate before it (Szubert and Jaśkowski 2014):
value(after) moves towards reward + value(next after). The network is then measured exactly, without sampling.
"""

import sys
import tempfile

import numpy as np

import afterstate as af

TUPLES = np.array([[0, 1, 2, 3], [1, 2, 4, 5], [3, 4, 5, 6]])  # cells of a 3x3 board
DIGITS = 11  # values 0 .. 10: a 1024 is out of reach
IMAGES = np.array([np.rot90(b, k).ravel() for b in (np.arange(9).reshape(3, 3), np.arange(9).reshape(3, 3).T)
                   for k in range(4)])
CELLS = IMAGES[:, TUPLES].transpose(1, 0, 2)  # (tuple, image, 4): where each image of each tuple looks


def indices(boards):
    """Where the weights of boards (n, 3, 3) are: (tuple, n, image), flat in each table."""
    digits = np.minimum(boards.reshape(-1, 9), DIGITS - 1)[:, CELLS].astype(np.int64)  # (n, tuple, image, 4)
    return np.einsum("ntik,k->tni", digits, DIGITS ** np.arange(3, -1, -1))


def values(weights, at):
    return sum(weights[t][at[t]].sum(-1) for t in range(len(TUPLES)))


def learn(n_steps, n_games=512, rate=0.5, seed=1):
    weights = np.zeros((len(TUPLES), DIGITS**4))
    env = af.VectorEnv(n_games, board="3x3", seed=seed, autoreset_mode="SAME_STEP")
    boards, _ = env.reset()
    before = None  # indices of the afterstates of the last step
    for _ in range(n_steps):
        after, rewards, legal = af.moves(boards)
        worth = values(weights, indices(after.reshape(-1, 3, 3))).reshape(-1, 4)
        best = np.where(legal, rewards + worth, -np.inf).argmax(-1)
        rows = np.arange(n_games)
        if before is not None:  # every afterstate but those after which the game ended
            error = rewards[rows, best] + worth[rows, best] - values(weights, before)
            error = np.where(fresh, -values(weights, before), error)  # an ended game is worth nothing more
            for t in range(len(TUPLES)):  # games that share a weight move it by their mean
                at = before[t].ravel()
                total = np.bincount(at, np.repeat(error, len(IMAGES)), DIGITS**4)
                weights[t] += rate * total / np.maximum(np.bincount(at, minlength=DIGITS**4), 1) / (len(TUPLES) * len(IMAGES))
        before = indices(after[rows, best])
        boards, _, fresh, _, _ = env.step(best)
    return weights


def main(tables=None, n_steps=4000):
    weights = learn(n_steps)
    network = af.Network.create(TUPLES.tolist(), board="3x3", encoding=f"plain {DIGITS}")
    network.set_tables([t._replace(weights=weights[t.tuple].reshape(t.weights.shape)) for t in network.tables()])
    with tempfile.TemporaryDirectory() as folder:
        table = af.Table(tables) if tables else af.solve("3x3", folder + "/3x3", threads=2)
        result = af.exact(table, network, threads=2)
    print(f"learned {result.score:.1f} of {result.optimum:.1f} points, exactly: {100 * result.score / result.optimum:.1f}%")
    print(f"{100 * result.optimal_moves / result.moves:.1f}% of its moves are optimal")
    return result


if __name__ == "__main__":
    main(*sys.argv[1:2])
