"""Habits that a program can check: slots with names, no exemptions, words that can be translated, no global state."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

from tests.rules.sources import ROOMS, ROOT, files, functions, name, tree

SENTENCES = ("message", "WrongInput", "Unavailable", "LedgerError")
"""Calls whose first argument is an English template that a translator must find in the source."""

_IGNORE = re.compile(r"#\s*type:\s*ignore(?P<rest>.*)")
_REASONED = re.compile(r"\[[a-z-]+(, ?[a-z-]+)*\]\s+#\s+\S")
_ITEM = re.compile(r"\.itemAt\(")
_SLOT = re.compile(r"\.connect\(\s*(?:functools\.)?(?:lambda|partial)\b")


def test_no_signal_is_connected_to_a_lambda_or_a_partial() -> None:
    found = [name(path) for path in files(*ROOMS) if _SLOT.search(path.read_text(encoding="utf-8"))]
    assert found == []


def test_nobody_asks_a_layout_for_its_items() -> None:
    """Python's handle of an item outlives it, which ended the program: see `tests.helpers.layout_items`."""
    found = [name(path) for path in files(*ROOMS, "tests") if _ITEM.search(path.read_text(encoding="utf-8"))]
    assert found == ["tests/gui/test_layout_items.py"]


def test_no_type_error_is_ignored_without_its_code_and_a_reason() -> None:
    found = [
        f"{name(path)}:{number}"
        for path in files(*ROOMS, "tests")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (ignored := _IGNORE.search(line)) and "_IGNORE" not in line and not _REASONED.match(ignored["rest"])
    ]
    assert found == []


def test_mypy_is_strict_for_every_module_of_ours() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert settings["strict"] is True
    assert set(ROOMS) <= set(settings["files"])
    assert "overrides" not in settings
    told = [name(path) for path in files(*ROOMS, "tests") if re.search(r"^# mypy:", path.read_text(encoding="utf-8"), re.M)]
    assert told == []


def test_every_sentence_is_written_out_where_it_is_made() -> None:
    found = [
        f"{name(path)}:{call.lineno}"
        for path in files(*ROOMS)
        for call in ast.walk(tree(path))
        if isinstance(call, ast.Call) and _called(call) in SENTENCES and call.args and not _is_findable(call.args[0], path)
    ]
    assert found == []


def test_every_sentence_uses_exactly_the_arguments_it_is_given() -> None:
    found = [
        f"{name(path)}:{call.lineno} {sorted(_fields(call) ^ _given(call))}"
        for path in files(*ROOMS)
        for call in ast.walk(tree(path))
        if isinstance(call, ast.Call) and _called(call) in SENTENCES and _is_plain(call) and _fields(call) != _given(call)
    ]
    assert found == []


def test_only_the_language_is_kept_in_a_global() -> None:
    found = [name(path) for path in files(*ROOMS) if any(isinstance(node, ast.Global) for node in ast.walk(tree(path)))]
    assert found == ["workbench/texts.py"]


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _is_findable(node: ast.expr, path: Path) -> bool:
    """Return whether a program that reads this file finds the text.

    That is a literal, a choice between such, a constant of the same file, a message handed on (`other.text`), or the parameter
    of a function that makes messages for others.
    """
    match node:
        case ast.IfExp(body=body, orelse=other):
            return _is_findable(body, path) and _is_findable(other, path)
        case ast.Constant(value=str()):
            return True
        case ast.Attribute(attr="text"):
            return True
        case ast.Name(id=known):
            return known in _constants(path) or known in _parameters(path)
    return False


@cache
def _constants(path: Path) -> set[str]:
    """Return the names that the file binds to a literal text at its top level."""
    found = set()
    for node in tree(path).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


@cache
def _parameters(path: Path) -> set[str]:
    return {argument.arg for node in functions(path) for argument in (*node.args.posonlyargs, *node.args.args)} & {
        "text",
        "sentence",
    }


def _is_plain(call: ast.Call) -> bool:
    return bool(call.args) and isinstance(call.args[0], ast.Constant) and all(keyword.arg for keyword in call.keywords)


def _fields(call: ast.Call) -> set[str]:
    first = call.args[0]
    assert isinstance(first, ast.Constant)
    return set(re.findall(r"(?<!\{)\{(\w+)\}", str(first.value)))


def _given(call: ast.Call) -> set[str]:
    return {keyword.arg for keyword in call.keywords if keyword.arg}
