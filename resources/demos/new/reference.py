"""The right answer in float64. A function is given what its parameters name: arguments and sizes of ledger.toml."""

import numpy as np


def saxpy(x, y, a):
    """Return every output of the kernel by name."""
    return {"y": a * x.astype(np.float64) + y.astype(np.float64)}
