"""Ask the emulator what it can do with a source that is in no project."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.commands.context import Context
from workbench.commands.work import compile_folder
from workbench.errors import WrongInput
from workbench.model.includes import read_includes
from workbench.model.launch import Launch
from workbench.model.source import read_source
from workbench.model.support import Support
from workbench.model.version import Code
from workbench.worker.client import CallFailed
from workbench.worker.protocol import Inspect

DEVICE = "emulator"
LIMIT = 600.0
"""Seconds for all kernels of a file."""
_ENTRY = re.compile(r"(?P<name>[A-Za-z_][\w:]*)\s*(?:<(?P<template>.*)>)?", re.ASCII | re.DOTALL)
_ROOTS = ("ledger.toml", ".git")


async def check_source(context: Context, file: Path, entry: str | None) -> Support:
    """Return what the emulator says of a file's kernels: all, or `entry` (with template arguments: `k<float, 4>`).

    Headers in quotes are read where they lie in the file's folder or, in a project or a git repository, anywhere inside it.
    Raises WrongInput (no such file or kernel), Unavailable (no emulator here), CallFailed.
    """
    file = file.resolve()
    source = read_source(file)
    root = _root(file)
    name = file.relative_to(root).as_posix()
    kernel, template = _parts(entry)
    includes = read_includes(source.text, name, root)
    code = Code(source, "cuda", kernel, Launch((1,), (1,)), template, includes=includes)
    async with context.pool.worker(context.plugins.find_device(DEVICE)) as worker:
        try:
            request = Inspect(code, str(compile_folder()), file.name)
            return await worker.child.call(request, Support, limit=LIMIT, step="check")
        except CallFailed as error:
            if error.failure.kind == "WrongInput":
                raise WrongInput(error.failure.message.text, **dict(error.failure.message.arguments)) from None
            return Support(failure=error.failure)


def _root(file: Path) -> Path:
    """Return the project or repository that a file lies in, its folder where it lies in none."""
    return next((folder for folder in file.parents if any((folder / mark).exists() for mark in _ROOTS)), file.parent)


def _parts(entry: str | None) -> tuple[str, tuple[str, ...]]:
    """Return a kernel's name and its template arguments. Raises WrongInput for what is no name."""
    if not entry:
        return "", ()
    found = _ENTRY.fullmatch(entry.strip())
    if found is None:
        raise WrongInput("--entry is {entry}; a kernel's name, like scale or scale<float, 4>, was expected.", entry=entry)
    arguments, depth = [""], 0
    for sign in found["template"] or "":
        depth += (sign in "<(") - (sign in ">)")
        if sign == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += sign
    return found["name"], tuple(argument.strip() for argument in arguments if argument.strip())
