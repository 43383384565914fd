"""What a candidate is tried on: boundary shapes, distributions and seeds (requirements B2 and B3)."""

from __future__ import annotations

import math
import secrets
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from workbench.errors import WrongInput
from workbench.expressions import evaluate
from workbench.model.launch import Launch
from workbench.model.project import Argument, Project, ValueSpec
from workbench.proof import dtypes
from workbench.proof.shapes import boundary_sizes, elements_of, tile_extents

Array = npt.NDArray[Any]
Distribution = Literal["declared", "zeros", "ones", "small", "near overflow", "denormal"]
Purpose = Literal["declared", "second seed", "shape", "values"]

MAX_ELEMENTS: Mapping[str, int] = {"emulator": 300_000}
"""Elements of all arrays in a boundary or distribution case by kind of device; the declared sizes are always tried."""
MAX_ELEMENTS_ELSEWHERE = 8_000_000
_EDGES: tuple[Distribution, ...] = ("zeros", "ones", "small", "near overflow", "denormal")


class CasePlan(msgspec.Struct, frozen=True):
    """One case to verify; sizes, distribution and seed are enough to make the same inputs again.

    `declared` is the project's own sizes and values (controls are judged there), `second seed` the same with other values.
    """

    sizes: Mapping[str, int]
    distribution: Distribution
    seed: int
    purpose: Purpose
    label: str = ""
    """Why these sizes: `smallest`, `block − 1`, `prime` ... (English id, shown through `tr`)."""


def fresh_seed() -> int:
    """Return a secret seed of 62 bits from the operating system."""
    return secrets.randbits(62)


def plan_cases(
    project: Project, device_kind: str, block: tuple[int, int, int], seed: int | None = None, *, launch: Launch | None = None
) -> tuple[CasePlan, ...]:
    """Return the cases of a verification, the declared one first. `seed` None draws a secret one from the OS.

    `launch` is the candidate's own where it brings one: its tiles decide where the boundaries are, `block` where the grid does
    not tell. The same arguments give the same cases: the declared sizes with two seeds, every boundary shape with the declared
    values, and every distribution that the inputs allow at the smallest shape that is larger than a block.
    """
    base = fresh_seed() if seed is None else seed
    limit = min(MAX_ELEMENTS.get(device_kind, MAX_ELEMENTS_ELSEWHERE), int(project.sweep.max_elements))
    sizes = project.default_sizes(device_kind)
    wanted: list[tuple[Mapping[str, int], Distribution, Purpose, str]] = [
        (sizes, "declared", "declared", "declared"),
        (sizes, "declared", "second seed", "declared"),
    ]
    shapes = boundary_sizes(project, sizes, tile_extents(project, block, launch or project.kernel.launch), limit)
    wanted += [(shape, "declared", "shape", label) for label, shape in shapes]
    odd = next((shape for label, shape in shapes if label == "prime"), sizes)
    wanted += [(odd, distribution, "values", "prime") for distribution in _EDGES if allows(project.arguments, distribution)]
    return tuple(
        CasePlan(case_sizes, distribution, _case_seed(base, index), purpose, label)
        for index, (case_sizes, distribution, purpose, label) in enumerate(wanted)
    )


def allows(arguments: Sequence[Argument], distribution: Distribution) -> bool:
    """Return True when at least one input can take this distribution and so differ from the declared one."""
    return any(_edge_spec(argument, distribution) is not None for argument in arguments if _is_input(argument))


def make_inputs(arguments: Sequence[Argument], sizes: Mapping[str, int], plan: CasePlan) -> dict[str, Array]:
    """Return the arrays of role input and inout by name, in the declared dtype (bfloat16 as uint16 bits), C order.

    Each array has its own stream, by seed and name. An input that cannot take the plan's distribution keeps the declared one.
    """
    made = {}
    for argument in arguments:
        if not _is_input(argument):
            continue
        rng = np.random.default_rng([plan.seed, zlib.crc32(argument.name.encode())])
        shape = argument.resolve_shape(sizes)
        bounds = _edge_spec(argument, plan.distribution)
        values = _draw(argument, shape, rng) if bounds is None else _edge(bounds, shape, rng)
        made[argument.name] = np.ascontiguousarray(dtypes.encode(values, argument.dtype))
    return made


