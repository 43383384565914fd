"""The compiled copy: the device part of a source with CUDA's meaning where C++ has another, line for line.

The user's file is never touched. What is rewritten, all of it into functions of resources/emulator/semantics.h:
`/ % << >>` and their assignments; casts to integers, integer variables with an initial value, assignments and returned
values (a floating value saturates); `extern __shared__`; loops that wait for memory to change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from plugins.emulator.call_sites import meeting_functions
from plugins.emulator.refusals import refuse
from plugins.emulator.set_aside import Device
from plugins.emulator.source_lines import blank
from plugins.emulator.syntax import Item

if TYPE_CHECKING:
    from tree_sitter import Node

INTEGERS = frozenset(
    [
        "char",
        "short",
        "int",
        "long",
        "unsigned",
        "signed",
        "size_t",
        "ssize_t",
        "ptrdiff_t",
        "uint",
        "uchar",
        "ushort",
        "ulong",
        "int8_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "uint8_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "intptr_t",
        "uintptr_t",
    ]
)
_FUNCTIONS = {"/": "div", "%": "mod", "<<": "shl", ">>": "shr"}
_ASSIGNMENTS = {f"{operator}=": f"{function}_assign" for operator, function in _FUNCTIONS.items()}
_LITERALS = {"number_literal", "initializer_list", "string_literal", "char_literal", "true", "false", "null", "lambda_expression"}
_OBJECTS = {"identifier", "subscript_expression", "field_expression"}
SPIN_WORDS = frozenset({"volatile", "atomicCAS", "atomicExch", "__nanosleep", "__ldcv", "atomicCAS_block", "atomicCAS_system",
                        "atomic_ref", "thread_scope_block", "thread_scope_device", "thread_scope_system", "memory_order_acquire",
                        "compare_exchange_strong", "compare_exchange_weak"})  # fmt: skip


def waits_for_memory(device: Device) -> bool:
    """Return whether the kernel may wait for another thread through memory: then its loops give the others a turn."""
    return bool(device.words & SPIN_WORDS)


_ARRAY_POINTER = re.compile(r"[\w:]+\s*\(\s*\*\s*\w+\s*\)\s*\[")
"""`float(*rows)[8] = ...`: the grammar takes this declaration for an assignment to a call's result."""
_INSIDE_CLASS = {"field_declaration_list", "friend_declaration", "template_declaration"}
_HOST_WORDS = re.compile(r"\bstd::\w*(?:stream|string|vector|cout|cerr|endl|chrono)\b|\bcuda[A-Z]\w*\s*\(|<<<")


def _is_host_member(text: str) -> bool:
    """Return whether a function inside a class is for the host: unmarked, and it uses what only a host has."""
    return re.search(r"\b__(?:device|global)__\b", text) is None and _HOST_WORDS.search(text) is not None


def _shared_variable(text: str) -> str:
    """Return a `__shared__` declaration as C++ takes it: `static` once, alignment as an attribute that may stand anywhere."""
    text = re.sub(r"\bstatic\b", " ", text)
    return re.sub(r"\balignas\s*\(((?:[^()]|\([^()]*\))*)\)", r"__attribute__((aligned(\1)))", text)


def _is_integer(text: str) -> bool:
    parts = re.findall(r"[\w:]+", text)
    words = [part.removeprefix("std::") for part in parts if part not in ("const", "constexpr", "static", "volatile", "register")]
    return bool(words) and "*" not in text and "&" not in text and all(word in INTEGERS for word in words)


