"""Budgets of design section 3: a file 400 lines, a function 40, five positional arguments."""

from __future__ import annotations

import ast

from tests.rules.sources import ROOMS, Function, files, functions, name

MAX_FILE = 400
MAX_FUNCTION = 40
MAX_POSITIONAL = 5


def test_no_file_reaches_400_lines() -> None:
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in files(*ROOMS, "tests")}
    assert {path: lines for path, lines in lengths.items() if lines >= MAX_FILE} == {}


def test_no_function_is_longer_than_40_lines() -> None:
    long = {
        f"{name(path)}:{node.lineno} {node.name}": _lines(node)
        for path in files(*ROOMS, "tests")
        for node in functions(path)
        if _lines(node) > MAX_FUNCTION
    }
    assert long == {}


def test_no_function_takes_more_than_five_positional_arguments() -> None:
    wide = {
        f"{name(path)}:{node.lineno} {node.name}": _positional(node)
        for path in files(*ROOMS)
        for node in functions(path)
        if _positional(node) > MAX_POSITIONAL
    }
    assert wide == {}


def test_the_engine_and_the_main_window_stay_small() -> None:
    limits = {"workbench/engine.py": 200, "ui/main_window.py": 300}
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in files(*ROOMS) if name(path) in limits}
    assert {path: lines for path, lines in lengths.items() if lines >= limits[path]} == {}


def _lines(node: Function) -> int:
    """Lines of a function from `def` to its end, without its docstring: text is not what makes a function long."""
    end = node.end_lineno or node.lineno
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    docstring = (first.end_lineno or first.lineno) - first.lineno + 1 if documented else 0
    return end - node.lineno + 1 - docstring


def _positional(node: Function) -> int:
    names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    return len(names) - (names[:1] in (["self"], ["cls"]))
