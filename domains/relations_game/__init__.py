"""The Relations Game: images of a few objects on a 3×3 grid, each with a question about sameness.

The task suite of the PrediNet paper (Shanahan et al., "An Explicitly Relational Neural Network
Architecture", ICML 2020, section 4), generated here with the symbolic truth of every scene kept:

    scenes = generate("between", 1000, objects="hexos", seed=0)
    scenes.render()      # the pixels,  uint8 (1000, 36, 36, 3)
    scenes.labels        # the answers, int64 (1000,)
    scenes.shapes        # the truth behind them; `parse` finds it again from the pixels
"""

from predinet_prolog.domains.relations_game.corruptions import EVERYDAY as EVERYDAY
from predinet_prolog.domains.relations_game.corruptions import augmented_images as augmented_images
from predinet_prolog.domains.relations_game.corruptions import corrupt as corrupt
from predinet_prolog.domains.relations_game.corruptions import object_offsets as object_offsets
from predinet_prolog.domains.relations_game.files import load_npz as load_npz
from predinet_prolog.domains.relations_game.files import save_npz as save_npz
from predinet_prolog.domains.relations_game.objects import OBJECT_SETS as OBJECT_SETS
from predinet_prolog.domains.relations_game.objects import ObjectSet as ObjectSet
from predinet_prolog.domains.relations_game.objects import object_set as object_set
from predinet_prolog.domains.relations_game.scenes import Scenes as Scenes
from predinet_prolog.domains.relations_game.scenes import parse as parse
from predinet_prolog.domains.relations_game.tasks import TASKS as TASKS
from predinet_prolog.domains.relations_game.tasks import generate as generate
from predinet_prolog.domains.relations_game.tasks import task_info as task_info