class Rewriter:
    """Renders nodes of one source; `spins` says whether waiting loops yield, `file_shared` the arrays named at file scope."""

    def __init__(self, device: Device) -> None:
        self._source = device.source
        self._spins = waits_for_memory(device)
        self._meetings = meeting_functions(device)
        self._returns: list[str] = []
        self._file_shared: dict[str, str] = {}
        self._handlers: Mapping[str, Callable[[Node], str | None]] = {
            "binary_expression": self._binary,
            "assignment_expression": self._assignment,
            "cast_expression": self._cast,
            "call_expression": self._call,
            "pointer_expression": self._through_cast,
            "subscript_expression": self._through_cast,
            "declaration": self._declaration,
            "function_definition": self._function,
            "lambda_expression": self._lambda,
            "friend_declaration": self._friend,
            "return_statement": self._return,
            "while_statement": self._loop,
            "do_statement": self._loop,
            "for_statement": self._loop,
        }

    def render_file(self, kept: tuple[Item, ...], dropped: tuple[Item, ...]) -> str:
        """Return the whole source with dropped items blank and kept ones rewritten."""
        for item in kept:
            if item.kind == "variable" and "shared" in item.qualifiers and "extern" in item.header:
                self._file_shared.update(self._shared_arrays(item.node))
        self._gone = {item.node.id for item in dropped} | {
            item.node.id for item in kept if item.kind == "variable" and "shared" in item.qualifiers and "extern" in item.header
        }
        root = self._source.root
        return self._raw(0, root.start_byte) + self._render(root) + self._raw(root.end_byte, len(self._source.body))

    def _raw(self, begin: int, end: int) -> str:
        return self._source.body[begin:end].decode()

    def _render(self, node: Node) -> str:
        if node.id in self._gone:
            return blank(self._source.of(node))
        handler = self._handlers.get(node.type)
        text = handler(node) if handler is not None and not node.has_error else None
        return self._plain(node) if text is None else text

    def _plain(self, node: Node) -> str:
        if not node.children or node.type == "ERROR":
            return self._source.of(node)
        return self._between(node, node.start_byte, node.end_byte)

    def _between(self, node: Node, begin: int, end: int) -> str:
        """Return the children of a node inside [begin, end) with what stands between them."""
        parts = []
        for child in node.children:
            if child.start_byte < begin or child.end_byte > end:
                continue
            parts += [self._raw(begin, child.start_byte), self._render(child)]
            begin = child.end_byte
        return "".join((*parts, self._raw(begin, end)))

    # --- operators and conversions -------------------------------------------------------------------------------

    def _binary(self, node: Node) -> str | None:
        left, operator, right = (
            node.child_by_field_name("left"),
            node.child_by_field_name("operator"),
            node.child_by_field_name("right"),
        )
        if (
            left is None
            or operator is None
            or right is None
            or operator.type not in _FUNCTIONS
            or self._is_safe(right, operator.type)
        ):
            return None
        gap_left, gap_right = self._raw(left.end_byte, operator.start_byte), self._raw(operator.end_byte, right.start_byte)
        return f"ledger::{_FUNCTIONS[operator.type]}({self._render(left)}{gap_left},{gap_right}{self._render(right)})"

    def _is_safe(self, right: Node, operator: str) -> bool:
        """Return whether the right operand is a literal for which C++ and CUDA agree."""
        if right.type in ("sizeof_expression", "string_literal", "char_literal"):
            return True
        if right.type != "number_literal":
            return False
        text = self._source.of(right).lower().replace("'", "")
        if "." in text or ("e" in text and not text.startswith("0x")):
            return True
        value = int(re.sub(r"[ul]+$", "", text), 8 if re.fullmatch(r"0\d+[ul]*", text) else 0)
        return value > 0 if operator in "/%" else value < 32

    def _assignment(self, node: Node) -> str | None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            return None
        gap_left, gap_right = self._raw(left.end_byte, operator.start_byte), self._raw(operator.end_byte, right.start_byte)
        if operator.type in _ASSIGNMENTS and not self._is_safe(right, operator.type.rstrip("=")):
            return f"ledger::{_ASSIGNMENTS[operator.type]}({self._render(left)}{gap_left},{gap_right}{self._render(right)})"
        if operator.type != "=" or right.type in _LITERALS or self._source.of(right) in ("NULL", "nullptr"):
            return None
        target = " ".join(self._source.of(left).split())
        if _ARRAY_POINTER.match(target):
            return f"{self._source.of(left)}{gap_left}={gap_right}{self._render(right)}"
        return f"{self._render(left)}{gap_left}={gap_right}ledger::into<decltype({target})>({self._item(right)})"

    def _cast(self, node: Node) -> str | None:
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        if kind is None or value is None or value.type in _LITERALS:
            return None
        text = self._source.of(kind)
        if not (_is_integer(text) or re.fullmatch(r"[A-Z]\w*", text)):
            return None
        return f"ledger::to<{text}>({self._raw(kind.end_byte + 1, value.start_byte)}{self._item(value)})"

    def _item(self, node: Node) -> str:
        """Return a value given to a function of the shim, read here: one bound to a reference would be read there."""
        text = self._render(node)
        return f"LEDGER_ITEM({text})" if node.type in _OBJECTS else text

    def _through_cast(self, node: Node) -> str | None:
        """Return `*(T*)p` and `((T*)p)[i]` with the pointer's alignment looked at: Clang forgets it in copies of structures."""
        pointer = node.child_by_field_name("argument")
        if pointer is None or (node.type == "pointer_expression" and not self._source.of(node).startswith("*")):
            return None
        inner = pointer
        while inner.type == "parenthesized_expression" and inner.named_child_count == 1:
            inner = inner.named_children[0]
        text = self._source.of(inner)
        if inner.type != "cast_expression" and not (inner.type == "call_expression" and text.startswith("reinterpret_cast")):
            return None
        before, after = self._raw(node.start_byte, pointer.start_byte), self._between(node, pointer.end_byte, node.end_byte)
        return f"{before}LEDGER_ALIGNED({self._render(pointer)}){after}"

    def _call(self, node: Node) -> str | None:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return None
        name = re.search(r"(\w+)\s*(?:<.*>)?\s*$", self._source.of(function), re.DOTALL)
        if name and name[1] in self._meetings:
            return f"(void(ledger::CallSite({node.start_byte}u)), {self._plain(node)})"
        return self._conversion(function, arguments)

    def _conversion(self, function: Node, arguments: Node) -> str | None:
        if len(arguments.named_children) != 1:
            return None
        text = self._source.of(function)
        found = re.fullmatch(r"static_cast\s*<(.*)>", text, re.DOTALL)
        kind = found[1].strip() if found else text
        if not (_is_integer(kind) or (found and re.fullmatch(r"[A-Z]\w*", kind))):
            return None
        return f"ledger::to<{kind}>{self._render(arguments)}"

    def _declaration(self, node: Node) -> str | None:
        if self._is_extern_shared(node):
            text = "; ".join(self._shared_arrays(node).values()) + ";"
            return text + "\n" * self._source.of(node).count("\n")
        if "__shared__" in self._source.of(node):
            return _shared_variable(self._plain(node))
        kind = node.child_by_field_name("type")
        if kind is None or not _is_integer(self._source.of(kind)):
            return None
        text, position = "", node.start_byte
        for child in node.children:
            text += self._raw(position, child.start_byte) + self._initialised(child, self._source.of(kind))
            position = child.end_byte
        return text + self._raw(position, node.end_byte)

    def _initialised(self, node: Node, kind: str) -> str:
        name, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
        if node.type != "init_declarator" or name is None or value is None or name.type != "identifier":
            return self._render(node)
        if value.type in _LITERALS or value.type == "argument_list":
            return self._render(node)
        return f"{self._raw(node.start_byte, value.start_byte)}ledger::into<{kind}>({self._item(value)})"

    # --- functions, returns, loops -------------------------------------------------------------------------------

    def _function(self, node: Node) -> str | None:
        if node.parent is not None and node.parent.type in _INSIDE_CLASS and _is_host_member(self._source.of(node)):
            return blank(self._source.of(node))
        kind, body = node.child_by_field_name("type"), node.child_by_field_name("body")
        if body is None or body.type != "compound_statement":
            return None
        self._returns.append(self._source.of(kind) if kind is not None and self._returns_value(node) else "")
        head = self._between(node, node.start_byte, body.start_byte)
        own = self._own_names(node, body)
        used = [
            text
            for name, text in self._file_shared.items()
            if name not in own and re.search(rf"\b{name}\b", self._source.of(body))
        ]
        rest = self._render(body)
        self._returns.pop()
        return head + rest[0] + "".join(f" {text};" for text in used) + rest[1:]

    def _own_names(self, node: Node, body: Node) -> set[str]:
        """Return the names of a function's parameters and of what its body declares: they hide arrays of the file."""
        declarator = node.child_by_field_name("declarator")
        parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
        declared = [child for child in body.children if child.type == "declaration"]
        found = set()
        for child in [*(parameters.named_children if parameters is not None else ()), *declared]:
            for inner in child.children_by_field_name("declarator"):
                while (deeper := inner.child_by_field_name("declarator")) is not None:
                    inner = deeper
                found.add(self._source.of(inner).lstrip("*& "))
        return found

    def _returns_value(self, node: Node) -> bool:
        declarator = node.child_by_field_name("declarator")
        return declarator is not None and declarator.type == "function_declarator"

    def _lambda(self, node: Node) -> str | None:
        self._returns.append("")
        text = self._plain(node)
        self._returns.pop()
        return text

    def _friend(self, node: Node) -> str | None:
        return blank(self._source.of(node)) if _is_host_member(self._source.of(node)) else None

    def _return(self, node: Node) -> str | None:
        value = next((child for child in node.children if child.is_named), None)
        kind = self._returns[-1] if self._returns else ""
        if value is None or value.type in _LITERALS or not kind or not _is_integer(kind):
            return None
        before, after = self._raw(node.start_byte, value.start_byte), self._raw(value.end_byte, node.end_byte)
        return f"{before} ledger::into<{kind}>({self._item(value)}){after}"

    def _loop(self, node: Node) -> str | None:
        body = node.child_by_field_name("body")
        endless = node.type != "for_statement" or node.child_by_field_name("condition") is None
        if not self._spins or body is None or not (endless or body.type in (";", "expression_statement")):
            return None
        inner = self._render(body)
        turn = f"{{ ledger_spin(); {inner[1:]}" if body.type == "compound_statement" else f"{{ ledger_spin(); {inner} }}"
        return self._between(node, node.start_byte, body.start_byte) + turn + self._between(node, body.end_byte, node.end_byte)

    # --- dynamic shared memory -----------------------------------------------------------------------------------

    def _is_extern_shared(self, node: Node) -> bool:
        head = self._source.of(node)
        return "__shared__" in head and re.search(r"\bextern\b", head) is not None

    def _shared_arrays(self, node: Node) -> dict[str, str]:
        """Return, for each array of an `extern __shared__` declaration, its name and a reference that replaces it."""
        text = re.sub(r"\b(?:extern|__shared__)\b", " ", self._source.of(node)).rstrip("; \n")
        text = re.sub(r"(?:__align__|alignas|__attribute__)\s*\((?:[^()]|\([^()]*\))*\)+", " ", text)
        text = " ".join(text.split())
        found = re.match(r"(?P<kind>.*?)\s*(?P<arrays>\w+\s*\[.*)$", text, re.DOTALL)
        if found is None:
            raise refuse("extern __shared__ that is not an array", node.start_point[0] + 1, self._source.text)
        arrays = {}
        for array in re.findall(r"(\w+)\s*((?:\[[^\]]*\]\s*)+)", found["arrays"]):
            name, bounds = array[0], array[1].strip()
            place = f"*reinterpret_cast<{found['kind']} (*){bounds}>(ledger_thread.dynamic_shared)"
            arrays[name] = f"{found['kind']} (&{name}){bounds} = {place}"
        return arrays
