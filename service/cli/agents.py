"""agent train, score, play, show, export: the paper's agents play games."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import click
import numpy as np

from predinet_prolog.bridge.episodes import write_episode
from predinet_prolog.lazily import lazily
from predinet_prolog.neural.agents.config import CENTRES, AgentTraining
from predinet_prolog.neural.agents.games import agent_config, open_games
from predinet_prolog.service.cli.options import (
    COUNT,
    FILE,
    check_picture,
    emit_to,
    json_option,
    output_option,
    tell_warnings,
)
from predinet_prolog.service.cli.progress import followed, following
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import write_atomically, writing_to
from predinet_prolog.service.streams import emit, note

# What a help need not wait for.
playing, agents = lazily("predinet_prolog.neural.agents.playing"), lazily("predinet_prolog.neural.agents.trained")
episodes, pictures = lazily("predinet_prolog.service.episodes"), lazily("predinet_prolog.service.pictures.agent")

MILLISECONDS = 67
"""That a frame of a game is shown: four of the emulator's, at 60 a second."""

agent_argument = click.argument(
    "path", type=FILE, metavar="AGENT", help="The folder that agent train wrote, or its file."
)
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**31), default=0, metavar="S", help="The seed of the games."
)


@click.group()
def agent() -> None:
    """Let the paper's agents learn to play games, and see where they look, in pictures and in Prolog.

    \b
    Examples:
      predinet-prolog agent train minatar/breakout --steps 1000000
      predinet-prolog agent score out/agents/minatar-breakout-predinet
      predinet-prolog agent show out/agents/minatar-breakout-predinet -o heads.png
      predinet-prolog agent export out/agents/minatar-breakout-predinet --step 20
    """


@agent.command()
@click.argument("game", metavar="GAME", help="atari/NAME or minatar/NAME, such as atari/pong or minatar/breakout.")
@click.option(
    "--centre", type=click.Choice(CENTRES), default=CENTRES[0], help="The PrediNet, or a fully connected layer."
)
@click.option("--steps", type=COUNT, required=True, metavar="N", help="Actions to take, in all its games together.")
@click.option(
    "--learning-rate",
    type=click.FloatRange(0, min_open=True),
    default=1e-4,
    metavar="R",
    help="Of RMSProp; the default is the paper's.",
)
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, metavar="S", help="Of the weights and the games.")
@output_option("DIR", "Folder of the agent. (default: out/agents/GAME-CENTRE)")
def train(game: str, centre: str, steps: int, learning_rate: float, seed: int, output: Path | None) -> None:
    """Train an agent by V-trace in 32 games side by side.

    Writes agent.safetensors. Interrupted, or asked for more steps, the same command goes on with it.

    \b
    Examples:
      predinet-prolog agent train minatar/breakout --steps 1000000 --learning-rate 0.001
      predinet-prolog agent train atari/pong --centre fc --steps 10000000 -o out/pong
    """
    from predinet_prolog.neural.agents.learning import Progress, train_agent

    training = AgentTraining(seed=seed, learning_rate=learning_rate)
    games = open_games(game, training.games)
    folder = output or Path("out") / "agents" / f"{game.replace('/', '-')}-{centre}"
    done = 0
    with following(f"{game}, {centre}", "steps") as follow:

        def report(at: Progress) -> None:
            nonlocal done
            score = "no game ended yet" if at.score is None else f"mean score {at.score:.2f}"
            done = min(at.steps, steps)  # the last update may take more
            follow(done, steps, f"{at.frames_per_second:.0f} frames/s, {score}")

        try:
            with writing_to(folder):
                config = agent_config(games, centre)
                trained = train_agent(games, config, training, folder, game=game, steps=steps, report=report)
        except KeyboardInterrupt:
            note(f"stopped at step {done}; what was saved in {folder} goes on with the same command")
            raise
    emit(f"{trained.path}  ({trained.steps} steps)\n")


@agent.command()
@agent_argument
@click.option("--games", "count", type=click.IntRange(1, 1000), default=30, metavar="N", help="Games to play.")
@seed_option
@json_option
def score(path: Path, count: int, seed: int, as_json: bool) -> None:
    """Let an agent play games to their ends: its mean score with the standard error.

    \b
    Examples:
      predinet-prolog agent score out/agents/minatar-breakout-predinet --games 100
      predinet-prolog agent score out/agents/minatar-breakout-fc --json
    """

    trained = agents.load_agent(path)
    games = open_games(trained.game, count)
    with following(trained.game, "games", logged=False) as follow:
        scores = playing.score_agent(trained, games, count, seed=seed, report=lambda ended: follow(ended, count, ""))
    mean, error, centre = float(np.mean(scores)), float(np.std(scores) / np.sqrt(count)), trained.config.centre
    about = {"game": trained.game, "centre": centre, "steps": trained.steps, "seed": seed}
    curve = [{"steps": at.steps, "games": at.games, "score": at.score} for at in trained.curve]
    document = {**about, "mean": mean, "standard_error": error, "scores": scores, "curve": curve}
    line = f"{trained.game}, {centre}, {trained.steps} steps: {mean:.2f} ± {error:.2f} in {count} games"
    emit(f"{json.dumps(document) if as_json else line}\n")


