"""The workbench's own kernels, loaded and launched."""

from __future__ import annotations

import ctypes

import numpy as np
from cupy.cuda import driver

_THREADS = 256


class Utility:
    """The loaded module. `run` queues on the null stream; call it inside `driver_faults`."""

    def __init__(self, binary: bytes, sm_count: int) -> None:
        self._module = driver.moduleLoadData(binary)
        self._functions: dict[str, int] = {}
        self._blocks = 8 * sm_count

    def _function(self, name: str) -> int:
        if name not in self._functions:
            self._functions[name] = driver.moduleGetFunction(self._module, name)
        return self._functions[name]

    def run(self, name: str, threads: int, *values: np.generic) -> None:
        """Launch a grid-stride kernel with at most as many threads as fill the GPU, and at least one block."""
        blocks = max(1, min(self._blocks, (threads + _THREADS - 1) // _THREADS))
        self._launch(name, blocks, _THREADS, values)

    def run_one(self, name: str, *values: np.generic) -> None:
        """Launch with a single thread."""
        self._launch(name, 1, 1, values)

    def _launch(self, name: str, blocks: int, threads: int, values: tuple[np.generic, ...]) -> None:
        held = [np.array(value) for value in values]
        pointers = (ctypes.c_void_p * max(1, len(held)))(*[value.ctypes.data for value in held])
        driver.launchKernel(self._function(name), blocks, 1, 1, threads, 1, 1, 0, 0, ctypes.addressof(pointers), 0)

    def close(self) -> None:
        """Unload the module."""
        driver.moduleUnload(self._module)
