"""The errors of `neural`."""


class NeuralError(Exception):
    """Any failure that the user of `neural` can do something about."""


class ModelNotFoundError(NeuralError):
    """No shipped model has this name and no file is there."""


class CheckpointError(NeuralError):
    """The file is no checkpoint of this project, or a damaged one."""


class OtherRunError(CheckpointError):
    """What a training left is of another run than the one that is to go on."""


class WorkerDiedError(NeuralError):
    """A process that was at work ended on its own."""


class TrainingDivergedError(NeuralError):
    """The loss became NaN or infinite; the last good checkpoint was kept."""
