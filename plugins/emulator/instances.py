"""With which template arguments a source uses its kernels: from launches, explicit instantiations and addresses taken.

Arguments that a launch leaves out are deduced from the declared types of what it passes, as far as these can be read off the
enclosing function; what stays open there is told as such, never guessed silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plugins.emulator.syntax import Item, Source

if TYPE_CHECKING:
    from tree_sitter import Node

_LITERAL_TYPES = (
    (re.compile(r"0[xX][\da-fA-F]+|\d+"), "int"),
    (re.compile(r"\d+[uU]"), "unsigned"),
    (re.compile(r"[\d.]+(?:[eE][+-]?\d+)?[fF]"), "float"),
    (re.compile(r"[\d.]+(?:[eE][+-]?\d+)?"), "double"),
)
_CONSTANT = re.compile(r"\bconst(?:expr)?\b")
TRIED_TYPE, TRIED_NUMBER, TRIED_TRUTH = "float", "32", "true"
"""What `check` puts in place of a template argument that only the host program knows."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel's template. `default` is empty where there is none."""

    name: str
    is_type: bool
    of_type: str
    default: str


@dataclass(frozen=True)
class Instance:
    """One use of a kernel: its template arguments, where it stands (1-based), and the parameters that are not known."""

    arguments: tuple[str, ...]
    line: int
    unknown: tuple[str, ...] = ()
    lambda_line: int = 0
    """Where a lambda of host code is passed for one of the arguments; 0 where none is."""


def parameters(source: Source, kernel: Item) -> tuple[Parameter, ...]:
    """Return the parameters of a kernel's template."""
    found = next((child for child in kernel.node.children if child.type == "template_parameter_list"), None)
    return tuple(_parameter(source, child) for child in found.named_children if child.type != "comment") if found else ()


def _parameter(source: Source, node: Node) -> Parameter:
    is_type = "type_parameter" in node.type or node.type == "template_template_parameter_declaration"
    text = source.of(node)
    left, _, default = text.partition("=")
    words = re.findall(r"\w+", left)
    kind = " ".join(words[:-1])
    return Parameter(words[-1] if words else "", is_type, "" if is_type else kind, default.strip())


def instances(source: Source, kernel: Item) -> tuple[Instance, ...]:
    """Return the distinct uses of a template kernel in its source, those that are fully known first."""
    wanted = parameters(source, kernel)
    found = [_instance(source, kernel, node, wanted) for node in _uses(source, source.root, kernel)]
    distinct = {instance.arguments: instance for instance in reversed(found)}
    return tuple(sorted(distinct.values(), key=lambda instance: (len(instance.unknown), instance.line)))


def _uses(source: Source, node: Node, kernel: Item) -> Iterator[Node]:
    """Yield the nodes that name the kernel with template arguments, and the launches that leave them out."""
    if node.id == kernel.node.id:
        return
    if node.type == "template_function" and _name(source, node) == kernel.name:
        yield node
    if node.type == "call_expression" and any(child.type == "kernel_call_syntax" for child in node.children):
        function = node.child_by_field_name("function")
        if function is not None and source.of(function).split("::")[-1].strip() == kernel.name:
            yield node
    for child in node.children:
        yield from _uses(source, child, kernel)


def _name(source: Source, node: Node) -> str:
    name = node.child_by_field_name("name")
    return source.of(name) if name is not None else ""


def _instance(source: Source, kernel: Item, node: Node, wanted: tuple[Parameter, ...]) -> Instance:
    given = _given(source, node) if node.type == "template_function" else []
    call = node if node.type == "call_expression" else _call_of(node)
    outer = {**_constants(source, node), **_outer_arguments(source, node)}
    known = {parameter.name: outer.get(text, text) for parameter, text in zip(wanted, given, strict=False)}
    lambda_line = 0
    if call is not None and len(known) < len(wanted):
        deduced, lambda_line = _deduced(source, kernel, call)
        known |= {name: outer.get(kind, kind) for name, kind in deduced.items() if name not in known}
    known = {name: text for name, text in known.items() if not _open_names(source, node, text)}
    values, unknown = [], []
    for parameter in wanted:
        if parameter.name not in known and parameter.default:
            continue
        if parameter.name not in known:
            unknown.append(parameter.name)
        values.append(known.get(parameter.name, _tried(parameter)))
    return Instance(tuple(values), node.start_point[0] + 1, tuple(unknown), lambda_line)


def tried(wanted: tuple[Parameter, ...], line: int) -> Instance:
    """Return a use of a kernel that the source never uses: its defaults, and something tried for each other parameter."""
    first = [index for index, parameter in enumerate(wanted) if parameter.default]
    open_ones = wanted[: first[0]] if first else wanted
    return Instance(tuple(_tried(parameter) for parameter in open_ones), line, tuple(parameter.name for parameter in open_ones))


def _tried(parameter: Parameter) -> str:
    if parameter.is_type:
        return TRIED_TYPE
    return TRIED_TRUTH if parameter.of_type == "bool" else TRIED_NUMBER


def _given(source: Source, node: Node) -> list[str]:
    arguments = node.child_by_field_name("arguments")
    return [source.of(child).strip() for child in arguments.named_children] if arguments is not None else []


def _call_of(node: Node) -> Node | None:
    """Return the launch that a kernel's name with template arguments belongs to."""
    outer = node.parent
    while outer is not None and outer.type == "qualified_identifier":
        outer = outer.parent
    return outer if outer is not None and outer.type == "call_expression" else None


