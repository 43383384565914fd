"""How a source becomes the text that is compiled, and what has to be remembered about it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import msgspec

from plugins.emulator import preprocess, refusals, topics
from plugins.emulator.diagnostics import ENTRY_FILE, USER_FILE
from plugins.emulator.rewrite import Rewriter, waits_for_memory
from plugins.emulator.set_aside import Device, divide
from plugins.emulator.source_lines import words as words_of
from plugins.emulator.syntax import Item, Source, parse
from plugins.emulator.toolchain import Toolchain
from workbench.plugin_api import Code, CompileData, Failure, Fault, message

_TOGETHER = re.compile(
    r"__syncthreads\w*|__syncwarp|__shfl\w+|__ballot_sync|__any_sync|__all_sync|__activemask|__match_\w+|__reduce_\w+_sync|__nanosleep"
    r"|cooperative_groups|this_thread_block|coalesced_threads|(?:tiled|labeled|binary)_partition|thread_block\w*|thread_group"
    r"|coalesced_group|cub|(?:Block|Warp)(?:Reduce|Scan|Load|Store|Exchange|Shuffle|RadixSort|MergeSort|Discontinuity)"
    r"|barrier|pipeline|make_pipeline|__pipeline_wait_prior|(?:load_matrix|store_matrix|mma)_sync"
)
_TEMPLATE = re.compile(r"[\w:<>,*& .+\-()/%!']+")
_OPENS = re.compile(r"using\s+namespace\s+(?:::)?([\w:]+)")
_DEFAULT_DEVICE = ("-default-device", "--device-as-default-execution-space")


class Facts(msgspec.Struct, frozen=True):
    """What is kept beside a compiled kernel."""

    data: CompileData
    fibers: bool
    """The threads of a block wait for each other; without that a block is a loop."""
    in_order: bool
    """The kernel may wait for other blocks."""
    launch_bound: int | None
    standard: str
    fused: bool
    entry_line: int


class Recipe(msgspec.Struct, frozen=True):
    """The text to compile (`kernel.cpp`), the expanded source (for lines), and what is known before compiling."""

    text: str
    expanded: str
    options: tuple[str, ...]
    ignored: tuple[str, ...]
    absent: tuple[tuple[int, str], ...]
    """Line and name of the headers that nobody has, taken as empty."""
    fibers: bool
    in_order: bool
    launch_bound: int | None
    standard: str
    fused: bool
    entry_line: int


def write_recipe(toolchain: Toolchain, code: Code, work: Path, stubs: Path, name: str, *, alone: bool = False) -> Recipe:
    """Return how to compile `code`, with the other kernels of its source or `alone`.

    Raises Fault(CompileFailed | NotSupported).
    """
    given = tuple(option for option in code.options if option not in _DEFAULT_DEVICE)
    options = preprocess.read_options(given)
    expanded = preprocess.expand(toolchain, code, options, work, stubs=stubs, name=name)
    device = divide(parse(expanded.text), code.entry, code.template, name, default_device=given != code.options)
    device = _alone(device) if alone else _without_refused(device)
    body = _render(device)
    # Of what is compiled, also where the syntax tree has gaps: dropped parts are blank by now.
    refusals.check_assembly(body)
    refusals.check_attributes(body)
    constants = _symbols(device, code)
    launch = f'\n#line 1 "{ENTRY_FILE}"\n{constants}\nLEDGER_ENTRY(ledger_symbols, {_entry(device)})\n'
    words = device.words
    return Recipe(
        text=f'{_topics(device)}{_arithmetic(options)}#line 1 "{USER_FILE}"\n{body}{launch}',
        expanded=expanded.text,
        options=tuple(code.options),
        ignored=options.ignored,
        absent=expanded.absent,
        fibers=waits_for_memory(device) or any(_TOGETHER.fullmatch(word) for word in words),
        in_order=waits_for_memory(device),
        launch_bound=device.kernel.launch_bound,
        standard=options.standard,
        fused=options.fused,
        entry_line=device.kernel.line,
    )


def _topics(device: Device) -> str:
    named = set().union(*(item.words for item in device.kept), *(words_of(argument) for argument in device.template))
    return topics.include_lines(named, "\n".join(item.text for item in device.kept)) + _opened(device)


def _opened(device: Device) -> str:
    """Return declarations of the namespaces that the source opens: some belong to host libraries whose headers are empty."""
    aliases = {item.name for item in device.kept if item.kind == "using"}
    opened = [found[1] for item in device.kept if (found := _OPENS.match(item.text)) and found[1] not in aliases]
    return "".join(f"namespace {name} {{}}\n" for name in dict.fromkeys(opened) if name != "std" and not name.startswith("std::"))


def _arithmetic(options: preprocess.Options) -> str:
    names = '#include "emulator/fast_names.h"\n' if options.fast else ""
    return f"{names}#define LEDGER_MODULE_FLAGS {'LEDGER_FLUSHES' if options.flush else 0}\n"


def _alone(device: Device) -> Device:
    """Return a kernel with only what it reaches by name, beside operators and the like, which are used without a name."""
    kept = tuple(item for item in device.kept if item in device.reached or not item.is_named_to_be_used)
    return replace(device, kept=kept, dropped=tuple(item for item in (*device.dropped, *device.kept) if item not in kept))


def _without_refused(device: Device) -> Device:
    """Refuse what the kernel needs and the emulator lacks; set other kernels with such things aside."""
    gone = []
    for item in device.kept:
        begin = len(device.source.body[: item.node.start_byte].decode())
        fault = refusals.check_words(device.source.text, begin, begin + len(item.text)) or _launches(device.source, item)
        if fault is None:
            continue
        if item in device.reached:
            raise fault
        gone.append(item)
    kept = tuple(item for item in device.kept if item not in gone)
    return replace(device, kept=kept, dropped=(*device.dropped, *gone))


def _launches(source: Source, item: Item) -> Fault | None:
    """Return the refusal of the first launch inside an item of the device, None where there is none."""
    waiting = [item.node]
    while waiting:
        node = waiting.pop()
        if node.type == "kernel_call_syntax":
            return refusals.refuse("launching a kernel from a kernel", node.start_point[0] + 1, source.text)
        waiting += reversed(node.children)
    return None


def _render(device: Device) -> str:
    try:
        return Rewriter(device).render_file(device.kept, device.dropped)
    except RecursionError:
        sentence = message("The kernel nests expressions too deeply for the emulator; split the longest one.")
        raise Fault(Failure("NotSupported", sentence)) from None


def _entry(device: Device) -> str:
    for argument in device.template:
        if not _TEMPLATE.fullmatch(argument):
            sentence = message("[kernel] template has {value}; a type, a number or a name was expected.", value=argument)
            raise Fault(Failure("CompileFailed", sentence))
    return device.kernel.full_name + (f"<{', '.join(device.template)}>" if device.kernel.is_template else "")


def _symbols(device: Device, code: Code) -> str:
    names = {item.name.split("::")[-1]: item.full_name for item in device.constants}
    for wanted in code.constants:
        if wanted not in names:
            there = ", ".join(names) or "—"
            sentence = message(
                "The project gives values for the constant {wanted}, which the source does not declare as "
                "__constant__; it has: {there}.",
                wanted=wanted, there=there,
            )  # fmt: skip
            raise Fault(Failure("CompileFailed", sentence))
    listed = "".join(f'ledger::symbol("{short}", {full}), ' for short, full in names.items())
    return f"static const LedgerSymbol ledger_symbols[] = {{{listed}LedgerSymbol{{}}}};"
