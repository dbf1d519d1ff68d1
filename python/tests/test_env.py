"""Environments."""

import resource
import threading

import numpy as np
import pytest

import afterstate as af


def test_shapes_and_spaces():
    env = af.VectorEnv(8, board="2x5", seed=3)
    shown, info = env.reset()
    assert shown.shape == (8, 2, 5) and shown.dtype == np.uint8 and shown in env.observation_space
    assert info["action_mask"].shape == (8, 4) and info["action_mask"].dtype == np.bool_
    assert env.action_space.shape == (8,) and env.action_space.sample() in env.action_space
    assert env.single_action_space.n == 4 and env.num_envs == 8
    assert env.metadata["autoreset_mode"] is af.AutoresetMode.NEXT_STEP
    shown, reward, terminated, truncated, info = env.step(env.sample())
    assert reward.dtype == np.float64 and terminated.dtype == truncated.dtype == np.bool_
    assert (reward >= 0).all() and not truncated.any()


def test_the_same_games_as_the_program(program, tmp_path):
    record = tmp_path / "games.rec"
    program("play", "--net", "simple", "--depth", 1, "--games", 5, "--seed", 11, "--record", record, "--quiet")
    games = af.load_games(record)
    assert sorted(game.index for game in games) == list(range(5))
    for autoreset in ("NEXT_STEP", "SAME_STEP"):
        env = af.VectorEnv(5, seed=11, autoreset_mode=autoreset)
        env.reset()
        games = sorted(games, key=lambda game: game.index)
        shortest = min(map(len, games))
        for k in range(shortest - 1):
            shown, reward, terminated, _, info = env.step(np.array([game.directions[k] for game in games]))
            for i, game in enumerate(games):
                assert np.array_equal(shown[i], game.boards[k + 1]) and reward[i] == game.rewards[k]
        assert info["score"].tolist() == [int(game.rewards[: shortest - 1].sum()) for game in games]
    for game in games:
        replay = iter(game.directions)
        again = af.Game.play(lambda _: next(replay), seed=11, index=game.index)
        assert np.array_equal(again.boards, game.boards) and again.score == game.score


def play_to_the_end(env):
    """Steps until a game has ended; what that step returned, and which game."""
    env.reset(seed=1)
    while True:
        before = env.seeds[1].copy()
        result = env.step(env.sample())
        if result[2].any():
            return before, int(np.flatnonzero(result[2])[0]), result


def test_next_step():
    env = af.VectorEnv(4, board="3x3")
    before, i, (shown, _, _, _, info) = play_to_the_end(env)
    assert not info["action_mask"][i].any() and env.seeds[1][i] == before[i]
    shown, reward, terminated, _, info = env.step(np.zeros(4, int))
    assert reward[i] == 0 and not terminated[i] and info["moves"][i] == 0 and (shown[i] > 0).sum() == 2
    assert env.seeds[1][i] == before[i] + 4


def test_same_step():
    env = af.VectorEnv(4, board="3x3", autoreset_mode=af.AutoresetMode.SAME_STEP)
    before, i, (shown, _, _, _, info) = play_to_the_end(env)
    assert (shown[i] > 0).sum() == 2 and info["moves"][i] == 0 and env.seeds[1][i] == before[i] + 4
    assert info["_final_obs"][i] and not af.legal_moves(info["final_obs"][i]).any()
    assert info["final_info"]["score"][i] > 0


def test_disabled():
    env = af.VectorEnv(4, board="3x3", autoreset_mode="DISABLED")
    _, i, (shown, *_) = play_to_the_end(env)
    last = shown[i].copy()
    shown, reward, terminated, _, info = env.step(env.sample())
    assert np.array_equal(shown[i], last) and reward[i] == 0 and terminated[i] and not info["illegal"][i]
    mask = np.arange(4) == i
    fresh, _ = env.reset(options={"reset_mask": mask})
    assert (fresh[i] > 0).sum() == 2 and np.array_equal(fresh[~mask], shown[~mask])


