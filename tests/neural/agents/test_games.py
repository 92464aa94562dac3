"""Games behind one protocol: the emulators', where they are installed."""

import numpy as np
import pytest

from predinet_prolog.neural.agents.games import Games, agent_config, open_games
from predinet_prolog.neural.errors import NeuralError

COUNT = 2


@pytest.fixture(params=["minatar/breakout", "minatar/freeway", "atari/pong"])
def games(request: pytest.FixtureRequest) -> Games:
    family = request.param.partition("/")[0]
    pytest.importorskip({"minatar": "minatar", "atari": "ale_py.vector_env"}[family], reason="needs the extra `atari`")
    return open_games(request.param, COUNT)


def test_a_game_is_as_it_says_and_the_same_seed_is_the_same_game(games: Games) -> None:
    def play() -> list[np.ndarray]:
        seen = [games.reset(7)]
        for t in range(25):
            step = games.step(np.array([t % games.actions, (t * t) % games.actions]))
            assert step.rewards.shape == step.ended.shape == (COUNT,)
            assert (step.rewards.dtype, step.ended.dtype) == (np.float32, bool)
            seen.append(step.frames)
        return seen

    first = play()
    assert {each.shape for each in first} == {(COUNT, *games.shape)}
    assert {each.dtype for each in first} == {np.dtype(np.uint8)}
    assert all(np.array_equal(one, other) for one, other in zip(first, play(), strict=True))
    assert not np.array_equal(first[0], first[-1])
    config = agent_config(games, "fc")
    assert (config.height, config.width, config.channels, config.actions) == (*games.shape, games.actions)


@pytest.mark.parametrize(
    ("game", "module"),
    [("minatar/chess", "minatar"), ("atari/../x", "ale_py.vector_env"), ("atari/ponk", "ale_py.roms")],
)
def test_a_game_that_there_is_not_is_refused_or_what_it_needs_is_told(game: str, module: str) -> None:
    """Each half where it can be seen: the extra is installed, or it is not."""
    with pytest.raises(NeuralError) as told:
        open_games(game, 1)
    try:
        __import__(module)
    except ImportError:
        assert "pip install 'predinet-prolog[atari]'" in str(told.value)
    else:
        assert str(told.value).startswith(f"no game {game}: there are ")
