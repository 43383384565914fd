"""A child that runs a kernel which may end it: `python -m tests.helpers.wild_kernel FAULT_FILE SOURCE OFFSET`.

Launches `k(float* y, const float* x, long long offset)` with y of 100 and x of 50 float32, 4 blocks of 32 threads.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from plugins.emulator.in_worker import open_device
from workbench.model.launch import Launch
from workbench.paths import cache_folder
from workbench.plugin_api import Code, ResolvedLaunch, SourceText


def main() -> None:
    """Run the kernel and say `survived`."""
    report, source, offset = sys.argv[1:]
    device = open_device("emulator", Path(report))
    compiled = device.compile(
        Code(SourceText(source), "cuda", "k", Launch((1,), (1,))), cache_folder() / "kernels", name="wild.cu"
    )
    kernel = device.load(compiled, {})
    y, x = device.allocate(400), device.allocate(200)
    device.launch(kernel, ResolvedLaunch((4, 1, 1), (32, 1, 1)), [y, x, np.int64(offset)])
    sys.stdout.write("survived\n")


if __name__ == "__main__":
    main()
