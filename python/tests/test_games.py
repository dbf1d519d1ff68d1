"""Records."""

import numpy as np
import pytest

import afterstate as af


def some_games(n=3, board="3x3"):
    return [af.Game.play(lambda b: af.legal_moves(b)[0].argmax(), board, seed=4, index=i) for i in range(n)]


def test_there_and_back(tmp_path, program):
    games = some_games()
    af.save_games(tmp_path / "games.rec", games, "first legal")
    for game, again in zip(games, af.load_games(tmp_path / "games.rec")):
        for name in ("boards", "directions", "rewards", "spawn_cells", "spawn_values"):
            assert np.array_equal(getattr(game, name), getattr(again, name))
        assert (again.seed, again.index, again.score) == (4, game.index, game.score)
    second = af.Game.load(tmp_path / "games.rec", 1)
    assert len(second) == len(games[1]) and np.array_equal(second.afterstates, games[1].afterstates)
    assert str(second.score) in program("play", "--replay", tmp_path / "games.rec", "--game", 1, "--net", "simple").replace(",", "")
    with pytest.raises(IndexError):
        af.Game.load(tmp_path / "games.rec", 3)


def test_afterstates_are_what_the_moves_make():
    game = some_games(1)[0]
    after, rewards, _ = af.moves(game.boards[:-1])
    chosen = np.arange(len(game))
    assert np.array_equal(after[chosen, game.directions], game.afterstates)
    assert not af.legal_moves(game.boards[-1]).any()


def test_wrong_games_are_refused(tmp_path):
    game = some_games(1)[0]
    wrong = af.Game(game.boards, game.directions.copy(), game.rewards, game.spawn_cells.copy(), game.spawn_values)
    legal = af.legal_moves(game.boards[5])
    wrong.directions[5] = np.flatnonzero(~legal)[0] if not legal.all() else 9
    with pytest.raises(af.InvalidError, match="move 5"):
        wrong.save(tmp_path / "never.rec")
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError):
        af.save_games(tmp_path / "never.rec", [])
    with pytest.raises(ValueError, match="not legal"):
        af.Game.play(lambda b: 7)
    (tmp_path / "junk.rec").write_bytes(bytes(1000))
    with pytest.raises(af.CorruptError):
        af.Game.load(tmp_path / "junk.rec")
    with pytest.raises(OSError):
        af.Game.load(tmp_path / "nothing.rec")
