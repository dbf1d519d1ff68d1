"""A linear softmax policy learned by REINFORCE, and its exact score before and after.

    python3 examples/policy_gradient.py

The board is 2x3, small enough to measure the stochastic policy exactly at any time: the expected score of a policy with
probabilities, over all games that can be.
"""

import tempfile

import numpy as np

import afterstate as af

DIRECTIONS = np.arange(4)


def features(boards):
    """(n, 4, k): what each move's afterstate looks like, whether a corner holds the largest tile, how smooth it is."""
    after, rewards, legal = af.moves(boards)
    after = after.astype(float)
    flat = after.reshape(*after.shape[:2], -1)
    empty = (flat == 0).mean(-1)
    corner = (np.maximum(np.maximum(flat[..., 0], flat[..., 2]), np.maximum(flat[..., 3], flat[..., 5])) == flat.max(-1))
    rough = np.abs(np.diff(after, axis=-1)).mean((-1, -2)) + np.abs(np.diff(after, axis=-2)).mean((-1, -2))
    return np.stack([np.log2(rewards + 1.0), empty, corner, rough], -1), legal


def probabilities(weights, boards):
    x, legal = features(boards)
    logits = np.where(legal, x @ weights, -np.inf)
    share = np.exp(logits - logits.max(-1, keepdims=True))
    return share / share.sum(-1, keepdims=True), x


def play(weights, n_games, seed):
    """Games by the policy: the sum of the gradients of each game's moves times what came after them."""
    env = af.VectorEnv(n_games, board="2x3", seed=seed, autoreset_mode="DISABLED")
    random = np.random.default_rng(seed)
    boards, _ = env.reset()
    over = np.zeros(n_games, bool)
    gradients, gains = [], []
    while not over.all():
        share, x = np.zeros((n_games, 4)), np.zeros((n_games, 4, len(weights)))
        share[~over], x[~over] = probabilities(weights, boards[~over])
        action = (share.cumsum(-1) < random.random((n_games, 1))).sum(-1).clip(0, 3)
        action = np.where(share[np.arange(n_games), action] > 0, action, share.argmax(-1))
        chosen = x[np.arange(n_games), action] - (share[..., None] * x).sum(1)
        gradients.append(np.where(over[:, None], 0, chosen))
        boards, reward, over, _, info = env.step(action)
        gains.append(reward)
    to_come = np.cumsum(np.array(gains)[::-1], 0)[::-1]
    baseline = to_come.mean(1, keepdims=True)
    return (np.array(gradients) * (to_come - baseline)[..., None]).sum(0).mean(0), info["score"].mean()


def main(n_updates=60):
    weights = np.zeros(4)
    with tempfile.TemporaryDirectory() as folder:
        table = af.solve("2x3", folder + "/2x3")

        def exact():
            return af.exact(table, lambda boards: probabilities(weights, boards)[0], symmetric=True)

        first = exact()
        for update in range(n_updates):
            gradient, _ = play(weights, 1000, seed=update)
            weights += 0.5 * gradient / np.linalg.norm(gradient)
        last = exact()
    print(f"uniform {first.score:.2f}, learned {last.score:.2f}, optimal {last.optimum:.2f} points, all exact")
    return first, last


if __name__ == "__main__":
    main()
