"""Pong as a program: how far symbols are from sprites, and five questions about a played game with their truth.

    python benchmarks/pong.py [--steps N] [--agent FOLDER] [-o FILE.json]

A script that knows the emulator's memory plays, and now and then does anything, so that there are rallies and misses.
What is in the memory is known from Anand et al. (2019), "Unsupervised State Representation Learning in Atari", and its
AtariARI (`ram_annotations.py`); how it lies to the pixels was measured on frames.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

import numpy as np
import torch

from benchmarks.agents import fresh
from benchmarks.shared import options
from bridge.attended import window
from bridge.episodes import Frame, write_episode
from domains.domain import Pixels
from domains.writing import write_atomically
from neural.agents.playing import Moment, masks
from neural.agents.trained import TrainedAgent, load_agent
from service.episodes import Crop, Seer
from symbolic import Engine, Rules, theory

GAME, REPEAT = "atari/pong", 4
FIELD: Crop = (0, 34, 160, 194)
"""Between the white bars."""
BALL_X, BALL_Y, MINE_Y, OTHERS_Y, OTHERS_SCORE, MY_SCORE = 49, 54, 51, 50, 13, 14
"""Addresses."""
NOOP, UP, DOWN = 0, 3, 4
RASH = 0.25
"""Of the script's actions, those that are any."""
AT_ONCE = 2
"""Steps between an event and an answer that still tells of it."""
FOUND = 4.0
"""Pixels between a sprite and a symbol that still stands for it."""
SEED = 2
"""Of the game that judges; rules and numbers were tried on game 7."""
EVERY = 5
"""Frames of which errors are measured by the roads that answer no questions."""
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Truth:
    """What the memory says after a frame of the emulator."""

    sprites: dict[str, Box]
    """Left, top, right, bottom of what shows of ball, my paddle and the other's."""
    scores: tuple[int, int]
    """The other's and mine."""


def truth_of(ram: Sequence[int]) -> Truth:
    """Of the 128 bytes."""
    boxes = {"mine": (140, int(ram[MINE_Y]) - 13, 4, 16), "others": (16, int(ram[OTHERS_Y]) - 15, 4, 16)}
    if ram[BALL_Y]:
        boxes["ball"] = (int(ram[BALL_X]) - 49, int(ram[BALL_Y]) - 14, 2, 4)
    shown = {}
    for name, (x, y, width, height) in boxes.items():
        left, right = max(x, FIELD[0]), min(x + width, FIELD[2])
        top, bottom = max(y, FIELD[1]), min(y + height, FIELD[3])
        if left < right and top < bottom and (name != "others" or ram[OTHERS_Y]):
            shown[name] = (float(left), float(top), float(right), float(bottom))
    return Truth(shown, (int(ram[OTHERS_SCORE]), int(ram[MY_SCORE])))


def played(steps: int, seed: int) -> tuple[list[Pixels], list[Truth]]:
    """The frames before so many actions of a game, and what was so in every frame of the emulator from the first of
    these on: the frame before action t shows truth 4t."""
    try:
        from ale_py import ALEInterface, LoggerMode, roms
    except ImportError:
        sys.exit("no ale_py to play Pong with: pip install 'predinet-prolog[atari]'")
    ALEInterface.setLoggerMode(LoggerMode.Error)
    game, random = ALEInterface(), np.random.default_rng(seed)
    game.setInt("random_seed", seed)
    game.setFloat("repeat_action_probability", 0.0)
    game.loadROM(roms.get_rom_path("pong"))
    actions = game.getLegalActionSet()
    for _ in range(random.integers(1, 31)):
        game.act(actions[NOOP])
    frames, truths = [], [truth_of(game.getRAM())]
    for _ in range(steps):
        frames.append(game.getScreenRGB().copy())
        now = truths[-1].sprites
        wanted = NOOP
        if "ball" in now and "mine" in now:
            wanted = UP if middle(now["ball"])[1] < middle(now["mine"])[1] else DOWN
        action = random.choice([NOOP, UP, DOWN]) if random.random() < RASH else wanted
        for _ in range(REPEAT):
            game.act(actions[action])
            truths.append(truth_of(game.getRAM()))
    return frames, truths


