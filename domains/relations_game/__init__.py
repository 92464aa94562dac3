"""The Relations Game: images of a few objects on a 3×3 grid, each with a question about sameness.

The task suite of the PrediNet paper (Shanahan et al., "An Explicitly Relational Neural Network
Architecture", ICML 2020, section 4), generated here with the symbolic truth of every scene kept:

    scenes = generate("between", 1000, objects="hexos", seed=0)
    scenes.render()      # the pixels,  uint8 (1000, 36, 36, 3)
    scenes.labels        # the answers, int64 (1000,)
    scenes.shapes        # the truth behind them; `parse` finds it again from the pixels
"""

from predinet_prolog.domains.relations_game.corruptions import EVERYDAY, augmented_images, corrupt, object_offsets
from predinet_prolog.domains.relations_game.files import load_npz, save_npz
from predinet_prolog.domains.relations_game.objects import OBJECT_SETS, object_set
from predinet_prolog.domains.relations_game.scenes import Scenes, parse
from predinet_prolog.domains.relations_game.tasks import TASKS, generate, task_info

__all__ = ["EVERYDAY", "OBJECT_SETS", "TASKS", "Scenes", "augmented_images", "corrupt", "generate", "load_npz"]
__all__ += ["object_offsets", "object_set", "parse", "save_npz", "task_info"]
