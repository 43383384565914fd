"""The syntax tree of a preprocessed kernel source, and the items that stand at its top level."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from plugins.emulator.source_lines import blank, words
from workbench.plugin_api import Failure, Fault, message

if TYPE_CHECKING:  # a project's own interpreter launches compiled kernels and has no tree-sitter
    from tree_sitter import Node, Parser

_MASKED_CALLS = re.compile(
    r"\b(?:__align__|__launch_bounds__|__maxnreg__|alignas|__attribute__|__declspec|__builtin_align__)\s*\("
)
_MASKED_WORDS = re.compile(r"\b(?:__forceinline__|__noinline__|__restrict__|__restrict|__grid_constant__|__inline_hint__)\b")
_MASKED_LINES = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_CLUSTER = "__cluster_dims__"
_BOUNDS = re.compile(r"__launch_bounds__\s*\(\s*(\d+)")
_QUALIFIER = re.compile(r"\b__(?:global|device|host|constant|shared|managed)__\b")

_SCOPES = {"translation_unit", "declaration_list", "linkage_specification", "namespace_definition"}
_TYPES = {"struct_specifier", "class_specifier", "union_specifier", "enum_specifier"}


@dataclass(frozen=True)
class Source:
    """A parsed source. The tree is that of `view`, where what confuses the grammar is blank; offsets fit both."""

    text: str
    body: bytes
    root: Node

    def of(self, node: Node) -> str:
        """Return the real text of a node."""
        return self.body[node.start_byte : node.end_byte].decode()


@dataclass(frozen=True)
class Item:
    """One definition or declaration at namespace level. `scope` is the enclosing namespaces joined by `::`."""

    node: Node
    kind: str
    """function, prototype, variable, type, using, other"""
    name: str
    scope: str
    text: str
    header: str
    """The text before the body or the initial value."""
    is_template: bool

    @cached_property
    def qualifiers(self) -> frozenset[str]:
        """CUDA's words in the header, without underscores: global, device, constant ..."""
        return frozenset(word.strip("_") for word in _QUALIFIER.findall(self.header))

    @cached_property
    def words(self) -> set[str]:
        """Every word of the item."""
        return words(self.text)

    @property
    def line(self) -> int:
        """Where it starts (1-based)."""
        return self.node.start_point[0] + 1

    @property
    def full_name(self) -> str:
        """Name with its namespaces."""
        return f"{self.scope}::{self.name}" if self.scope else self.name

    @property
    def is_named_to_be_used(self) -> bool:
        """False for operators, conversions and destructors, used without a name, and constants, which a project fills."""
        return not ("operator" in self.name or "~" in self.name or "constant" in self.qualifiers)

    @property
    def launch_bound(self) -> int | None:
        """The most threads per block that `__launch_bounds__` allows, where it is a plain number."""
        found = _BOUNDS.search(self.header)
        return int(found[1]) if found else None


