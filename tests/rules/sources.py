"""The project's own files, for the rule tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("workbench", "sessions", "plugins", "ui", "resources")
DEMOS = ROOT / "resources" / "demos"


@cache
def files(*folders: str) -> tuple[Path, ...]:
    """Return the Python files of some folders of the repository; the shipped demos are a user's code, not ours."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return tuple(path for path in found if not path.is_relative_to(DEMOS))


def name(path: Path) -> str:
    """Return a file's name as it is written in the repository."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[Function]:
    """Return every function of a file, nested ones too."""
    for node in ast.walk(tree(path)):
        if isinstance(node, Function):
            yield node


def module_name(path: Path) -> str:
    """Return the dotted name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
