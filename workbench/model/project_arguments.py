"""The sizes and arguments of a `ledger.toml`: expressions over the sizes, shapes, scalars and distributions of values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from workbench.errors import WrongInput
from workbench.expressions import evaluate, evaluate_whole
from workbench.model.launch import Expression
from workbench.model.project import DTYPES, Argument, Role, SizeRange, ValueSpec
from workbench.model.project_keys import LARGEST_WHOLE, Table, finite

ROLES: tuple[Role, ...] = ("input", "output", "inout", "scratch")
RESERVED = ("ceil", "floor", "min", "max")
FLOATS = ("float16", "bfloat16", "float32", "float64")
DEFAULT_INTEGERS = (0, 128)
"""Half-open range of an integer input that says nothing: it fits every integer dtype."""

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_VALUES = re.compile(r"\s*(?P<kind>[a-z]+)\s*(?:\(\s*(?P<numbers>[^()]*)\))?\s*")
_Plain = Literal["normal", "zeros", "ones", "arange"]
_Ranged = Literal["uniform", "integers"]
_PLAIN: Mapping[str, _Plain] = {"normal": "normal", "zeros": "zeros", "ones": "ones", "arange": "arange"}
_RANGED: Mapping[str, _Ranged] = {"uniform": "uniform", "integers": "integers"}

Corners = Sequence[Mapping[str, int]]
"""Sizes at which every expression must have a sensible value: the defaults, the least and the largest."""


def read_sizes(table: Table) -> dict[str, SizeRange]:
    """Return the declared sizes: `name = 1920`, or a table of `default`, `min` (1) and `max` (the default)."""
    sizes = {}
    for name, value in table.content.items():
        _check_name(table, name)
        if name in RESERVED:
            raise WrongInput("{file}: the size {key} has the name of a function; choose another name.", **table.place(name))
        if not isinstance(value, dict):
            default = table.whole(name, least=1)
            sizes[name] = SizeRange(default, 1, default)
            continue
        entry = table.table(name)
        entry.expect_only("default", "min", "max")
        default = entry.whole("default", least=0)
        least = entry.whole("min", 1)
        most = entry.whole("max", 0) or default
        if least > most:
            raise WrongInput("{file}: {key} is {value}; min must not be above max.", **table.place(name))
        if not least <= default <= most:
            raise WrongInput("{file}: {key} is {value}; the default must lie between min and max.", **table.place(name))
        sizes[name] = SizeRange(default, least, most)
    return sizes


def corners(sizes: Mapping[str, SizeRange]) -> Corners:
    """Return the defaults, the least and the largest sizes."""
    pick: tuple[Callable[[SizeRange], int], ...] = (lambda s: s.default, lambda s: s.min, lambda s: s.max)
    return [{name: choose(size) for name, size in sizes.items()} for choose in pick]


def read_expression(
    table: Table, name: str, value: object, at: Corners, *, least: int = 0, most: int = LARGEST_WHOLE
) -> Expression:
    """Return an expression after computing it at every corner; it must be whole and between `least` and `most`."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise WrongInput(
            "{file}: {key} is {value}; a whole number or an expression in quotes was expected.", **table.place(name, value)
        )
    for sizes in at:
        try:
            number = evaluate_whole(value, sizes)
        except WrongInput as error:
            raise _unusable(table, name, value, str(error)) from error
        if not least <= number <= most:
            raise WrongInput(
                "{file}: {key} is {value}, which gives {number} where {sizes}; a value from {least} to {most} was expected.",
                **table.place(name, value),
                number=_limited(number),
                sizes=", ".join(f"{size} = {at_size}" for size, at_size in sizes.items()) or "nothing varies",
                least=str(least),
                most=str(most),
            )
    return value


def read_arguments(root: Table, at: Corners) -> tuple[Argument, ...]:
    """Return the kernel's arguments in order; at least one array must be an output."""
    arguments: list[Argument] = []
    for table in root.tables("argument"):
        argument = _argument(table, at)
        if any(argument.name == other.name for other in arguments):
            raise WrongInput("{file}: {key} is {value}; an earlier argument has this name.", **table.place("name"))
        arguments.append(argument)
    if not arguments:
        raise WrongInput("{file}: there is no {key}; list the kernel's arguments in order.", file=root.file, key="[[argument]]")
    if not any(argument.role in ("output", "inout") and not argument.is_scalar for argument in arguments):
        raise WrongInput(
            "{file}: none of the arguments under {key} has the role output or inout; without one there is no answer to check.",
            file=root.file,
            key="[[argument]]",
        )
    return tuple(arguments)


def _argument(table: Table, at: Corners) -> Argument:
    table.expect_only("name", "role", "dtype", "shape", "value", "values")
    name = table.text("name")
    if not _NAME.fullmatch(name):
        raise WrongInput("{file}: {key} is {value}; a name of letters, digits and _ was expected.", **table.place("name"))
    dtype = table.choice("dtype", DTYPES)
    if "value" in table:
        return _scalar(table, name, dtype, at)
    if "shape" not in table:
        raise WrongInput(
            "{file}: {key} has neither shape nor value; an array needs a shape, a scalar a value.", file=table.file, key=table.key
        )
    parts = table.items("shape")
    if not parts:
        raise WrongInput("{file}: {key} is {value}; at least one part was expected.", **table.place("shape"))
    shape = tuple(read_expression(table, f"shape[{index}]", part, at) for index, part in enumerate(parts))
    role = next(role for role in ROLES if role == table.choice("role", ROLES, "input"))
    return Argument(name, dtype, role, shape, values=_values(table, dtype, role))


