"""What a look at images asks of the network, and its export as an ONNX graph (`neural.graph` runs it)."""

import io

import torch
from torch import Tensor, nn

from neural.encoder import objectness
from neural.network import RelationsNetwork
from neural.config import NetworkConfig


class Looking(nn.Module):
    def __init__(self, network: RelationsNetwork) -> None:
        super().__init__()
        self.encoder, self.predinet = network.encoder, network.predinet
        config = network.config
        pixel = torch.arange(config.image_size)
        starts = self.encoder.starts[:, None]
        self.register_buffer("covers", (starts <= pixel) & (pixel < starts + config.filter_size), persistent=False)  # (s, S)

    def forward(self, images: Tensor, blanked: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        encoder = self.encoder
        covers = self.covers.to(encoder.weight.dtype)
        grid = blanked.to(covers.dtype).view(-1, encoder.side, encoder.side)
        kept = covers.T @ grid @ covers == 0  # (B, S, S)
        foreground = encoder.foreground(images) * kept[..., None]
        features = encoder.seen(foreground)
        objects = objectness(features, encoder.blank_features(), encoder.wholeness(foreground))
        return self.predinet.attend(encoder.matrix(features)), objects, self.predinet.coordinates(features)


def graph_of(config: NetworkConfig) -> bytes:
    looking = Looking(RelationsNetwork(config)).double().eval().requires_grad_(False)
    images = torch.zeros(2, config.image_size, config.image_size, 3, dtype=torch.uint8)
    blanked = torch.zeros(2, config.windows, dtype=torch.bool)
    file = io.BytesIO()
    torch.onnx.export(looking, (images, blanked), file, dynamo=False, export_params=False, do_constant_folding=False,
      keep_initializers_as_inputs=True, input_names=["images","blanked"], output_names=["attention","objectness","coordinates"],
      dynamic_axes={n:{0:"B"} for n in ("images","blanked","attention","objectness","coordinates")}, opset_version=18)
    return file.getvalue()
