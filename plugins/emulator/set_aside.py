"""What of a source belongs on the device: kernels, device functions and what they name. Host code is set aside.

The rules are nvcc's: a function without `__device__` or `__global__` is a host function (constexpr ones may be used anyway).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plugins.emulator.instances import instances, parameters
from plugins.emulator.refusals import refuse_lambda
from plugins.emulator.source_lines import line_text, words
from plugins.emulator.syntax import Item, Source, items
from workbench.plugin_api import Failure, Fault, SourceLine, message

_WORD_OF_MEMORY = {"device", "constant", "managed", "shared"}


class NotThere(Fault):
    """The kernel was not found by its name. `garbled`: the source, where it has syntax errors and may hold it all the same."""

    garbled: str | None = None


@dataclass(frozen=True)
class Device:
    """A source with its kernels, the items that are compiled, and those that only the entry needs."""

    source: Source
    kernel: Item
    kept: tuple[Item, ...]
    dropped: tuple[Item, ...]
    reached: tuple[Item, ...]
    """The kept items that the kernel can reach by name."""
    template: tuple[str, ...] = ()
    """The kernel's template arguments: the project's, else the only ones that the source uses it with."""

    @property
    def words(self) -> set[str]:
        """Every word that the kernel or something it reaches uses."""
        return set().union(*(item.words for item in self.reached))

    @property
    def constants(self) -> tuple[Item, ...]:
        """The `__constant__` variables."""
        return tuple(item for item in self.kept if item.kind == "variable" and "constant" in item.qualifiers)


def _failed(sentence: str, lines: Sequence[SourceLine] = (), **arguments: str | int) -> Fault:
    return Fault(Failure("CompileFailed", message(sentence, **arguments), tuple(lines)))


def _not_there(sentence: str, **arguments: str | int) -> NotThere:
    return NotThere(Failure("WrongInput", message(sentence, **arguments)))


def find_kernel(all_items: Sequence[Item], entry: str, template: Sequence[str], name: str) -> Item:
    """Return the kernel called `entry`, a template only where nothing else fits. Raises NotThere naming those there are."""
    kernels = [item for item in all_items if item.kind == "function" and "global" in item.qualifiers]
    found = [item for item in kernels if entry in (item.full_name, item.name)]
    if not kernels:
        raise _not_there("{name} has no kernel: no function in it is marked __global__.", name=name)
    if not found:
        there = ", ".join(dict.fromkeys(item.full_name for item in kernels))
        raise _not_there("{name} has no kernel named {entry}; it has: {there}.", name=name, entry=entry, there=there)
    fitting = [item for item in found if item.is_template == bool(template)] or found
    if template and not fitting[0].is_template:
        raise _failed("[kernel] template gives arguments, but the kernel {entry} is not a template.", entry=entry)
    return fitting[0]


def template_of(source: Source, kernel: Item, given: Sequence[str]) -> tuple[str, ...]:
    """Return a kernel's template arguments: those given, else the only ones that the source uses it with.

    Raises Fault(CompileFailed) where the source uses none or several, Fault(NotSupported) for a lambda of the host.
    """
    if given or not kernel.is_template:
        return tuple(given)
    found = instances(source, kernel)
    for instance in found:
        if instance.lambda_line and instance.unknown:
            raise refuse_lambda(instance.lambda_line, source.text)
    known = [instance for instance in found if not instance.unknown]
    if len(known) == 1 or (not found and all(parameter.default for parameter in parameters(source, kernel))):
        return known[0].arguments if known else ()
    example = ", ".join(f'"{argument}"' for argument in (known[0].arguments if known else ("float",)))
    raise _failed(
        "The kernel {entry} is a template, so [kernel] template must give its arguments, for example [{example}].",
        [SourceLine(kernel.line, kernel.header.strip().split("\n")[0])],
        entry=kernel.full_name,
        example=example,
    )


def is_device(item: Item) -> bool:
    """Return whether an item stays by its own qualifiers."""
    if item.kind in ("function", "prototype"):
        return bool(item.qualifiers & {"global", "device"})
    return item.kind == "variable" and bool(item.qualifiers & _WORD_OF_MEMORY)


def _may_stay(item: Item) -> bool:
    """Return whether an item without CUDA's words may serve device code that names it."""
    if item.kind == "function":
        return re.search(r"\b(?:constexpr|consteval)\b", item.header) is not None
    if item.kind == "variable":
        return re.search(r"\b(?:const|constexpr)\b", item.header) is not None
    return item.kind != "prototype"


def _last_name(item: Item) -> str:
    name = item.name.split("::")[-1].split("[")[0].lstrip("*& ")
    return name if name.startswith("operator") else name.split("<")[0].strip()


def _reach(roots: Sequence[Item], others: Sequence[Item], named: Iterable[str] = ()) -> list[Item]:
    reached = list(roots)
    waiting = [item for item in others if item not in roots]
    seen = set(named)
    index = 0
    while index < len(reached):
        seen |= reached[index].words
        index += 1
        if index == len(reached):
            new = [item for item in waiting if _is_named(item, seen)]
            waiting = [item for item in waiting if not _is_named(item, seen)]
            reached += new
    return reached


def _is_named(item: Item, seen: set[str]) -> bool:
    name = _last_name(item)
    if item.kind == "type" and not name:  # an enum without a name: its enumerators are the names
        return bool(item.words & seen)
    if item.kind == "other":
        # An explicit instantiation is no part of this kernel: it may even be of one that cannot be compiled here.
        opens = item.text.startswith("using namespace") and ("std" not in item.words or "std" in seen)
        return opens or item.text.startswith("static_assert") or "concept" in item.words
    return name in seen or (item.kind == "type" and item.text.startswith("enum") and bool(item.words & seen))


def divide(source: Source, entry: str, template: Sequence[str], name: str, *, default_device: bool = False) -> Device:
    """Return what of the source is compiled for `entry`. Raises Fault(CompileFailed)."""
    every = list(items(source))
    try:
        kernel = find_kernel(every, entry, template, name)
    except NotThere as fault:
        fault.garbled = source.text if source.root.has_error else None
        raise
    arguments = template_of(source, kernel, template)
    if default_device:
        on_device = [item for item in every if item.kind != "function" or _last_name(item) != "main"]
    else:
        on_device = [item for item in every if is_device(item)]
    allowed = [item for item in every if item in on_device or _may_stay(item)]
    kept = _reach(on_device, allowed, words(" ".join(arguments)))
    reached = _reach([kernel], kept)
    dropped = [item for item in every if item not in kept]
    _check_host_calls(source, reached, dropped)
    return Device(source, kernel, _in_order(kept), tuple(dropped), _in_order(reached), arguments)


def _in_order(chosen: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(sorted(chosen, key=lambda item: item.node.start_byte))


def _check_host_calls(source: Source, reached: Sequence[Item], dropped: Sequence[Item]) -> None:
    hosts = {_last_name(item) for item in dropped if item.kind in ("function", "prototype")}
    hosts -= {_last_name(item) for item in reached}
    for item in reached:
        for host in sorted(hosts & item.words):
            found = re.search(rf"(?<![\w.])(?<!->){re.escape(host)}\s*(?:<[^;{{}}()]*>)?\s*\(", item.text)
            if found is None:
                continue
            line = item.line + item.text.count("\n", 0, found.start())
            raise _failed(
                "Line {line}: {caller} calls {host}, a host function; only functions marked __device__ can be called "
                "from a kernel.",
                [SourceLine(line, line_text(source.text, line))],
                line=line, caller=_last_name(item) or "the kernel", host=host,
            )  # fmt: skip
