"""How fast: environment steps and values, each beside the C loop alone, in processor time of one core.

    python3 examples/speed.py

Processor time, because another program may be using the machine. The C loops run in the same process right after.
"""

import time

import numpy as np

import afterstate as af


def timed(function):
    start = time.process_time()
    function()
    return time.process_time() - start


def best_of(n, function):
    return min(timed(function) for _ in range(n))


def main(num_envs=4096, n_steps=500):
    env = af.VectorEnv(num_envs, seed=1, copy=False)
    env.reset()
    env.play_random(200)  # boards as they are in the middle of games

    def steps():
        for _ in range(n_steps):
            env.step(env.sample())

    by_python = best_of(3, steps)
    by_c = best_of(3, lambda: env.play_random(n_steps))
    total = num_envs * n_steps
    figures = {"steps_per_second": total / by_python, "c_moves_per_second": total / by_c}
    print(f"environment steps, n = {num_envs}: {figures['steps_per_second'] / 1e6:.1f} million a second and core")
    print(f"random play in C alone:       {figures['c_moves_per_second'] / 1e6:.1f} million moves a second and core")

    network = af.Network.create([[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9]])
    boards = np.concatenate([env.step(env.sample())[0].copy() for _ in range(16)])
    one_call = best_of(5, lambda: network.values(boards))
    figures["values_per_second"] = len(boards) / one_call
    print(f"values of two 6-tuples, {len(boards)} boards a call: {figures['values_per_second'] / 1e6:.1f} million a second")
    return figures


if __name__ == "__main__":
    main()
