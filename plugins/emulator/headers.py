"""Which headers a kernel may include: all of them are empty in the first pass, and the shim stands for them in the second."""

from __future__ import annotations

import hashlib
import posixpath
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

CUDA = (
    "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "cuda_device_runtime_api.h", "device_launch_parameters.h",
    "device_functions.h", "cuda_fp16.h", "cuda_fp16.hpp", "cuda_bf16.h", "cuda_bf16.hpp", "vector_types.h",
    "cuda_fp8.h", "cuda_fp8.hpp", "mma.h", "texture_types.h", "cuda_texture_types.h", "texture_fetch_functions.h",
    "vector_functions.h", "vector_functions.hpp", "math_constants.h", "math_functions.h", "driver_types.h",
    "builtin_types.h", "host_defines.h", "crt/host_defines.h", "device_atomic_functions.h", "sm_20_intrinsics.h",
    "sm_30_intrinsics.h", "sm_32_intrinsics.h", "sm_35_intrinsics.h", "sm_60_atomic_functions.h", "nvtx3/nvToolsExt.h",
    "cuda_profiler_api.h", "curand.h", "cublas_v2.h", "helper_cuda.h", "cooperative_groups.h", "cuda_pipeline.h",
    "cuda_pipeline_primitives.h", "helper_functions.h", "helper_string.h", "helper_timer.h",
    "cusparse.h", "cufft.h", "cusolverDn.h", "nvrtc.h", "nvToolsExt.h",
)  # fmt: skip
C = (
    "assert.h", "ctype.h", "errno.h", "float.h", "inttypes.h", "limits.h", "math.h", "stdarg.h", "stdbool.h", "stddef.h",
    "stdint.h", "stdio.h", "stdlib.h", "string.h", "time.h", "sys/time.h", "unistd.h",
)  # fmt: skip
CPP = (
    "algorithm", "array", "atomic", "cassert", "cctype", "cfloat", "chrono", "cinttypes", "climits", "cmath", "complex",
    "cstdarg", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "ctime", "exception", "fstream", "functional",
    "iomanip", "initializer_list", "iostream", "iterator", "limits", "list", "map", "memory", "mutex", "new", "numeric",
    "optional", "ostream", "random", "set", "sstream", "stdexcept", "string", "string_view", "system_error", "thread",
    "tuple", "type_traits", "unordered_map", "unordered_set", "utility", "vector",
)  # fmt: skip
FOLDERS = ("cub", "cooperative_groups", "cuda", "thrust", "nvtx3")
"""Folders of CUDA whose every header is answered, since they hold too many to be listed."""
_DIRECTIVE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?P<sign>[<"])(?P<name>[^>"\n]+)[>"]', re.MULTILINE)
_DEPTH = 8
"""Of the folder where headers stand in for those that nobody has: `../../common.h` is a name too."""
_ASSERT = "#ifdef NDEBUG\n#define assert(...) ((void)0)\n#endif\n"
ALLOWED = frozenset((*CUDA, *C, *CPP))


def write_stubs(folder: Path) -> Path:
    """Make a folder with a file for every allowed header and return it; safe to call from two processes at once."""
    names = hashlib.sha256("\0".join(sorted(ALLOWED)).encode()).hexdigest()[:12]
    done = folder / f"headers-{names}"
    if done.is_dir():
        return done
    folder.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(dir=folder, prefix="headers-"))
    for name in ALLOWED:
        stub = making / name
        stub.parent.mkdir(parents=True, exist_ok=True)
        stub.write_text(_ASSERT if name in ("assert.h", "cassert") else "", encoding="utf-8")
    try:
        making.rename(done)
    except OSError:  # another process was first
        shutil.rmtree(making)
    return done


def named_headers(text: str) -> Iterator[tuple[int, str]]:
    """Yield offset and name of each header that a text includes."""
    for found in _DIRECTIVE.finditer(text):
        yield found.start(), found["name"].strip()


def is_unknown(name: str) -> bool:
    """Tell whether a header is neither CUDA's nor C++'s as far as is known here."""
    return name not in ALLOWED and name.split("/")[0] not in FOLDERS


@dataclass(frozen=True)
class Absent:
    """A header that nobody has. `quoted`: somewhere it is named in quotes, as a project's own are."""

    name: str
    quoted: bool


def write_named_stubs(text: str, folder: Path) -> tuple[Path, Mapping[Path, Absent]]:
    """Make a folder with an empty file for every header that a text includes and that is not among `ALLOWED`.

    Most belong to the host program, which is set aside anyway. Returns the folder to search, and which of the files stand
    for headers that nobody has.
    """
    absent: dict[Path, Absent] = {}
    home = folder.joinpath(*["in"] * _DEPTH)
    home.mkdir(parents=True, exist_ok=True)
    for found in _DIRECTIVE.finditer(text):
        name = found["name"].strip()
        stub = Path(posixpath.normpath(posixpath.join(home.as_posix(), name)))
        if name in ALLOWED or not stub.is_relative_to(folder) or stub == home or stub in home.parents:
            continue
        stub.parent.mkdir(parents=True, exist_ok=True)
        stub.write_text("", encoding="utf-8")
        if is_unknown(name):
            quoted = found["sign"] == '"' or (stub in absent and absent[stub].quoted)
            absent[stub] = Absent(name, quoted)
    return home, absent
