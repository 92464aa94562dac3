"""What PyTorch finds on this machine, and how many threads its operations take: one.

A step of training is a few hundred operations of microseconds each. OpenMP's threads meet after every one of them and
spin until the last arrives; where another program has its core, they spin for as long as that keeps it. 300 steps of
`train between` with two threads beside programs that kept two cores busy: 40–44 s of CPU time and 70–104 s of wall
time, with one thread 9 s and 15 s. Threads that sleep instead of spinning (OMP_WAIT_POLICY=PASSIVE) took 20–34 s of
wall time. On idle cores a second thread makes a step of batch 10 faster by a tenth at most, one of batch 32 by a
quarter at most. Large batches of images do profit, but a thousand of them take a tenth of a second in one thread.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


def fastest_device() -> torch.device:
    """A GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def has_bfloat16() -> bool:
    """Whether this processor multiplies bfloat16 itself; one that does not would take longer than for float32."""
    return torch.cpu._is_avx512_bf16_supported()


@contextmanager
def one_thread() -> Iterator[None]:
    """PyTorch's operations take one thread for the time of the block, or of a function that this decorates."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
