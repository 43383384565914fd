"""Reading `ledger.toml` into a Project: everything is checked, and nothing of the project is run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError

from workbench.errors import WrongInput
from workbench.model.device import DeviceKind
from workbench.model.includes import read_includes
from workbench.model.launch import Expression, Launch, launch_in_source
from workbench.model.project import (
    DeviceSettings,
    Kernel,
    Limits,
    Pipeline,
    Project,
    SizeRange,
    SweepSettings,
    TimingSettings,
    Tolerance,
)
from workbench.model.project_arguments import Corners, corners, read_arguments, read_expression, read_sizes
from workbench.model.project_keys import Table, finite
from workbench.model.source import SourceText
from workbench.model.version import Code

FILE_NAME = "ledger.toml"
MAX_FILE_BYTES = 2**20
SECTIONS = (
    "project", "kernel", "sizes", "argument", "reference", "inputs", "tolerance", "timing", "sweep", "device", "pipeline",
    "python", "limits",
)  # fmt: skip
SUPPORTED = "cuda"
PLANNED = ("triton", "hip")
LARGEST_PART = 2**31 - 1
"""Of a grid or a block (CUDA C++ Programming Guide, compute capabilities: the x part of a grid)."""

_ENTRY = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*", re.ASCII)
_TARGET = re.compile(r"sm_\d{2,3}[af]?")
_FUNCTION = re.compile(r"(?P<file>.+\.py):(?P<function>[A-Za-z_]\w*)", re.ASCII)


def read_project(path: Path) -> Project:
    """Return the project in a folder, or of a `ledger.toml`.

    Raises WrongInput with one sentence that names the file, the key, the value and what was expected.
    """
    file = path / FILE_NAME if path.is_dir() else path
    if file.is_file() and file.suffix != ".toml":
        raise WrongInput(
            "The file {file} is no project: a folder with a ledger.toml was expected; `kernel-ledger new FOLDER` makes one, and"
            " `kernel-ledger run PROJECT --source FILE` runs a source in one.",
            file=str(file),
        )
    root = Table(str(file), "", _parse(file))
    root.expect_only(*SECTIONS)
    folder = _utf8(file.resolve().parent)
    head = root.table("project")
    head.expect_only("name", "goal", "stop_below")
    sizes = read_sizes(root.table("sizes"))
    at = corners(sizes)
    return Project(
        name=head.text("name"),
        folder=folder,
        kernel=_kernel(root.table("kernel"), folder, at),
        arguments=read_arguments(root, at),
        sizes=sizes,
        goal=head.text("goal", ""),
        reference=_python(root, "reference", folder),
        inputs=_python(root, "inputs", folder),
        tolerance=_tolerance(root.table("tolerance")),
        timing=_timing(root.table("timing")),
        sweep=_sweep(root.table("sweep")),
        devices=_devices(root.table("device"), sizes),
        pipeline=_pipeline(root, folder),
        interpreter=_interpreter(root.table("python")),
        limits=_limits(root.table("limits")),
        stop_below=_fraction(head, "stop_below", 0.03),
    )


def _utf8(folder: Path) -> Path:
    """Return the folder. Raises WrongInput for a name that neither the settings nor a session can hold."""
    try:
        str(folder).encode()
    except UnicodeEncodeError as error:
        raise WrongInput(
            "The folder {folder} has a name that is not UTF-8; rename it.", folder=str(folder).encode(errors="replace").decode()
        ) from error
    return folder


def code_of(project: Project, source: SourceText, kept: Mapping[str, SourceText] | None = None) -> Code:
    """Return what the machine executes when `source` stands for the project's kernel, with the project's headers it includes.

    `kept` holds the headers of the version that `source` was made from: these are not read from the disk again. The launch comes
    from a `// ledger:` comment at the top of the source, else from the project.
    Raises WrongInput when it cannot be computed for the project's default sizes.
    """
    kernel = project.kernel
    launch = launch_in_source(source.text, kernel.launch)
    launch.resolve({name: size.default for name, size in project.sizes.items()})
    includes = read_includes(source.text, kernel.source, project.folder, options=kernel.options, kept=kept)
    return Code(source, kernel.language, kernel.entry, launch, kernel.template, kernel.options, kernel.constants, includes)


def _parse(file: Path) -> Mapping[str, object]:
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise WrongInput("The path {file} is a device or a pipe; a project is a folder with a ledger.toml.", file=str(file))
    try:
        content = file.read_bytes()
    except FileNotFoundError as error:
        raise WrongInput(
            "There is no {file}; a project is a folder with a ledger.toml, and `kernel-ledger new FOLDER` makes one.",
            file=str(file),
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WrongInput(
            "The project file {file} cannot be read: {reason}; check the name and the permissions.", file=str(file), reason=reason
        ) from error
    if len(content) > MAX_FILE_BYTES:
        raise WrongInput(
            "The project file {file} is larger than 1 MiB; a ledger.toml with the project's settings was expected.",
            file=str(file),
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise WrongInput(
            "{file}, line {line}: the file is not UTF-8 text; save it as UTF-8.", file=str(file), line=line
        ) from error
    return _parse_text(str(file), text)


def _parse_text(file: str, text: str) -> Mapping[str, object]:
    try:
        return dict(tomlkit.parse(text).unwrap())
    except ParseError as error:
        reason = str(error).rsplit(" at line ", 1)[0]
        raise WrongInput(
            "{file}, line {line}, column {column}: this is not valid TOML: {reason}.",
            file=file,
            line=error.line,
            column=error.col,
            reason=reason,
        ) from error
    except (TOMLKitError, ValueError, TypeError, RecursionError) as error:
        reason = str(error).rstrip(".") or type(error).__name__
        raise WrongInput(
            "The project file {file} is not valid TOML: {reason}; correct it there.", file=file, reason=reason
        ) from error


def _kernel(table: Table, folder: Path, at: Corners) -> Kernel:
    table.expect_only(
        "language",
        "source",
        "entry",
        "grid",
        "block",
        "shared_bytes",
        "template",
        "options",
        "targets",
        "bytes",
        "flops",
        "constants",
    )
    language = table.choice("language", (SUPPORTED, *PLANNED))
    if language != SUPPORTED:
        raise WrongInput(
            "{file}: {key} is {value}, which is not supported by this version; only cuda is.", **table.place("language")
        )
    source = table.text("source")
    _check_file(table, "source", folder, source)
    entry = table.text("entry")
    if not _ENTRY.fullmatch(entry):
        raise WrongInput("{file}: {key} is {value}; the name of a __global__ function was expected.", **table.place("entry"))
    return Kernel(
        language="cuda",
        source=source,
        entry=entry,
        launch=_launch(table, at),
        template=table.texts("template"),
        options=table.texts("options"),
        targets=_targets(table),
        bytes=_amount(table, "bytes", at),
        flops=_amount(table, "flops", at),
        constants=_constants(table.table("constants")),
    )


def _targets(table: Table) -> tuple[str, ...]:
    targets = table.texts("targets")
    for index, target in enumerate(targets):
        if not _TARGET.fullmatch(target):
            raise WrongInput(
                "{file}: {key} is {value}; an architecture such as sm_90 was expected.",
                **table.place(f"targets[{index}]", target),
            )
    return targets


def _launch(table: Table, at: Corners) -> Launch:
    parts = {}
    for name in ("grid", "block"):
        table.need(name)
        found = table.items(name)
        if not 1 <= len(found) <= 3:
            raise WrongInput("{file}: {key} is {value}; 1 to 3 parts were expected.", **table.place(name))
        parts[name] = tuple(
            read_expression(table, f"{name}[{index}]", part, at, least=1, most=LARGEST_PART) for index, part in enumerate(found)
        )
    shared = read_expression(table, "shared_bytes", table.content.get("shared_bytes", 0), at)
    return Launch(parts["grid"], parts["block"], shared)


def _amount(table: Table, name: str, at: Corners) -> Expression | None:
    return read_expression(table, name, table.content[name], at) if name in table else None


def _constants(table: Table) -> dict[str, tuple[float, ...]]:
    constants = {}
    for name, value in table.content.items():
        if not _ENTRY.fullmatch(name):
            raise WrongInput("{file}: the key {key} is not the name of a __constant__ array.", **table.place(name))
        numbers = [finite(entry) for entry in (value if isinstance(value, list) else [value])]
        if not numbers or None in numbers:
            raise WrongInput("{file}: {key} is {value}; a number or a list of numbers was expected.", **table.place(name))
        constants[name] = tuple(number for number in numbers if number is not None)
    return constants


def _python(root: Table, section: str, folder: Path) -> str | None:
    table = root.table(section)
    table.expect_only("python")
    if section not in root:
        return None
    return _function(table, folder)


def _function(table: Table, folder: Path) -> str:
    found = _FUNCTION.fullmatch(table.text("python"))
    if not found:
        raise WrongInput(
            "{file}: {key} is {value}; a file and a function such as “file.py:name” were expected.", **table.place("python")
        )
    _check_file(table, "python", folder, found["file"])
    return found[0]


def _check_file(table: Table, key: str, folder: Path, name: str) -> None:
    try:
        there = (folder / name).is_file()
    except (OSError, ValueError):
        there = False
    if not there:
        raise WrongInput(
            "{file}: {key} is {value}, but there is no such file in {folder}.",
            **table.place(key),
            folder=str(folder),
        )


def _pipeline(root: Table, folder: Path) -> Pipeline | None:
    table = root.table("pipeline")
    table.expect_only("python", "command", "repeats")
    if "pipeline" not in root:
        return None
    repeats = table.whole("repeats", 20, least=1, most=10**6)
    if ("python" in table) == ("command" in table):
        raise WrongInput("{file}: {key} needs either python or command, not both.", file=table.file, key="pipeline")
    if "python" in table:
        return Pipeline(_function(table, folder), (), repeats)
    command = table.texts("command")
    if not command:
        raise WrongInput("{file}: {key} is {value}; a program and its arguments were expected.", **table.place("command"))
    return Pipeline(None, command, repeats)


def _tolerance(table: Table) -> Tolerance:
    table.expect_only("relative", "absolute")
    relative = table.number("relative", 0.0) if "relative" in table else None
    return Tolerance(relative, table.number("absolute", 0.0))


def _timing(table: Table) -> TimingSettings:
    table.expect_only("warmup", "rounds", "regime", "groups")
    return TimingSettings(
        warmup=table.whole("warmup", 10, most=10**6),
        rounds=table.whole("rounds", 100, least=2, most=10**6),
        regime="warm" if table.choice("regime", ("cold", "warm"), "cold") == "warm" else "cold",
        groups=table.whole("groups", 5, least=1, most=1000),
    )


def _sweep(table: Table) -> SweepSettings:
    table.expect_only("points", "max_elements", "seconds")
    return SweepSettings(
        points=table.whole("points", 1000, least=1, most=10**6),
        max_elements=table.number("max_elements", 5e7, above=True),
        seconds=table.number("seconds", 300.0, above=True),
    )


def _devices(table: Table, sizes: Mapping[str, SizeRange]) -> dict[str, DeviceSettings]:
    table.expect_only(*get_args(DeviceKind))
    devices = {}
    for kind in table.content:
        entry = table.table(kind)
        entry.expect_only("sizes", "rounds", "repeats")
        chosen = entry.table("sizes")
        chosen.expect_only(*sizes)
        devices[kind] = DeviceSettings(
            sizes={name: chosen.whole(name, least=sizes[name].min, most=sizes[name].max) for name in chosen.content},
            rounds=entry.whole("rounds", least=2, most=10**6) if "rounds" in entry else None,
            repeats=entry.whole("repeats", least=1, most=10**6) if "repeats" in entry else None,
        )
    return devices


def _interpreter(table: Table) -> str | None:
    table.expect_only("interpreter")
    return table.text("interpreter") if "interpreter" in table else None


def _limits(table: Table) -> Limits:
    default = Limits()
    table.expect_only("compile", "verify", "launch", "time", "trace")
    return Limits(
        compile=table.number("compile", default.compile, above=True),
        verify=table.number("verify", default.verify, above=True),
        launch=table.number("launch", default.launch, above=True),
        time=table.number("time", default.time, above=True),
        trace=table.number("trace", default.trace, above=True),
    )


def _fraction(table: Table, name: str, default: float) -> float:
    number = table.number(name, default)
    if number > 1:
        raise WrongInput("{file}: {key} is {value}; a fraction from 0 to 1 was expected.", **table.place(name))
    return number
