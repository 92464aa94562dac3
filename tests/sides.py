"""A game for tests: one side of the frame is lit, and the action of that number scores. It ends after 5 steps."""

import numpy as np

from predinet_prolog.neural.agents.games import Frames, Step


class Sides:
    """`count` of them. Action 2 never scores."""

    lengths: int | np.ndarray = 5
    shape, actions, repeat, vision = (7, 11, 2), 3, 2, "small"

    def __init__(self, name: str, count: int) -> None:
        self._count = count

    def reset(self, seed: int) -> Frames:
        self._random = np.random.default_rng(seed)
        self._steps = np.zeros(self._count, int)
        return self._frames()

    def step(self, actions: np.ndarray) -> Step:
        rewards = (actions == self._side).astype(np.float32)
        self._steps += 1
        ended = self._steps == self.lengths
        self._steps[ended] = 0
        return Step(self._frames(), rewards, ended)

    def _frames(self) -> Frames:
        self._side = self._random.integers(0, 2, self._count)
        frames = np.zeros((self._count, *self.shape), np.uint8)
        for frame, side in zip(frames, self._side, strict=True):
            frame[:, 8 * side : 8 * side + 3, 1] = 255
        return frames
