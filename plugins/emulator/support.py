"""`check`: what the emulator can do with a source that is in no project. Every kernel is really compiled."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from plugins.emulator import preprocess, refusals
from plugins.emulator.compiler import Compiler
from plugins.emulator.instances import Instance, instances, parameters, tried
from plugins.emulator.notes import notes
from plugins.emulator.set_aside import divide, find_kernel
from plugins.emulator.syntax import Item, Source, items, parse
from workbench.plugin_api import Code, Failure, Fault, KernelSupport, Message, Note, Support, message

MOST_INSTANCES = 32
"""Of one kernel template: a source with more says what the first ones say."""


def inspect(compiler: Compiler, code: Code, folder: Path, name: str) -> Support:
    """Return what can be done with a source: all its kernels, or `code.entry` (with `code.template`) alone.

    Raises Fault(WrongInput) where there is no kernel of that name.
    """
    try:
        source, absent = _read(compiler, code, name)
        kernels = _kernels(source, code, name)
    except Fault as fault:
        if fault.failure.kind == "WrongInput" and code.entry:
            raise
        return Support(failure=fault.failure)
    asked = [(kernel, instance) for kernel in kernels for instance in _wanted(source, kernel, code.template)]
    found = [_compile(compiler, code, pair, source, (folder, name)) for pair in asked]
    return Support(tuple(msgspec.structs.replace(kernel, notes=(*absent, *kernel.notes)) for kernel in found))


def _read(compiler: Compiler, code: Code, name: str) -> tuple[Source, tuple[Note, ...]]:
    """Return the parsed source, and a note for each header that nobody has."""
    options = preprocess.read_options(code.options)
    with tempfile.TemporaryDirectory(prefix="kernel-ledger-") as folder:
        expanded = preprocess.expand(compiler.toolchain, code, options, Path(folder), stubs=compiler.cache, name=name)
    return parse(expanded.text), tuple(Note(line, _absent(line, header)) for line, header in expanded.absent)


def _absent(line: int, header: str) -> Message:
    return message("Line {line}: <{header}> is not there and counts as empty on the emulator.", line=line, header=header)


def _kernels(source: Source, code: Code, name: str) -> Sequence[Item]:
    every = list(items(source))
    if code.entry:
        return [find_kernel(every, code.entry, code.template, name)]
    found = [item for item in every if item.kind == "function" and "global" in item.qualifiers]
    if not found:
        sentence = message("{name} has no kernel: no function in it is marked __global__.", name=name)
        raise Fault(Failure("CompileFailed", sentence))
    return list({item.full_name: item for item in found}.values())


def _wanted(source: Source, kernel: Item, template: Sequence[str]) -> Iterator[Instance]:
    if not kernel.is_template or template:
        yield Instance(tuple(template), kernel.line)
        return
    found = instances(source, kernel)
    known = [instance for instance in found if not instance.unknown]
    yield from (known or found or [tried(parameters(source, kernel), kernel.line)])[:MOST_INSTANCES]


def _compile(
    compiler: Compiler, code: Code, asked: tuple[Item, Instance], source: Source, kept: tuple[Path, str]
) -> KernelSupport:
    (kernel, instance), (folder, name) = asked, kept
    found = KernelSupport(kernel.full_name, kernel.line, instance.arguments, instance.unknown)
    try:
        if instance.lambda_line and instance.unknown:
            raise refusals.refuse_lambda(instance.lambda_line, source.text)
        wanted = msgspec.structs.replace(code, entry=kernel.full_name, template=instance.arguments)
        device = divide(source, wanted.entry, wanted.template, name)
        found = msgspec.structs.replace(found, notes=tuple(notes(device)))
        compiler.compile(wanted, folder, name)
    except Fault as fault:
        if instance.unknown and fault.failure.detail:  # the compiler's own words: they may be about what was put in
            return msgspec.structs.replace(found, untried=True, notes=(*found.notes, _untried(found, fault.failure)))
        return msgspec.structs.replace(found, failure=fault.failure)
    return found


def _untried(kernel: KernelSupport, failure: Failure) -> Note:
    sentence = message(
        "Line {line}: {kernel} could not be tried, since only the host program knows {names} and what was put in does not "
        "compile ({said}); name its arguments: --entry '{short}<...>'.",
        line=kernel.line, kernel=kernel.full_name, names=", ".join(kernel.tried), short=kernel.name,
        said=next((f"{line.line}: {line.text}" for line in failure.lines if line.severity == "error"), "—"),
    )  # fmt: skip
    return Note(kernel.line, sentence)