def _scalar(table: Table, name: str, dtype: str, at: Corners) -> Argument:
    for other in ("shape", "values"):
        if other in table:
            raise WrongInput(
                "{file}: {key} stands beside value; a scalar has no {name}.", file=table.file, key=table.dotted(other), name=other
            )
    if table.choice("role", ROLES, "input") != "input":
        raise WrongInput("{file}: {key} is {value}; a scalar can only be an input.", **table.place("role"))
    if dtype == "bfloat16":
        raise WrongInput(
            "{file}: {key} is {value}; a scalar of this dtype is not supported by this version.", **table.place("dtype")
        )
    value = table.need("value")
    if dtype == "bool" and isinstance(value, bool):
        return Argument(name, dtype, value=int(value))
    if dtype in FLOATS:
        return Argument(name, dtype, value=_real(table, value, at))
    low, high = _integer_range(dtype)
    return Argument(name, dtype, value=read_expression(table, "value", value, at, least=low, most=high))


def _real(table: Table, value: object, at: Corners) -> Expression | float:
    if isinstance(value, str):
        for sizes in at:
            try:
                _as_float(evaluate(value, sizes))
            except WrongInput as error:
                raise _unusable(table, "value", value, str(error)) from error
        return value
    number = finite(value)
    if number is None:
        raise WrongInput(
            "{file}: {key} is {value}; a finite number or an expression in quotes was expected.", **table.place("value")
        )
    return number


def _as_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise WrongInput("The value is too large for a float.") from error


def _values(table: Table, dtype: str, role: Role) -> ValueSpec | None:
    if role not in ("input", "inout"):
        if "values" in table:
            raise WrongInput("{file}: {key} is {value}; only input and inout arrays have values.", **table.place("values"))
        return None
    if "values" not in table:
        return _default_values(dtype)
    found = _VALUES.fullmatch(table.text("values"))
    kind, numbers = (found["kind"], found["numbers"]) if found else ("", None)
    if kind in _PLAIN and not (numbers or "").strip():
        spec = ValueSpec(_PLAIN[kind])
    elif kind in _RANGED and (limits := _limits(numbers)):
        spec = ValueSpec(_RANGED[kind], *limits)
    else:
        raise WrongInput(
            "{file}: {key} is {value}; normal, uniform(low, high), integers(low, high), zeros, ones or arange was expected.",
            **table.place("values"),
        )
    _check_fit(table, dtype, spec)
    return spec


def _limits(numbers: str | None) -> tuple[float, float] | None:
    try:
        low, high = (float(part) for part in (numbers or "").split(","))
    except ValueError:
        return None
    return (low, high) if finite(low) is not None and finite(high) is not None else None


def _check_fit(table: Table, dtype: str, spec: ValueSpec) -> None:
    """Raise when a distribution cannot be drawn in its dtype."""
    if spec.kind in _RANGED and spec.low >= spec.high:
        raise WrongInput("{file}: {key} is {value}; the lower limit must be below the upper one.", **table.place("values"))
    if spec.kind in ("normal", "uniform") and dtype not in FLOATS:
        raise WrongInput(
            "{file}: {key} is {value}, but the dtype is {dtype}; integers(low, high), zeros, ones or arange was expected.",
            **table.place("values"),
            dtype=dtype,
        )
    if spec.kind != "integers":
        return
    if not (spec.low.is_integer() and spec.high.is_integer()):
        raise WrongInput("{file}: {key} is {value}; whole limits were expected.", **table.place("values"))
    low, high = (-(2**53), 2**53) if dtype in FLOATS else _integer_range(dtype)
    if spec.low < low or spec.high - 1 > high:
        raise WrongInput(
            "{file}: {key} is {value}, but {dtype} holds {low} to {high} (the upper limit is left out).",
            **table.place("values"),
            dtype=dtype,
            low=str(low),
            high=str(high),
        )


def _default_values(dtype: str) -> ValueSpec:
    if dtype in FLOATS:
        return ValueSpec("normal")
    low, high = (0, 2) if dtype == "bool" else DEFAULT_INTEGERS
    return ValueSpec("integers", float(low), float(high))


def _integer_range(dtype: str) -> tuple[int, int]:
    if dtype == "bool":
        return 0, 1
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def _check_name(table: Table, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise WrongInput("{file}: the size {key} needs a name of letters, digits and _.", **table.place(name))


def _unusable(table: Table, name: str, value: object, reason: str) -> WrongInput:
    return WrongInput("{file}: {key} is {value}, which cannot be used: {reason}", **table.place(name, value), reason=reason)


def _limited(number: int) -> str:
    return str(number) if abs(number) <= LARGEST_WHOLE else f"{number:#x}"
