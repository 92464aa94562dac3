"""What it costs to learn: processor seconds of an action played and learned from, on one thread.

    python benchmarks/agents_cost.py [GAME…] [--steps N]

One game of each is played for N actions, and learned from once: what one of 32 games side by side costs, but for the
optimiser's step, which all of them share.
"""

from time import process_time

import torch

from benchmarks.shared import options
from neural.agents.agent import Agent
from neural.agents.config import CENTRES, AgentTraining
from neural.agents.games import agent_config, open_games
from neural.agents.learning import Player, loss

PAPER = 57 * 3 * 10**9
"""Games, runs and actions."""
YEAR = 365.25 * 24 * 3600


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("games", nargs="*", default=["atari/pong", "minatar/breakout"])
    parser.add_argument("--steps", type=int, default=AgentTraining().unroll)
    given = parser.parse_args()
    torch.set_num_threads(1)
    for game in given.games:
        for centre in CENTRES:
            games = open_games(game, 1)
            agent = Agent(agent_config(games, centre))
            player = Player(agent, games, count=1, seed=0)
            player.rollout(2)
            began = process_time()
            played = player.rollout(given.steps)
            between = process_time()
            loss(agent, played, AgentTraining()).backward()
            each = [(between - began) / given.steps, (process_time() - between) / given.steps]
            rate = games.repeat / sum(each)
            told = f"{each[0] * 1000:.1f} ms to play, {each[1] * 1000:.1f} ms to learn, {rate:.0f} frames/s"
            print(f"{game}, {centre}: {told}; 57 x 3 x 1e9 actions: {PAPER * sum(each) / YEAR:.0f} processor years")


if __name__ == "__main__":
    main()