def scalar_value(argument: Argument, sizes: Mapping[str, int]) -> np.generic:
    """Return a scalar argument in its dtype (bfloat16 as uint16 bits). Raises WrongInput when it does not fit."""
    exact = evaluate(argument.value if argument.value is not None else 0, sizes)
    if dtypes.is_float(argument.dtype):
        number: np.generic = dtypes.encode(np.array([float(exact)]), argument.dtype)[0]
        return number
    low, high = dtypes.integer_bounds(argument.dtype)
    if exact.denominator != 1 or not low <= exact <= high:
        raise WrongInput(
            "The argument {name} is {value} for these sizes, which its type {dtype} cannot hold; change its value or its type.",
            name=argument.name,
            value=f"{float(exact):g}",
            dtype=argument.dtype,
        )
    whole: np.generic = np.dtype(argument.dtype).type(int(exact))
    return whole


def input_elements(project: Project, sizes: Mapping[str, int]) -> int:
    """Return the elements of all arrays of a case."""
    return elements_of(project.arguments, sizes)


def _case_seed(base: int, index: int) -> int:
    """Spread one seed over the cases; 62 bits, so that every format keeps it exactly."""
    return int(np.random.SeedSequence([base, index]).generate_state(1, np.uint64)[0] >> np.uint64(2))


def _is_input(argument: Argument) -> bool:
    return argument.role in ("input", "inout") and not argument.is_scalar


def _spec(argument: Argument) -> ValueSpec:
    """Return the declared distribution; by default normal for floats, the whole range for bool, 0 to 99 for other integers."""
    if argument.values is not None:
        return argument.values
    if dtypes.is_float(argument.dtype):
        return ValueSpec("normal")
    return ValueSpec("integers", 0, min(100, dtypes.integer_bounds(argument.dtype)[1] + 1))


def _draw(argument: Argument, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    spec = _spec(argument)
    match spec.kind:
        case "normal":
            return rng.standard_normal(shape)
        case "uniform":
            return rng.uniform(spec.low, spec.high, shape)
        case "integers":
            return _integers(argument.dtype, spec, shape, rng)
        case "arange":
            return np.arange(math.prod(shape), dtype=np.int64).reshape(shape)
        case "zeros":
            return np.zeros(shape)
    return np.ones(shape)


def _integers(dtype: str, spec: ValueSpec, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Whole numbers of [low, high), cut to what the type holds."""
    low, high = math.ceil(spec.low), math.ceil(spec.high)
    if dtypes.is_float(dtype):
        return rng.integers(low, high, shape)
    least, most = dtypes.integer_bounds(dtype)
    low, high = max(low, least), min(high, most + 1)
    kind = np.uint64 if high > 2**63 else np.int64
    return rng.integers(low, high, shape, dtype=kind)


def _edge_spec(argument: Argument, distribution: Distribution) -> tuple[float, float, bool] | None:
    """Return lowest and highest value and whether they are whole, None where the input cannot take the distribution.

    Values stay inside the declared range: an index or a probability outside it would be nobody's fault.
    """
    spec = _spec(argument)
    if distribution == "declared" or spec.kind in ("zeros", "ones", "arange"):
        return None
    real = spec.kind in ("normal", "uniform") and dtypes.is_float(argument.dtype)
    low, high = _magnitudes(argument.dtype, spec, distribution, real)
    if low is None or high is None:
        return None
    inside = spec.kind == "normal" or (spec.low <= low and high <= (spec.high if spec.kind == "uniform" else spec.high - 1))
    return (low, high, not real) if inside else None


def _magnitudes(dtype: str, spec: ValueSpec, distribution: Distribution, real: bool) -> tuple[float | None, float | None]:
    """The range of values of a distribution: symmetric for normal inputs, positive for bounded ones."""
    sign = -1.0 if spec.kind == "normal" else 0.0
    match distribution:
        case "zeros":
            return 0.0, 0.0
        case "ones":
            return 1.0, 1.0
        case "small":
            top = 1e-3 * (1.0 if dtype == "float16" or spec.kind == "uniform" else 1e-3) if real else 1.0
            return sign * top, top
        case "denormal" if real:
            top = dtypes.smallest_normal(dtype) / 2
            return sign * top, top
        case "near overflow" if spec.kind == "normal" and real:
            top = overflow_magnitude(dtype)
            return -top, top
        case "near overflow" if spec.kind == "uniform":
            return spec.low + (spec.high - spec.low) * 0.99, spec.high
        case "near overflow":
            top = min(math.ceil(spec.high) - 1, dtypes.largest(dtype))
            return top, top
    return None, None


def overflow_magnitude(dtype: str) -> float:
    """Return √(largest value) / 8: products of two stay 64-fold below overflow, so that a right kernel may still add them."""
    return math.sqrt(dtypes.largest(dtype)) / 8


def _edge(bounds: tuple[float, float, bool], shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    low, high, whole = bounds
    if low == high:
        return np.full(shape, int(low) if whole else low)
    if whole:
        return rng.integers(int(low), int(high) + 1, shape)
    return rng.uniform(low, high, shape)
