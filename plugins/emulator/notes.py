"""Which lines of NOT_GPU_LIKE.md a kernel should know of, by the words it uses. Each sentence says the same as that list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plugins.emulator.set_aside import Device
from plugins.emulator.source_lines import line_at, words_with_offsets
from workbench.plugin_api import Message, Note, message

_NOTES: tuple[tuple[re.Pattern[str], Message], ...] = (
    (
        re.compile(r"clock|clock64"),
        message("Line {line}: {word} counts the host's nanoseconds here, not the cycles of a GPU.", line=0, word=""),
    ),
    (
        re.compile(r"__nanosleep"),
        message("Line {line}: {word} only gives the block's other threads a turn.", line=0, word=""),
    ),
    (
        re.compile(r"volatile"),
        message(
            "Line {line}: {word} is read afresh each time, but lanes do not run in lockstep here: code that counts on it needs "
            "__syncwarp.",
            line=0, word="",
        ),
    ),
    (
        re.compile(r"__activemask|coalesced_threads"),
        message(
            "Line {line}: {word} gives the lanes that come to this line once none can go on; a GPU may have split them further.",
            line=0, word="",
        ),
    ),
    (
        re.compile(r"__(?:exp|exp10|log|log2|log10|sin|cos|sincos|tan|tanh|pow|fdivide)f|__frcp_rn|rsqrtf?"),
        message("Line {line}: {word} is computed by the CPU; a GPU's approximation differs in its last bits.", line=0, word=""),
    ),
    (
        re.compile(r"(?:sin|cos|tan|exp|exp2|log|log2|log10|pow|tanh|erf|erfc|cbrt|tgamma|lgamma)f?"),
        message("Line {line}: {word} comes from the C library, whose last bits differ from a GPU's.", line=0, word=""),
    ),
    (
        re.compile(r"malloc|new"),
        message("Line {line}: {word} takes from a heap of 8 MiB whose blocks are told apart to 16 bytes.", line=0, word=""),
    ),
    (
        re.compile(r"memcpy_async|__pipeline_memcpy_async|make_pipeline|pipeline"),
        message("Line {line}: {word} copies at once, so that a missing wait cannot show here.", line=0, word=""),
    ),
    (
        re.compile(r"BlockScan|BlockRadixSort|BlockMergeSort|BlockExchange|BlockLoad|BlockStore"),
        message("Line {line}: {word} gives CUB's results with other accesses to shared memory than CUB's.", line=0, word=""),
    ),
    (
        re.compile(r"atomic(?:Add|Sub)\w*"),
        message("Line {line}: {word} adds in this machine's order; floating sums differ in their last bits.", line=0, word=""),
    ),
    (
        re.compile(r"printf"),
        message("Line {line}: {word} returns the characters written, not the number of arguments.", line=0, word=""),
    ),
)  # fmt: skip


def notes(device: Device) -> Iterator[Note]:
    """Yield one note for each kind of difference that the kernel or something it reaches may meet, at its first line."""
    text = device.source.text
    places: dict[str, int] = {}
    for item in device.reached:
        begin = len(device.source.body[: item.node.start_byte].decode())
        for word, offset in words_with_offsets(item.text):
            places.setdefault(word, begin + offset)
    for pattern, sentence in _NOTES:
        found = [(offset, word) for word, offset in places.items() if pattern.fullmatch(word)]
        if found:
            offset, word = min(found)
            line = line_at(text, offset)
            yield Note(line, Message(sentence.text, {"line": line, "word": word}))