def _enclosing(node: Node, kind: str) -> Node | None:
    outer = node.parent
    while outer is not None and outer.type != kind:
        outer = outer.parent
    return outer


def _outer_names(source: Source, node: Node) -> list[str]:
    """Return the template parameters of the host functions around a node."""
    outer = _enclosing(node, "template_declaration")
    if outer is None:
        return []
    listed = next((child for child in outer.children if child.type == "template_parameter_list"), None)
    return [_parameter(source, child).name for child in listed.named_children] if listed is not None else []


def _open_names(source: Source, node: Node, text: str) -> bool:
    """Tell whether a template argument still names a parameter of the host, or a variable of the function around it."""
    words = set(re.findall(r"[A-Za-z_]\w*", text))
    return bool(words & {*_outer_names(source, node), *_local_names(source, node)})


def _local_names(source: Source, node: Node) -> Iterator[str]:
    """Yield the names of the variables and parameters of the function around a node, those of its lambdas too."""
    function = _enclosing(node, "function_definition")
    for inner in _walk(function) if function is not None else ():
        if inner.type in ("declaration", "parameter_declaration", "init_declarator"):
            for declarator in inner.children_by_field_name("declarator"):
                yield from (source.of(leaf) for leaf in _walk(declarator) if leaf.type == "identifier")


def _constants(source: Source, node: Node) -> Mapping[str, str]:
    """Return the constants of the function around a node with the text of their values."""
    function = _enclosing(node, "function_definition")
    found = {}
    for inner in _walk(function) if function is not None else ():
        if inner.type != "init_declarator" or inner.parent is None or not _CONSTANT.search(source.of(inner.parent)):
            continue
        name, value = inner.child_by_field_name("declarator"), inner.child_by_field_name("value")
        if name is not None and value is not None and name.type == "identifier":
            found[source.of(name)] = f"({source.of(value)})"
    return found


def _outer_arguments(source: Source, node: Node) -> Mapping[str, str]:
    """Return what the template parameters of the host function around a launch stand for, where the source says it once."""
    names = _outer_names(source, node)
    function = _enclosing(node, "function_definition")
    declarator = function.child_by_field_name("declarator") if function is not None else None
    called = declarator.child_by_field_name("declarator") if declarator is not None else None
    if not names or called is None:
        return {}
    uses = [_given(source, use) for use in _named(source, source.root, source.of(called))]
    return dict(zip(names, uses[0], strict=False)) if uses else {}


def _named(source: Source, node: Node, name: str) -> Iterator[Node]:
    if node.type == "template_function" and _name(source, node) == name:
        yield node
    for child in node.children:
        yield from _named(source, child, name)


def _deduced(source: Source, kernel: Item, call: Node) -> tuple[Mapping[str, str], int]:
    """Return the types that a launch's arguments give to the template's type parameters, and the line of a lambda."""
    given = call.child_by_field_name("arguments")
    declared = _declared_types(source, call)
    found: dict[str, str] = {}
    lambda_line = 0
    for (kind, depth), argument in zip(_kernel_parameters(source, kernel), given.named_children if given else [], strict=False):
        if argument.type == "lambda_expression":
            lambda_line = argument.start_point[0] + 1
        of = _type_of(source, argument, declared)
        if of is not None and of[1] >= depth:
            found.setdefault(kind, of[0] + "*" * (of[1] - depth))
    return found, lambda_line


def _kernel_parameters(source: Source, kernel: Item) -> list[tuple[str, int]]:
    """Return for each parameter of a kernel its type's name and the number of its pointers."""
    lists = [node for node in _walk(kernel.node) if node.type == "parameter_list"]
    return [_declared(source, node) for node in lists[0].named_children if "parameter" in node.type] if lists else []


def _declared(source: Source, node: Node) -> tuple[str, int]:
    kind = node.child_by_field_name("type")
    pointers = sum(child.type in ("pointer_declarator", "abstract_pointer_declarator") for child in _walk(node))
    return (source.of(kind).strip() if kind is not None else ""), pointers


def _declared_types(source: Source, node: Node) -> dict[str, tuple[str, int]]:
    """Return the variables and parameters of the function around a node with their types."""
    function = _enclosing(node, "function_definition")
    found: dict[str, tuple[str, int]] = {}
    for inner in _walk(function) if function is not None else ():
        if inner.type not in ("declaration", "parameter_declaration"):
            continue
        kind = inner.child_by_field_name("type")
        if kind is None or kind.type == "placeholder_type_specifier":
            continue
        for declarator in inner.children_by_field_name("declarator"):
            names = [leaf for leaf in _walk(declarator) if leaf.type == "identifier"]
            pointers = sum(leaf.type == "pointer_declarator" for leaf in _walk(declarator))
            if names:
                found[source.of(names[0])] = (source.of(kind).strip(), pointers)
    return found


def _type_of(source: Source, node: Node, declared: Mapping[str, tuple[str, int]]) -> tuple[str, int] | None:
    text = source.of(node)
    if node.type == "identifier":
        return declared.get(text)
    if node.type == "number_literal":
        return next(((kind, 0) for pattern, kind in _LITERAL_TYPES if pattern.fullmatch(text)), None)
    if node.type == "cast_expression" and (kind := node.child_by_field_name("type")) is not None:
        written = source.of(kind)
        return written.replace("*", "").strip(), written.count("*")
    return None


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _walk(child)
