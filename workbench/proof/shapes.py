"""Boundary shapes: sizes around the block, one, primes and the largest that the budget allows (requirement B2)."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from workbench.errors import WrongInput
from workbench.model.project import Argument, Project, SizeRange

Shape = tuple[str, dict[str, int]]
"""Why, and the sizes."""


def elements_of(arguments: Sequence[Argument], sizes: Mapping[str, int]) -> int:
    """Return the number of elements of all arrays for `sizes`."""
    return sum(math.prod(argument.resolve_shape(sizes)) for argument in arguments if not argument.is_scalar)


def boundary_sizes(project: Project, sizes: Mapping[str, int], block: tuple[int, int, int], limit: int) -> tuple[Shape, ...]:
    """Return distinct boundary shapes inside the declared ranges, each of at most `limit` elements where its minima allow.

    `sizes` are the device's usual ones. A shape for which an expression of the project fails (a negative extent) is left out.
    """
    if not project.sizes:
        return ()
    extent = block_extents(project, block)
    found: dict[tuple[tuple[str, int], ...], str] = {}
    for label, wanted in _wanted(project, sizes, extent):
        fitted = _fit(project, wanted, limit)
        if fitted is not None and fitted != dict(sizes):
            found.setdefault(tuple(sorted(fitted.items())), label)
    return tuple((label, dict(key)) for key, label in found.items())


def block_extents(project: Project, block: tuple[int, int, int]) -> dict[str, int]:
    """Return for each size the block's extent along the grid axis whose expression names it; 1 where none does."""
    extents = dict.fromkeys(project.sizes, 1)
    for part, extent in zip(project.kernel.launch.grid, block, strict=False):
        for name in _names(part):
            if name in extents:
                extents[name] = max(extents[name], extent)
    return extents


def _names(expression: str | int) -> set[str]:
    try:
        tree = ast.parse(str(expression).strip(), mode="eval")
    except SyntaxError:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _wanted(project: Project, sizes: Mapping[str, int], extent: Mapping[str, int]) -> Iterator[Shape]:
    tiled = {name for name, size in extent.items() if size > 1} or set(project.sizes)
    small = {name: min(value, 3) for name, value in sizes.items() if name not in tiled}
    yield "smallest", dict.fromkeys(project.sizes, 0)
    for label, shift in (("block − 1", -1), ("block", 0), ("block + 1", 1)):
        yield label, {**{name: extent[name] + shift for name in tiled}, **small}
    yield "prime", {**_primes(sorted(tiled), extent), **small}
    for name in sorted(tiled):
        yield "one", {**_primes(sorted(tiled), extent), **small, name: 1}
    if len(tiled) < len(project.sizes):
        yield "one", {**_primes(sorted(tiled), extent), **dict.fromkeys(small, 1)}
    for name in sorted(tiled):
        yield "longest", {name: range_of(project.sizes[name])[1]}
    yield "largest", {name: range_of(size)[1] for name, size in project.sizes.items()}


def _primes(names: Sequence[str], extent: Mapping[str, int]) -> dict[str, int]:
    """A different prime above the block for each size, so that rows and columns cannot be mistaken for each other."""
    chosen: dict[str, int] = {}
    for name in names:
        least = extent[name] + 3
        chosen[name] = next(n for n in itertools.count(least) if _is_prime(n) and n not in chosen.values())
    return chosen


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, math.isqrt(number) + 1))


def range_of(size: SizeRange) -> tuple[int, int]:
    """Return the smallest and largest declared value; without a maximum the default is it."""
    return size.min, max(size.min, size.max or size.default)


def _fit(project: Project, wanted: Mapping[str, int], limit: int) -> dict[str, int] | None:
    """Bring a shape into the declared ranges, then halve its largest size until it is small enough; None when it cannot exist."""
    ranges = {name: range_of(size) for name, size in project.sizes.items()}
    fitted = {name: min(max(wanted.get(name, low), low), high) for name, (low, high) in ranges.items()}
    try:
        while elements_of(project.arguments, fitted) > limit:
            name = max(fitted, key=lambda key: fitted[key] - ranges[key][0])
            if fitted[name] == ranges[name][0]:
                return None
            fitted[name] = max(ranges[name][0], fitted[name] // 2)
    except WrongInput:
        return None
    return fitted
