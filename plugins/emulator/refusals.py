"""What the emulator cannot do, refused by name and line before anything is compiled."""

from __future__ import annotations

import re
from collections.abc import Mapping

from plugins.emulator.source_lines import line_at, line_text, words_with_offsets
from workbench.plugin_api import Failure, Fault, SourceLine, message

_ASM = "inline assembly"
_TEXTURE = "layered, gathered and graded textures and surfaces"
_CLUSTER = "thread block clusters"
_DYNAMIC = "launching kernels from a kernel"
_EXCEPTION = "exceptions"
_RANDOM = "cuRAND's device functions"
_CURAND = (
    "curand_init", "curandState", "curandState_t", "curandStateXORWOW", "curandStateXORWOW_t", "curandStatePhilox4_32_10",
    "curandStatePhilox4_32_10_t", "curandStateMRG32k3a", "curandStateMRG32k3a_t", "curandStateMtgp32", "curandStateSobol32",
    "curandStateSobol32_t", "curandStateSobol64", "curandStateSobol64_t", "curandStateScrambledSobol32_t",
)  # fmt: skip

WHAT: Mapping[str, str] = {
    "asm": _ASM, "__asm": _ASM, "__asm__": _ASM,
    "bmma_sync": "tensor core operations on single bits",
    "tex2DGather": _TEXTURE, "tex1DLayered": _TEXTURE, "tex2DLayered": _TEXTURE, "texCubemap": _TEXTURE, "tex1DGrad": _TEXTURE,
    "tex2DGrad": _TEXTURE, "tex3DGrad": _TEXTURE, "surf1Dread": _TEXTURE, "surf2Dread": _TEXTURE, "surf3Dread": _TEXTURE,
    "surf1Dwrite": _TEXTURE, "surf2Dwrite": _TEXTURE, "surf3Dwrite": _TEXTURE, "cudaSurfaceObject_t": _TEXTURE,
    "__cluster_dims__": _CLUSTER, "cluster_group": _CLUSTER, "this_cluster": _CLUSTER,
    "cudaLaunchDevice": _DYNAMIC, "cudaDeviceSynchronize": _DYNAMIC,
    "try": _EXCEPTION, "throw": _EXCEPTION, "catch": _EXCEPTION,
    "goto_address": "computed goto",
    **dict.fromkeys(_CURAND, _RANDOM),
}  # fmt: skip
"""Word of the source -> what it stands for."""

_ATTRIBUTE = re.compile(r"\b_*(constructor|destructor|ifunc|alias|section|weakref|cleanup|init_priority)_*\b")


def refuse(what: str, line: int, text: str) -> Fault:
    """Return the fault for something unsupported at a line of the source."""
    return Fault(
        Failure(
            "NotSupported",
            message("Line {line}: the emulator cannot do {what}; use a CUDA device for this kernel.", line=line, what=what),
            (SourceLine(line, line_text(text, line)),),
        )
    )


def refuse_lambda(line: int, text: str) -> Fault:
    """Return the fault for a kernel template that is instantiated with a lambda of host code."""
    return refuse("kernels that are given a lambda of host code", line, text)


def check_words(text: str, begin: int, end: int) -> Fault | None:
    """Return the refusal for the first unsupported word in text[begin:end], None when there is none."""
    for word, offset in words_with_offsets(text[begin:end]):
        if word in WHAT:
            return refuse(f"{WHAT[word]} ({word})", line_at(text, begin + offset), text)
    return None


def check_attributes(text: str) -> None:
    """Refuse attributes that run code when a library is loaded or that name other symbols. Raises Fault(NotSupported)."""
    for found in re.finditer(r"__attribute__\s*\(\(|\[\[", text):
        attribute = text[found.start() : found.start() + 200].split("\n\n")[0]
        named = _ATTRIBUTE.search(attribute.split("))" if attribute.startswith("__") else "]]")[0])
        if named:
            raise refuse(f"the attribute {named[1]}", line_at(text, found.start()), text)


def check_assembly(text: str) -> None:
    """Refuse inline assembly anywhere, also where the syntax tree has gaps. Raises Fault(NotSupported)."""
    for word, offset in words_with_offsets(text):
        if WHAT.get(word) == _ASM:
            raise refuse(f"{_ASM} ({word})", line_at(text, offset), text)
