"""The gradients of a loss as a plain list of tensor operations, traced once and run at every step.

Autograd's bookkeeping and the modules' Python take as long as the arithmetic of a step of ten images. Of a traced step
the operations alone are left. And a gradient that is a product of two thin matrices need not be multiplied out: plain
gradient descent adds the product to the weight in one pass.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, fx, nn
from torch.fx.experimental.proxy_tensor import make_fx

Weights = Mapping[str, Tensor]
Gradient = Tensor | tuple[Tensor, Tensor]
"""Of a weight's shape; or left (R, rows, p) and right (R, p, columns), whose product it is."""
Loss = Callable[..., tuple[Tensor, Sequence[Tensor]]]
"""Of weights to learn, weights that stay and inputs: a scalar, and what else is wanted of every step."""

_VIEWS = (torch.ops.aten.view.default, torch.ops.aten._unsafe_view.default)
_PRODUCT = torch.ops.aten.bmm.default


class Gradients:
    """The gradients of `loss`, for weights and inputs of the shapes given."""

    def __init__(self, loss: Loss, learned: Weights, fixed: Weights, inputs: Sequence[Tensor]) -> None:
        def gradients(learned: Weights, fixed: Weights, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
            gradients, wanted = torch.func.grad(loss, has_aux=True)(learned, fixed, *inputs)
            return *gradients.values(), *wanted

        self._names = list(learned)
        with torch.enable_grad():
            module = make_fx(gradients)(dict(learned), dict(fixed), list(inputs))
        (output,) = module.graph.find_nodes(op="output")
        outputs = list(output.args[0])
        self._count = len(outputs)
        self._factors = {}
        for place, (name, weight) in enumerate(learned.items()):
            product = _product_behind(outputs[place])
            if product is not None and product.meta["val"].shape == weight.shape:
                outputs[place], right = product.args
                self._factors[name] = len(outputs)
                outputs.append(right)
        output.args = (tuple(outputs),)
        module.graph.eliminate_dead_code()
        module.graph.set_codegen(fx.graph.CodeGen())  # takes all tensors in one row, and gives them so
        module.recompile()
        self._run = _without_python(module, [*learned.values(), *fixed.values(), *inputs])

    def __call__(
        self, learned: Weights, fixed: Weights, inputs: Sequence[Tensor]
    ) -> tuple[dict[str, Gradient], Sequence[Tensor]]:
        """The gradient of every learned weight, and what else is wanted."""
        results = self._run(*learned.values(), *fixed.values(), *inputs)
        gradients: dict[str, Gradient] = dict(zip(self._names, results, strict=False))
        for name, place in self._factors.items():
            gradients[name] = results[self._names.index(name)], results[place]
        return gradients, results[len(self._names) : self._count]


def _product_behind(node: fx.Node) -> fx.Node | None:
    """The product of matrices that `node` is a view of."""
    while node.target in _VIEWS:
        (node, *_) = node.args  # type: ignore[assignment]
    return node if node.target is _PRODUCT else None


def _without_python(module: nn.Module, inputs: Sequence[Tensor]) -> Callable[..., tuple[Tensor, ...]]:
    """`module` for TorchScript's interpreter: a third less time a step than from Python.

    PyTorch warns that it is to go. Then `module` can take its place as it is.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(module, tuple(inputs), check_trace=False)  # type: ignore[no-untyped-call]
    run: Callable[..., tuple[Tensor, ...]] = traced
    return run