def test_seeds():
    env = af.VectorEnv(3, seed=5)
    first, _ = env.reset()
    assert np.array_equal(af.VectorEnv(3, seed=5).reset()[0], first)
    again, _ = env.reset(seed=5)
    assert np.array_equal(again, first)
    following, _ = env.reset()
    assert env.seeds[1].tolist() == [3, 4, 5] and not np.array_equal(following, first)
    each, _ = env.reset(seed=[7, 8, 7])
    assert np.array_equal(each[0], each[2]) and env.seeds[0].tolist() == [7, 8, 7]
    assert not np.array_equal(af.VectorEnv(64).reset()[0], af.VectorEnv(64).reset()[0])
    one = af.Env(seed=5)
    assert np.array_equal(one.reset()[0], first[0])


def test_illegal_changes_nothing():
    env = af.Env(seed=1)
    shown, info = env.reset(options={"board": af.parse("1200000000000000")})
    after, reward, terminated, truncated, info = env.step(af.UP)
    assert np.array_equal(after, shown) and reward == 0 and info["illegal"] and not terminated
    _, _, legal = env.afterstates()
    assert np.array_equal(legal, info["action_mask"])
    after, reward, terminated, truncated, info = env.step(np.int64(af.RIGHT))
    assert not info["illegal"] and info["moves"] == 1


def test_copy_false_reuses_arrays():
    env = af.VectorEnv(4, seed=1, copy=False)
    first, _ = env.reset()
    second, *_ = env.step(env.sample())
    assert np.shares_memory(first, second)
    with pytest.raises(ValueError):
        second.resize(1, refcheck=False)
    second[...] = 99  # the caller's view: the games are elsewhere
    third, *_ = env.step(env.sample())
    assert third.max() < 17
    env = af.VectorEnv(4, seed=1)
    first, _ = env.reset()
    assert not np.shares_memory(first, env.step(env.sample())[0])


def test_render():
    env = af.Env(seed=1, render_mode="ansi")
    env.reset(options={"board": af.parse("120000000000000b")})
    assert env.render() == "   2    4    .    .\n" + "   .    .    .    .\n" * 2 + "   .    .    . 2048\n"
    pictures = af.VectorEnv(2, board="2x5", seed=1, render_mode="rgb_array").render()
    assert len(pictures) == 2 and pictures[0].shape == (108, 264, 3) and pictures[0].dtype == np.uint8
    everything = np.arange(16, dtype=np.uint8).reshape(4, 4) + 2
    env = af.Env(render_mode="rgb_array")
    env.reset(options={"board": everything})
    assert len(np.unique(env.render().reshape(-1, 3), axis=0)) > 16
    assert af.Env().render() is None


def test_actions_of_every_integer_type():
    for kind in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
        env = af.VectorEnv(5, seed=2)
        env.reset()
        shown = env.step(np.array([0, 1, 2, 3, 0], kind))[0]
        if kind is np.int8:
            expected = shown
        assert np.array_equal(shown, expected)
    with pytest.raises(af.UsageError):
        env.step(np.array([0, 1, 2, 4, 0]))
    with pytest.raises(af.UsageError):
        env.step(np.full(5, 255, np.uint8))


def test_threads_may_share():
    env = af.VectorEnv(64, seed=1)
    env.reset()
    failures = []

    def work():
        try:
            for _ in range(200):
                env.step(env.sample())
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_memory_is_stable():
    """The largest resident size does not grow over a million steps, once everything has been touched."""
    env = af.VectorEnv(4096, seed=1)
    env.reset()
    for _ in range(30):
        env.step(env.sample())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(250):
        env.step(env.sample())
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 8192  # KiB


def test_closed():
    env = af.VectorEnv(2, seed=1)
    env.close()
    env.close()
    for call in (env.reset, env.sample, lambda: env.step([0, 0]), lambda: env.seeds, env.afterstates):
        with pytest.raises(ValueError, match="closed"):
            call()
    with af.Env() as one:
        one.reset()
    with pytest.raises(ValueError, match="closed"):
        one.step(0)
