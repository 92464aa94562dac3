"""Where half precision takes less time than whole."""

import torch


def has_bfloat16() -> bool:
    """Whether this processor multiplies bfloat16 itself; one that does not would take longer than for float32."""
    return torch.cpu._is_avx512_bf16_supported()