def _close(text: str, opening: int) -> int:
    depth = 0
    for index in range(opening, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if depth == 0:
            return index + 1
    return len(text)


def _view(text: str) -> str:
    """Return text of the same bytes with directives, attributes and qualifiers that the grammar misreads blanked."""
    view = _without_clusters(_MASKED_LINES.sub(lambda found: blank(found[0]), text))
    view = _MASKED_WORDS.sub(lambda found: blank(found[0]), view)
    position = 0
    while found := _MASKED_CALLS.search(view, position):
        end = _close(view, found.end() - 1)
        view = view[: found.start()] + blank(view[found.start() : end]) + view[end:]
        position = found.start()
    return view


def _without_clusters(text: str) -> str:
    """Return text with each attribute of a cluster read as a qualifier: blank, one that comes first would belong to no item."""
    position = 0
    while (start := text.find(_CLUSTER, position)) >= 0:
        opening = re.compile(r"\s*\(").match(text, start + len(_CLUSTER))
        end = _close(text, opening.end() - 1) if opening else start + len(_CLUSTER)
        text = text[:start] + "__device__".ljust(len(_CLUSTER)) + blank(text[start + len(_CLUSTER) : end]) + text[end:]
        position = end
    return text


def _same_bytes(view: str, text: str) -> bytes:
    """Return the view's bytes with each blanked wide character as wide as the text's."""
    if text.isascii():
        return view.encode()
    return b"".join(b" " * len(real.encode()) if seen == " " else seen.encode() for seen, real in zip(view, text, strict=True))


def parse(text: str) -> Source:
    """Return the parsed source. The grammar recovers from anything; what it cannot read becomes ERROR nodes.

    Raises Fault(NotSupported) where tree-sitter is not installed.
    """
    tree = _parser().parse(_same_bytes(_view(text), text))
    return Source(text, text.encode(), tree.root_node)


def _parser() -> Parser:
    try:
        import tree_sitter_cuda
        from tree_sitter import Language, Parser
    except ModuleNotFoundError as error:
        sentence = message(
            "Compiling for the emulator needs {name}, which [python] interpreter does not have; install tree-sitter and "
            "tree-sitter-cuda there, or launch no other kernel in the pipeline.",
            name=str(error.name),
        )
        raise Fault(Failure("NotSupported", sentence)) from None
    return Parser(Language(tree_sitter_cuda.language()))


def items(source: Source) -> Iterator[Item]:
    """Yield the items at namespace level, in order, those inside namespaces and extern "C" blocks too."""
    yield from _items(source, source.root, "")


def _items(source: Source, node: Node, scope: str) -> Iterator[Item]:
    for child in node.children:
        if child.type == "namespace_definition":
            name = child.child_by_field_name("name")
            inner = source.of(name) if name else ""
            body = child.child_by_field_name("body")
            if body is not None:
                yield from _items(source, body, "::".join(part for part in (scope, inner) if part))
        elif child.type == "linkage_specification":
            body = child.child_by_field_name("body")
            if body is not None and body.type == "declaration_list":
                yield from _items(source, body, scope)
            elif body is not None:
                yield _item(source, body, scope, outer=child)
        elif child.is_named and child.type not in ("comment", "storage_class_specifier", "string_literal"):
            yield _item(source, child, scope, outer=child)


def _item(source: Source, node: Node, scope: str, outer: Node) -> Item:
    is_template = False
    inner = node
    while inner.type == "template_declaration":
        is_template = True
        inner = inner.named_children[-1]
    kind, name = _kind(source, inner)
    body = inner.child_by_field_name("body")
    text = source.of(outer)
    end = body.start_byte if body is not None else outer.end_byte
    header = source.body[outer.start_byte : end].decode()
    if kind in ("variable", "prototype"):
        header = re.split(r"[={]", header, maxsplit=1)[0]
    return Item(outer, kind, name, scope, text, header, is_template)


def _kind(source: Source, node: Node) -> tuple[str, str]:
    if node.type == "function_definition":
        return "function", declared_name(source, node)
    if node.type == "declaration":
        return ("prototype" if _is_prototype(node) else "variable"), declared_name(source, node)
    if node.type in _TYPES:
        name = node.child_by_field_name("name")
        return "type", source.of(name).split("<")[0].strip() if name else ""
    if node.type == "type_definition":
        return "type", declared_name(source, node)
    if node.type == "alias_declaration":
        name = node.child_by_field_name("name")
        return "type", source.of(name) if name else ""
    if node.type == "namespace_alias_definition":
        alias = node.child_by_field_name("name")
        return "using", source.of(alias) if alias else ""
    if node.type == "using_declaration" and not source.of(node).startswith("using namespace"):
        return "using", (source.of(node).rstrip("; ").split("::")[-1].split()[-1])
    return "other", ""


def _is_prototype(node: Node) -> bool:
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type in ("pointer_declarator", "reference_declarator"):
        declarator = declarator.child_by_field_name("declarator") or (declarator.children[-1] if declarator.children else None)
    return declarator is not None and declarator.type == "function_declarator"


def declared_name(source: Source, node: Node) -> str:
    """Return the (possibly qualified) name that a definition or declaration declares, without template arguments."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type not in (
        "identifier",
        "type_identifier",
        "qualified_identifier",
        "operator_name",
        "field_identifier",
    ):
        inner = declarator.child_by_field_name("declarator") or declarator.child_by_field_name("name")
        if inner is None:
            inner = next((child for child in declarator.children if child.is_named and child.type != "parameter_list"), None)
        declarator = inner
    return source.of(declarator) if declarator is not None else ""
