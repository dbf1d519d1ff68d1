"""The exact score of any policy on a solved board, and where it gives points away.

    python3 examples/measure_exactly.py
"""

import tempfile

import numpy as np

import afterstate as af


def corner(boards):
    """Up if it can, else left, else right, else down: the first advice that every player gets."""
    legal = af.legal_moves(boards)
    return np.select([legal[:, d] for d in (af.UP, af.LEFT, af.RIGHT)], [af.UP, af.LEFT, af.RIGHT], af.DOWN)


def merge_first(boards):
    """The largest reward, evenly among equal ones."""
    _, rewards, legal = af.moves(boards)
    worth = np.where(legal, rewards, -1)
    return legal & (worth == worth.max(-1, keepdims=True))


def main(board="2x3"):
    with tempfile.TemporaryDirectory() as folder:
        table = af.solve(board, folder + "/table")
        results = {
            "random": af.exact(table, "random"),
            "corner": af.exact(table, corner),
            "merge first": af.exact(table, merge_first, symmetric=True),
            "optimal": af.exact(table, "optimal"),
        }
    for name, result in results.items():
        print(f"{name:12s} {result.score:8.3f} points, {100 * result.optimal_moves / result.moves:5.1f}% optimal moves")
    worst = results["corner"].ages[results["corner"].ages["loss"].argmax()]
    print(f"the corner player loses most where the tiles sum to {worst['age']}: {worst['loss']:.3f} points a game")
    return results


if __name__ == "__main__":
    main()