def middle(box: Box) -> tuple[float, float]:
    """x and y."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def errors(frames: Sequence[Frame], truths: Sequence[Truth]) -> dict[str, dict[str, float]]:
    """Of each sprite: pixels from its middle to that of the nearest object, and the share that has one so near."""
    off: dict[str, list[float]] = {"ball": [], "mine": [], "others": []}
    for frame in frames:
        name, x, y = frame.facts["position"]
        things = {*frame.facts["object"][0]}
        places = [(a, b) for each, a, b in zip(name, x, y, strict=True) if each in things]
        for sprite, box in truths[REPEAT * frame.step].sprites.items():
            mx, my = middle(box)
            off[sprite].append(min((float(np.hypot(a - mx, b - my)) for a, b in places), default=float("inf")))
    return {
        sprite: {"frames": len(all_), "median": median(all_), "found": mean(each <= FOUND for each in all_)}
        for sprite, all_ in off.items()
        if all_
    }


def on_sprites(trained: TrainedAgent, moments: Sequence[Moment], truths: Sequence[Truth]) -> dict[str, float]:
    """Of heads and frames, those both of whose masks lie on sprites by more than half; and the share of windows that
    do, which is what masks that lie anywhere would have on them."""
    both, windows = [], []
    for moment in moments:
        shown = np.zeros(moment.frame.shape[:2], bool)
        for left, top, right, bottom in truths[REPEAT * moment.step].sprites.values():
            shown[int(top) : int(bottom), int(left) : int(right)] = True
        stride = window(moment.frame, trained.grid)
        half = stride // 2  # window i has its middle at pixel i times the stride
        padded = np.pad(shown, ((half, stride), (half, stride)))
        rows, columns = trained.grid
        lit = padded[: rows * stride, : columns * stride].reshape(rows, stride, columns, stride).any((1, 3))
        both.append(((masks(trained, moment) * lit).sum((2, 3)) > 0.5).all(1).mean())
        windows.append(lit.mean())
    return {"both masks on sprites": float(np.mean(both)), "windows on sprites": float(np.mean(windows))}


def events(truths: Sequence[Truth], axis: int) -> Iterator[tuple[float, Box, float]]:
    """When (in steps) the ball turns along an axis, 0 across and 1 upright; where, and which way it goes then."""
    way, before = 0.0, None
    for frame, truth in enumerate(truths):
        ball = truth.sprites.get("ball")
        if ball is not None and before is not None:
            gone = middle(ball)[axis] - middle(before)[axis]
            if gone * way < 0:
                yield (frame - 1) / REPEAT, ball, gone
            way = gone or way
        else:
            way = 0.0
        before = ball


def true_answers(truths: Sequence[Truth], steps: int) -> dict[str, list[float]]:
    """The steps that answer each question."""
    shown = [truth.sprites for truth in truths[: steps * REPEAT : REPEAT]]
    missed, last = [], 0
    for frame in range(1, len(truths)):
        if truths[frame].scores[0] > truths[frame - 1].scores[0]:
            missed.append(last / REPEAT)
        last = frame if "ball" in truths[frame].sprites else last

    def level(now: dict[str, Box]) -> bool:
        return {"ball", "mine"} <= {*now} and now["mine"][1] <= middle(now["ball"])[1] <= now["mine"][3]

    def comes(now: dict[str, Box], then: dict[str, Box]) -> bool:
        return "ball" in now and "ball" in then and 1 <= middle(then["ball"])[0] - middle(now["ball"])[0] <= 40

    return {
        "returned": [when for when, ball, gone in events(truths, 0) if gone < 0 and ball[0] > 80],
        "bounced": [when for when, _, _ in events(truths, 1)],
        "missed": missed,
        "comes": [step for step in range(steps - 1) if comes(shown[step], shown[step + 1])],
        "level": [step for step in range(steps) if level(shown[step])],
    }


def compare(given: Sequence[float], true: Sequence[float], within: float) -> dict[str, float]:
    """Answers and truths, one for one: how many there are, and how many tell of the same."""
    left, same = sorted(true), 0
    for answer in sorted(given):
        if (near := next((each for each in left if abs(each - answer) <= within), None)) is not None:
            left.remove(near)
            same += 1
    return {"answers": len(given), "true": len(true), "right": same}


def ask(program: str) -> dict[str, list[int]]:
    """The steps that the program answers to each question."""
    rules = [theory("episodes"), Rules("pong.pl", Path(__file__).with_suffix(".pl").read_text(encoding="utf-8"))]
    with Engine(time_limit=60, answer_limit=10_000) as engine:
        return {
            question: sorted(
                {answer.bindings["T"] for answer in engine.ask(program, f"{question}(T)", rules=rules).answers}
            )
            for question in ("returned", "bounced", "missed", "comes", "level")
        }


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--agent", type=Path, metavar="FOLDER", help="a PrediNet that has learned, to be measured too")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    frames, truths = played(given.steps, given.seed)
    some = range(0, given.steps, EVERY)
    agents = {f"heads, random weights {seed}": fresh(GAME, "predinet", seed) for seed in range(3)}
    if given.agent:
        learned = load_agent(given.agent)
        agents[f"heads, after {learned.steps} actions"] = learned
    anybody, *_ = agents.values()
    report: dict[str, object] = {"steps": given.steps, "errors": {}, "heads": [], "questions": {}}

    def see(name: str, seer: Seer, moments: Sequence[Moment]) -> list[Frame]:
        seen = [seer.frame(moment) for moment in moments]
        measured = errors([each for each in seen if each.step in some], truths)
        report["errors"][name] = measured  # type: ignore[index]
        print(name, measured, flush=True)
        return seen

    plain = [Moment(step, step == 0, 0.0, frame, None) for step, frame in enumerate(frames)]
    true = true_answers(truths, given.steps)
    roads: list[tuple[str, Callable[[], Seer], list[Moment]]] = [
        ("scenes, the field", lambda: Seer(anybody, "scenes", FIELD), plain),
        ("scenes, the whole frame", lambda: Seer(anybody, "scenes", None), plain[::EVERY]),
    ]
    for name, agent in agents.items():
        network = agent.agent()
        looked = []
        for moment in plain[::EVERY]:
            shown, start = torch.from_numpy(moment.frame)[None, None], torch.ones(1, 1, dtype=torch.bool)
            said = network(shown, start, network.blank_memory(1)).propositions
            looked.append(Moment(moment.step, moment.first, 0.0, moment.frame, said))
        measured = on_sprites(agent, looked, truths)
        report["heads"].append(measured)  # type: ignore[attr-defined]
        print(name, measured, flush=True)
        roads.append((name, lambda agent=agent: Seer(agent, None, None), looked))  # type: ignore[misc]
    for name, seer, moments in roads:
        seen = see(name, seer(), moments)
        if len(seen) < given.steps:
            continue
        answers = ask(write_episode(seen, about={"game": GAME}, side=210))
        for question, steps in answers.items():
            told = compare(steps, true[question], AT_ONCE if question in ("returned", "bounced", "missed") else 0)
            report["questions"][question] = {**told, "steps": steps, "truth": true[question]}  # type: ignore[index]
            print(name, question, told, flush=True)
    if given.output:
        write_atomically(given.output, (json.dumps(report) + "\n").encode())


if __name__ == "__main__":
    main()
