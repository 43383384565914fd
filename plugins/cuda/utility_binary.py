"""`utility.cu`, the workbench's own kernels, compiled once for a GPU and kept in the cache."""

from __future__ import annotations

import hashlib
from pathlib import Path

from plugins.cuda.compile import write_whole
from plugins.cuda.nvrtc import Nvrtc
from workbench.plugin_api import Unavailable, cache_folder

_SOURCE = Path(__file__).with_name("utility.cu")


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
