"""Random and greedy play: how many points do 200 games of each bring?

    python3 examples/play.py
"""

import numpy as np

import afterstate as af


def play(policy, n_games=200, seed=1):
    """The scores of n_games games: game i is game number i of the seed, with the same spawns for every player."""
    env = af.VectorEnv(n_games, seed=seed, autoreset_mode="DISABLED")
    boards, info = env.reset()
    over = np.zeros(n_games, bool)
    while not over.all():
        boards, _, over, _, info = env.step(policy(boards, info["action_mask"]))
    return info["score"]


def uniform(boards, legal, random=np.random.default_rng(1)):
    return (random.random(legal.shape) * legal).argmax(-1)


def greedy(boards, legal):
    """The largest reward; among equal ones the afterstate with the most empty cells."""
    after, rewards, _ = af.moves(boards)
    empty = (after == 0).sum((-1, -2))
    return np.where(legal, 100 * rewards + empty, -1).argmax(-1)


def main():
    means = {}
    for policy in (uniform, greedy):
        scores = play(policy)
        means[policy.__name__] = scores.mean()
        error = 1.96 * scores.std() / np.sqrt(len(scores))
        print(f"{policy.__name__:8s} {scores.mean():7.0f} ± {error:.0f} points (95% interval of the mean), "
              f"largest {scores.max()}")
    return means


if __name__ == "__main__":
    main()
