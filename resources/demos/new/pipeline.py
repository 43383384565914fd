"""The application around the kernel: replace this by what yours does before and after it."""

import numpy as np


def run(p):
    """Run the application once with `p` (see docs/pipeline.md) and return the host arrays it ends with."""
    n = p.sizes["n"]
    with p.stage("prepare", kind="cpu"):
        x = np.arange(n, dtype=np.float32) / n
        y = np.ones(n, np.float32)
    d_x = p.upload(x)
    d_y = p.upload(y)
    p.launch("saxpy", d_x, d_y, 2.5, n)
    p.synchronize()
    result = p.download(d_y)
    p.free(d_x)
    p.free(d_y)
    return {"y": result}
