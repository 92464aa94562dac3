"""What fixes a network's shape, known without PyTorch: the configuration, and the weights that belong to it."""

from dataclasses import asdict, dataclass
from hashlib import sha256

from predinet_prolog.brought import entry_point
from predinet_prolog.domains import ORIGINAL, load_domain
from predinet_prolog.domains.domain import Alignment, Board, board
from predinet_prolog.neural.errors import NeuralError

PIXEL_SCALE = 256.0
"""Images are divided by 256, not 255, as in the authors' notebook."""

ARCHITECTURES = {
    "predinet": "PrediNet",
    "mlp1": "multi-layer perceptron of one layer",
    "mlp2": "multi-layer perceptron of two layers",
    "relation_net": "relation net",
    "attention": "multi-head attention net",
}
"""What the central module may be, and what people call it."""
CENTRALS, ENCODERS = "predinet_prolog.centrals", "predinet_prolog.encoders"
"""Entry points of other packages: of central modules, which are named as an architecture, and of encoders."""
MLP2_HIDDEN = 1024
RELATION_NET_HIDDEN = 256
INPUTS = ("images", "blanked", "least")
"""Of a network's graph; the weights are the others."""
OUTPUTS = ("attention", "objectness", "coordinates")
GRAPH_VERSION = 2
"""Of what a graph computes: one of another version is made again."""


def encoder_of(domain: Board) -> dict[str, int]:
    """What `domain` says of the networks that see its pictures: fields of a NetworkConfig."""
    background = int.from_bytes(bytes(domain.picture.background))
    return {**domain.encoder, "background": background, **(asdict(domain.alignment) if domain.alignment else {})}


_PAPER = encoder_of(board(load_domain(ORIGINAL)))


@dataclass(frozen=True)
class NetworkConfig:
    """Everything that fixes the network's shape. Defaults are Table S1 of the paper, for its pictures."""

    heads: int = 32
    """k, pairs of objects picked from an image."""
    relations: int = 16
    """j, relations computed for every pair."""
    key_size: int = 16
    """g, length of keys and queries."""
    filters: int = 32
    """Output channels of the convolution."""
    filter_size: int = _PAPER["filter_size"]
    """Side of a window in pixels."""
    stride: int = _PAPER["stride"]
    """Pixels from one window to the next."""
    image_size: int = _PAPER["image_size"]
    """Side of the image in pixels."""
    background: int = 0
    """Colour of the ground of pictures, 0xRRGGBB: what shows it alone shows nothing. An aligned encoder goes by each
    picture's own."""
    task_ids: int = 5
    """Width of the one-hot task id."""
    hidden: int = 8
    """Hidden units of the output MLP."""
    labels: int = 2
    """Answers the network chooses from."""
    aligned: bool = False
    """Whether the encoder slides its windows to where objects lie: for pictures that are not pixel-perfect."""
    square: int = _PAPER["square"]
    """Of an aligned encoder, the fields of its domain's `Alignment`: what shapes are made of, in pixels."""
    squares: int = _PAPER["squares"]
    margin: int = _PAPER["margin"]
    reach: int = _PAPER["reach"]
    architecture: str = "predinet"
    """The central module: one of ARCHITECTURES, or of CENTRALS."""
    brought_encoder: str = ""
    """One of ENCODERS, if the encoder is none of this package."""

    @property
    def brought(self) -> tuple[str, ...]:
        """How the names of weights begin whose shapes another package fixes."""
        return ("encoder.",) * bool(self.brought_encoder) + ("brought.",) * (self.architecture not in ARCHITECTURES)

    @property
    def alignment(self) -> Alignment:
        """Where an aligned encoder looks for things in a window."""
        return Alignment(self.square, self.squares, self.margin, self.reach)

    @property
    def side(self) -> int:
        """Windows along a side of the image."""
        return (self.image_size - self.filter_size) // self.stride + 1

    @property
    def windows(self) -> int:
        """n, the number of windows."""
        return self.side**2

    @property
    def features(self) -> int:
        """m, the length of a window's feature vector: the filters' outputs and the window's place."""
        return self.filters + 2

    @property
    def output_size(self) -> int:
        """Length of the central module's output: k(j + 4)."""
        return self.heads * (self.relations + 4)


def weight_shapes(config: NetworkConfig) -> dict[str, tuple[int, ...]]:
    """Every weight of the network of that shape, by its name, but those of parts that other packages bring; NeuralError
    for a part that there is not."""
    m, output, size = config.features, config.output_size, config.filter_size
    central: dict[str, tuple[int, ...]]
    match config.architecture:
        case "predinet":
            queries = (config.windows * m, config.heads * config.key_size)
            central = {"W_K": (m, config.key_size), "W_Q1": queries, "W_Q2": queries, "W_S": (m, config.relations)}
        case "mlp1":
            central = _layers(config.windows * m, output)
        case "mlp2":
            central = _layers(config.windows * m, MLP2_HIDDEN, output)
        case "relation_net":
            central = {"W_hidden": (2 * m, RELATION_NET_HIDDEN), "W_output": (RELATION_NET_HIDDEN, output)}
        case "attention":
            keys = (m, config.heads * config.key_size)
            central = {"W_K": keys, "W_Q": keys, "W_V": (m, output), "w": (config.heads, config.windows)}
        case _:
            entry_point(CENTRALS, "architecture", config.architecture, ARCHITECTURES, _missing)
            central = {}
    encoder: dict[str, tuple[int, ...]] = {"weight": (config.filters, 3, size, size), "bias": (config.filters,)}
    if config.brought_encoder:
        entry_point(ENCODERS, "encoder", config.brought_encoder, (), _missing)
        encoder = {}
    return {
        **{f"encoder.{name}": shape for name, shape in encoder.items()},
        **{f"{config.architecture}.{name}": shape for name, shape in central.items()},
        "output.hidden_weight": (output + config.task_ids, config.hidden),
        "output.hidden_bias": (config.hidden,),
        "output.label_weight": (config.hidden, config.labels),
        "output.label_bias": (config.labels,),
    }


def _missing(text: str) -> NeuralError:
    return NeuralError(f"{text}; install the package that brings it")


def _layers(*widths: int) -> dict[str, tuple[int, ...]]:
    """Weights and biases of a perceptron whose layers have these `widths`, the input's first."""
    weights = {f"weights.{layer}": widths[layer : layer + 2] for layer in range(len(widths) - 1)}
    return weights | {f"biases.{layer}": (width,) for layer, width in enumerate(widths[1:])}


def graph_digest(config: NetworkConfig) -> str:
    """Of all that fixes a graph, which has it among its metadata."""
    sizes = (config.image_size, config.filter_size, config.stride, config.background, config.filters)
    what = (GRAPH_VERSION, *sizes, config.heads, config.relations, config.key_size, config.aligned and config.alignment)
    return sha256(repr(what).encode()).hexdigest()
