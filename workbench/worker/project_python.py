"""Loads and calls a project's own Python, in the child only."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from workbench.errors import LedgerError, WrongInput


def load_function(folder: Path, spec: str) -> Callable[..., Any]:
    """Return `file.py:function` of a project, importable beside its neighbours. Raises WrongInput in one sentence."""
    file, _, name = spec.partition(":")
    path = folder / file
    module_spec = importlib.util.spec_from_file_location(f"project_{path.stem}", path)
    if not path.is_file() or module_spec is None or module_spec.loader is None:
        raise WrongInput(
            "The project names {file}, which is not there; correct the name in ledger.toml, or write the file.", file=file
        )
    sys.path.insert(0, str(folder))
    module = importlib.util.module_from_spec(module_spec)
    try:
        module_spec.loader.exec_module(module)
    except BaseException as error:
        raise _own_error(error, file) from error
    function = getattr(module, name, None)
    if not callable(function):
        raise WrongInput(
            "The file {file} has no function {name}; write it, or correct the name after the colon in ledger.toml.",
            file=file,
            name=name or "(none is named after the colon)",
        )
    found: Callable[..., Any] = function
    return found


def call_by_name(function: Callable[..., Any], offered: Mapping[str, Any]) -> Any:
    """Call a project's function with those of `offered` that its parameters name (all of them for `**kwargs`).

    Raises WrongInput when it needs a parameter that is not offered, or raises itself: with its line.
    """
    parameters = inspect.signature(function).parameters.values()
    file = Path(inspect.getsourcefile(function) or "the project").name
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        chosen = dict(offered)
    else:
        chosen = {parameter.name: offered[parameter.name] for parameter in parameters if parameter.name in offered}
    lacking = [
        parameter.name
        for parameter in parameters
        if parameter.name not in chosen
        and parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    ]
    if lacking:
        raise WrongInput("{function} in {file} asks for {name}; it can be given {offered}.", function=function.__name__,
                         file=file, name=lacking[0], offered=", ".join(sorted(offered)))  # fmt: skip
    return call(function, **chosen)


def call(function: Callable[..., Any], /, *positional: Any, **named: Any) -> Any:
    """Call a project's function. Raises WrongInput with its line when it raises."""
    try:
        return function(*positional, **named)
    except LedgerError:
        raise
    except BaseException as error:
        raise _own_error(error, Path(inspect.getsourcefile(function) or "the project").name) from error


def _own_error(error: BaseException, file: str) -> BaseException:
    """Return the sentence for an exception out of project code, `sys.exit` among them.

    One that carries a device's failure stays as it is, and so does a lack of memory.
    """
    if hasattr(error, "failure") or isinstance(error, MemoryError):
        return error
    if isinstance(error, SyntaxError):
        return WrongInput("{file}, line {line}: this is not valid Python: {text}.",
                          file=Path(error.filename or file).name, line=error.lineno or 0, text=error.msg)  # fmt: skip
    line = next(
        (frame.lineno for frame in reversed(traceback.extract_tb(error.__traceback__)) if Path(frame.filename).name == file), None
    )
    return WrongInput(
        "{file}, line {line}: {error}: {text}", file=file, line=line or 0, error=type(error).__name__, text=str(error)
    )
