"""Curves of agents with their seeds, and whether their heads look at sprites, against random weights.

    python benchmarks/agents.py FOLDER [-o FILE.json] [--picture FILE.png]

FOLDER has an agent's folder GAME-CENTRE-SEED for each run, as `predinet-prolog agent train -o` makes it. Where heads
look is measured in small games alone; in Pong benchmarks/pong.py does.
"""

import json
import sys
from collections import defaultdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.shared import options
from domains.writing import write_atomically
from neural.agents.agent import Agent
from neural.agents.config import AgentTraining
from neural.agents.games import agent_config, open_games
from neural.agents.playing import masks, play
from neural.agents.trained import AGENT_FILE, TrainedAgent, load_agent

FRAMES = 200
"""Of which it is measured where heads look."""
GAME_SEED = 1000
LAST = 5
"""Points at the end of a curve whose mean is told."""
ACTIONS = 1000
"""For which rewards are told."""
COLOURS = {"fc": "tab:orange", "predinet": "tab:blue"}
NAMES = {"fc": "fully connected", "predinet": "PrediNet"}


def fresh(game: str, centre: str, seed: int) -> TrainedAgent:
    """An agent of the game that has learned nothing; it is in no file."""
    config = agent_config(open_games(game, 1), centre)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        weights = Agent(config).state_dict()
    tensors = {f"network.{name}": tensor for name, tensor in weights.items()}
    return TrainedAgent(Path("untrained") / AGENT_FILE, game, config, AgentTraining(seed=seed), 0, (), tensors)


def looking(trained: TrainedAgent) -> dict[str, float]:
    """Of heads and frames of a small game, in which every lit pixel is a sprite's: those both of whose masks lie on lit
    pixels by more than half, how much of all masks does in the mean, and what part of the frames is lit."""
    both, weight, lit_share = [], [], []
    for moment in islice(play(trained, open_games(trained.game, 1), seed=GAME_SEED), FRAMES):
        lit = moment.frame.any(2)
        on = (masks(trained, moment) * lit).sum((2, 3))  # (k, 2)
        both.append((on > 0.5).all(1).mean())
        weight.append(on.mean())
        lit_share.append(lit.mean())
    return {"both": float(np.mean(both)), "weight": float(np.mean(weight)), "lit": float(np.mean(lit_share))}


def run_of(trained: TrainedAgent) -> dict[str, Any]:
    """What a run has learned. Ends where its curve tells no rewards: that of Ray's, or of an earlier version's."""
    ends = [(at.games, at.score) for at in trained.curve[-LAST:] if at.score is not None]
    curve = [(at.steps, at.games, at.score, ACTIONS * at.reward) for at in trained.curve if at.reward is not None]
    if len(curve) < len(trained.curve):
        sys.exit(f"{trained.path} tells no rewards: train it again, without Ray")
    run = {
        "game": trained.game,
        "centre": trained.config.centre,
        "seed": trained.training.seed,
        "steps": trained.steps,
        "score": sum(games * score for games, score in ends) / sum(games for games, _ in ends) if ends else None,
        "reward": float(np.mean([reward for *_, reward in curve[-LAST:]])),
        "curve": curve,
    }
    if trained.config.centre == "predinet" and trained.config.vision == "small":
        untrained = fresh(trained.game, "predinet", trained.training.seed)
        run |= {"looking": looking(trained), "looking_untrained": looking(untrained)}
    return run


def draw(runs: list[dict[str, Any]], path: Path) -> None:
    """A panel a game: the rewards of every run thin, the mean of a centre's runs thick."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    games = sorted({run["game"] for run in runs})
    figure, panels = pyplot.subplots(1, len(games), figsize=(4.5 * len(games), 3.2), squeeze=False)
    for game, panel in zip(games, panels[0], strict=True):
        for centre, colour in COLOURS.items():
            curves = [run["curve"] for run in runs if (run["game"], run["centre"]) == (game, centre)]
            steps = [at for at, *_ in curves[0]]
            rewards = np.array([[reward for *_, reward in curve] for curve in curves])
            panel.plot(steps, rewards.T, color=colour, alpha=0.3)
            panel.plot(steps, rewards.mean(0), color=colour, label=NAMES[centre])
        panel.set(title=game, xlabel="actions", ylabel=f"points in {ACTIONS:,} actions")
        panel.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--picture", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    runs = [run_of(load_agent(path)) for path in sorted(given.folder.iterdir()) if path.is_dir()]
    groups = defaultdict(list)
    for run in runs:
        groups[run["game"], run["centre"]].append(run)
    for (game, centre), own in groups.items():
        for measure in ("score", "reward"):
            if None not in (found := [run[measure] for run in own]):
                told = ", ".join(f"{each:.2f}" for each in found)
                print(f"{game}, {NAMES[centre]}, {measure}: {np.mean(found):.2f} ({told})")
        for kind in ("looking", "looking_untrained"):
            if kind in own[0]:
                print(f"  {kind}: ", {name: [round(run[kind][name], 3) for run in own] for name in own[0][kind]})
    if given.output:
        lines = ",\n".join(map(json.dumps, runs))
        write_atomically(given.output, f"[\n{lines}\n]\n".encode())
    if given.picture:
        draw(runs, given.picture)


if __name__ == "__main__":
    main()
