"""What a compiled kernel may name outside itself, checked before it is loaded for the first time.

A kernel here is machine code in the worker's process. It can name only the functions listed below, runs nothing when it is
loaded, and can open no file and start no process while it runs (resources/emulator/runtime/launcher.cpp). That stops
accidents and simple cheats; it is no sandbox against code that computes addresses (resources/emulator/NOT_GPU_LIKE.md).
"""

from __future__ import annotations

import re
from pathlib import Path

from plugins.emulator.elf import Image, NotElf, read_image
from plugins.emulator.source_lines import line_at, line_text
from workbench.plugin_api import Failure, Fault, SourceLine, message

RUNTIME = frozenset(
    [
        "ledger_thread",
        "ledger_barrier",
        "ledger_warp",
        "ledger_lane",
        "ledger_active_lanes",
        "ledger_call_site",
        "ledger_call_end",
        "ledger_spin",
        "ledger_fence",
        "ledger_printf",
        "ledger_assertion",
        "ledger_trap",
        "ledger_access",
        "ledger_clock",
        "ledger_barrier_part",
        "ledger_heap_get",
        "ledger_heap_give",
    ]
)
_UNARY = """acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 exp10 expm1 fabs floor j0 j1 lgamma log log10
    log1p log2 logb nearbyint rint round roundeven sin sinh sqrt tan tanh tgamma trunc y0 y1 lrint llrint lround llround ilogb"""
_OTHER = (
    "atan2 copysign fdim fma fmax fmin fmod frexp hypot jn ldexp modf nextafter pow remainder remquo scalbn scalbln sincos yn"
)
MATHEMATICS = frozenset(f"{name}{suffix}" for name in (_UNARY + " " + _OTHER).split() for suffix in ("", "f"))
MATHEMATICS_LIBRARY = "libm.so.6"
MEMORY = frozenset({"memcpy", "memmove", "memset", "memcmp"})
LOADER = frozenset({"__tls_get_addr", "_GLOBAL_OFFSET_TABLE_"})
_HOOK = re.compile(
    r"__tsan_(?:(?:unaligned_)?(?:volatile_)?(?:read|write|read_write)\d+|(?:read|write)_range|mem(?:cpy|move|set)|init"
    r"|func_(?:entry|exit)|vptr_(?:update|read))|__sanitizer_cov_trace_pc|__ubsan_handle_(?:out_of_bounds|type_mismatch_v1)"
)
_PLAIN_NAMES = {"_Znwm": "operator new", "_Znam": "operator new[]", "_ZdlPv": "operator delete", "_ZdaPv": "operator delete[]"}


def allowed(symbol: str, *, checked: bool) -> bool:
    """Return whether a kernel may name a symbol that it does not define."""
    name = symbol.split("@")[0]
    known = name in RUNTIME or name in MATHEMATICS or name in MEMORY or name in LOADER
    return known or (checked and _HOOK.fullmatch(name) is not None)


def check(library: Path, text: str, *, checked: bool = False) -> Image:
    """Return what a compiled kernel contains. Raises Fault(NotSupported) for what it may not contain.

    `text` is the preprocessed source, for the line where a refused name stands. The checked build has one start function
    of the compiler's own (`__tsan_init`), which does nothing here.
    """
    try:
        image = read_image(library)
    except NotElf:
        sentence = message(
            "The compiler made a library of a kind that the emulator cannot check; use g++ or clang++ for this machine."
        )
        raise Fault(Failure("NotSupported", sentence)) from None
    for symbol in (*image.undefined, *image.resolvers):
        if symbol in image.resolvers or not allowed(symbol, checked=checked):
            raise _refused(symbol, text)
    strange = [name for name in image.needed if name != MATHEMATICS_LIBRARY]
    if strange:
        raise Fault(
            Failure("NotSupported", message("The kernel asks for the library {name}; a kernel may use none.", name=strange[0]))
        )
    if image.start_functions and not checked:
        sentence = message(
            "The kernel has a variable whose first value is computed when it is loaded; give __device__ and "
            "__constant__ variables "
            "constant values, as CUDA demands."
        )
        raise Fault(Failure("NotSupported", sentence))
    return image


def _refused(symbol: str, text: str) -> Fault:
    name = _PLAIN_NAMES.get(symbol, symbol)
    found = re.search(rf"\b{re.escape(name.split()[-1])}\b", text)
    lines: tuple[SourceLine, ...] = ()
    if found:
        line = line_at(text, found.start())
        lines = (SourceLine(line, line_text(text, line)),)
    sentence = message(
        "The kernel calls {name}, which a kernel cannot call: only device functions, CUDA's own and C's mathematical ones.",
        name=name,
    )
    return Fault(Failure("NotSupported", sentence, lines))


def static_shared_bytes(image: Image) -> int:
    """Return the bytes of `__shared__` variables that a compiled kernel has (each a thread-local variable here)."""
    return sum(size for name, size in image.thread_local if "ledger_" not in name)
