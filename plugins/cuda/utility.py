"""The workbench's own kernels (`utility.cu`), compiled once for a GPU and kept in the cache."""

from __future__ import annotations

import ctypes
import hashlib
from pathlib import Path

import numpy as np
from cupy.cuda import driver

from plugins.cuda.compile import write_whole
from plugins.cuda.nvrtc import Nvrtc
from workbench.plugin_api import Unavailable, cache_folder

_SOURCE = Path(__file__).with_name("utility.cu")
_THREADS = 256


def utility_binary(nvrtc: Nvrtc, architecture: str) -> bytes:
    """Return the cubin of `utility.cu`, compiled now or kept from an earlier start. Raises Unavailable with the log."""
    source = _SOURCE.read_text(encoding="utf-8")
    key = hashlib.sha256(f"{source} {architecture} {nvrtc.version}".encode()).hexdigest()[:32]
    kept = cache_folder() / "cuda" / f"utility-{key}.cubin"
    if kept.is_file():
        return kept.read_bytes()
    built = nvrtc.build(source, [f"--gpu-architecture={architecture}", "--disable-warnings"], [])
    if not built.cubin:
        words = next((row for row in built.log.splitlines() if row.strip()), "no words").strip()
        raise Unavailable(
            "NVRTC {version} cannot compile for {architecture} ({words}); install a CuPy and an NVRTC that know this GPU.",
            version=".".join(str(part) for part in nvrtc.version),
            architecture=architecture,
            words=words,
        )
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_whole(kept, built.cubin)
    return built.cubin


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