@agent.command()
@agent_argument
@click.option(
    "--head",
    "heads",
    type=click.IntRange(0),
    multiple=True,
    metavar="H",
    help="Heads to show; may be repeated. (default: 0 to 3)",
)
@click.option("--frames", type=click.IntRange(1, 20), default=5, metavar="N", help="Frames to show.")
@click.option("--every", type=click.IntRange(1, 1000), default=5, metavar="N", help="Actions from one to the next.")
@seed_option
@output_option("FILE.png", "The picture. (default: AGENT's folder, heads.png)")
def show(path: Path, heads: Sequence[int], frames: int, every: int, seed: int, output: Path | None) -> None:
    """Draw frames of a game, and below each where heads of the agent's PrediNet look: as figure S22 of the paper.

    \b
    Examples:
      predinet-prolog agent show out/agents/minatar-breakout-predinet
      predinet-prolog agent show out/pong --head 3 --head 11 --every 10 -o pong.png
    """
    check_picture(output)
    trained = agents.load_agent(path)
    chosen = heads or range(min(4, trained.config.heads))
    if (most := max(chosen)) >= trained.config.heads:
        raise UsageError(f"no head {most}: the agent has heads 0 to {trained.config.heads - 1}")
    watched = playing.watch_agent(trained, open_games(trained.game, 1), frames=frames, every=every, seed=seed)
    target = output or trained.path.with_name("heads.png")
    write_atomically(target, pictures.draw(watched, chosen))
    emit(f"{target}\n")


@agent.command()
@agent_argument
@click.option("--frames", type=COUNT, default=1000, metavar="N", help="Frames at most; a game that ends has fewer.")
@seed_option
@output_option("FILE.gif", "The film. (default: AGENT's folder, game.gif)")
def play(path: Path, frames: int, seed: int, output: Path | None) -> None:
    """Let an agent play a game: a film of it with the score.

    \b
    Examples:
      predinet-prolog agent play out/agents/minatar-breakout-predinet
      predinet-prolog agent play out/pong --frames 200 --seed 3 -o pong.gif
    """
    check_picture(output, ".gif", "films")
    trained = agents.load_agent(path)
    game = playing.play_one(trained, open_games(trained.game, 1), seed=seed)
    moments = [*followed(islice(game, frames), "playing", frames)]
    target = output or trained.path.with_name("game.gif")
    write_atomically(target, pictures.film(moments, milliseconds=MILLISECONDS))
    emit(f"{target}  ({len(moments)} frames, score {moments[-1].score:g})\n")


@agent.command()
@agent_argument
@click.option("--step", type=click.IntRange(0), default=0, metavar="N", help="Actions before the first frame.")
@click.option("--frames", type=COUNT, default=1, metavar="N", help="Frames; with more than one, facts are at(T, Fact).")
@click.option("--every", type=COUNT, default=1, metavar="N", help="Actions from one frame to the next.")
@click.option(
    "--model",
    metavar="NAME",
    help="What sees the frames: a model of pictures of any size, such as scenes. (default: the agent's heads)",
)
@click.option(
    "--crop",
    type=(int, int, int, int),
    metavar="LEFT TOP RIGHT BOTTOM",
    help="The part of a frame that the model sees, in pixels. (default: all of it)",
)
@seed_option
@output_option("FILE.pl", "Where to write. (default: standard output)")
def export(
    path: Path,
    step: int,
    frames: int,
    every: int,
    model: str | None,
    crop: tuple[int, int, int, int] | None,
    seed: int,
    output: Path | None,
) -> None:
    """Turn a frame of a game that an agent plays into a program, or several into one.

    A frame's symbols are what the agent's heads attend to. An agent that has learned little attends to little that
    matters; then --model names what sees instead.

    Of several frames, at(T, Fact) says what is so after T actions, and a thing keeps its name as long as it is seen.
    The rules `episodes` tell how things move.

    \b
    Examples:
      predinet-prolog agent export out/agents/minatar-breakout-predinet --step 20 -o frame.pl
      predinet-prolog agent export out/pong --frames 300 --model scenes --crop 0 34 160 194 -o game.pl
      predinet-prolog query game.pl 'moves_left(T, X)' --rules episodes
    """
    trained = agents.load_agent(path)
    seer = episodes.Seer(trained, model, crop)
    game = playing.play_one(trained, open_games(trained.game, 1), seed=seed)
    moments = [*followed(islice(game, step, step + (frames - 1) * every + 1, every), "playing", frames)]
    if not moments:
        raise UsageError(f"the game ends before step {step}: name an earlier one with --step, or another --seed")
    if frames == 1:
        text = seer.program(moments[0])
    else:
        frames_seen = [seer.frame(moment) for moment in followed(moments, "looking", len(moments))]
        about = {"game": trained.game, "agent": trained.path.parent.name, "seen by": model or "the agent's heads"}
        side = max(trained.config.height, trained.config.width)
        text = write_episode(frames_seen, about=about, side=side, warnings=sorted(seer.warnings))
    tell_warnings(path, sorted(seer.warnings))
    emit_to(output, text)
