"""The errors of `neural`."""


class NeuralError(Exception):
    """Any failure that the user of `neural` can do something about."""


class ModelNotFoundError(NeuralError):
    """No shipped model has this name and no file is there."""


class CheckpointError(NeuralError):
    """The file is no checkpoint of this project, or a damaged one."""


class WorkerDiedError(NeuralError):
    """A process that was at work ended on its own."""


class TrainingDivergedError(NeuralError):
    """The loss became NaN or infinite; the last good checkpoint was kept."""


class ImageError(NeuralError):
    """The file is not an image the network can be shown."""


class LargeImageError(ImageError):
    """The image takes longer to read than a quick reading allows. Read without that limit, it may be a good one."""
