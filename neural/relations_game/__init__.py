"""The Relations Game: images of a few objects on a 3×3 grid, each with a question about sameness.

The task suite of the PrediNet paper (Shanahan et al., "An Explicitly Relational Neural Network
Architecture", ICML 2020, section 4), generated here with the symbolic truth of every scene kept:

    scenes = generate("between", 1000, objects="hexos", seed=0)
    scenes.render()      # the pixels,  uint8 (1000, 36, 36, 3)
    scenes.labels        # the answers, int64 (1000,)
    scenes.shapes        # the truth behind them; `parse` finds it again from the pixels
"""

from neural.relations_game.disturb import DISTURBANCES, EVERYDAY, Disturbance, disturb, object_offsets, weathered
from neural.relations_game.errors import RelationsGameError
from neural.relations_game.files import Images, load_folder, load_npz, save_folder, save_npz
from neural.relations_game.objects import OBJECT_SETS, ObjectSet, object_set
from neural.relations_game.scenes import Scenes, parse
from neural.relations_game.tasks import TASKS, TaskInfo, generate, task_info

__all__ = [
    "DISTURBANCES",
    "EVERYDAY",
    "OBJECT_SETS",
    "TASKS",
    "Disturbance",
    "Images",
    "ObjectSet",
    "RelationsGameError",
    "Scenes",
    "TaskInfo",
    "disturb",
    "generate",
    "load_folder",
    "load_npz",
    "object_offsets",
    "object_set",
    "parse",
    "save_folder",
    "save_npz",
    "task_info",
    "weathered",
]
