"""Boundary shapes: sizes around the block, one, primes and the largest that the budget allows (requirement B2)."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from workbench.errors import WrongInput
from workbench.expressions import evaluate_whole
from workbench.model.launch import Launch
from workbench.model.project import Argument, Project, SizeRange

Shape = tuple[str, dict[str, int]]
"""Why, and the sizes."""


MAX_TILE = 1 << 16
"""No block covers more of a size than this."""


def elements_of(arguments: Sequence[Argument], sizes: Mapping[str, int]) -> int:
    """Return the number of elements of all arrays for `sizes`."""
    return sum(math.prod(argument.resolve_shape(sizes)) for argument in arguments if not argument.is_scalar)


def boundary_sizes(project: Project, sizes: Mapping[str, int], extent: Mapping[str, int], limit: int) -> tuple[Shape, ...]:
    """Return distinct boundary shapes inside the declared ranges, each of at most `limit` elements where its minima allow.

    `sizes` are the device's usual ones, `extent` is what one block covers of each (`tile_extents`). A shape for which an
    expression of the project fails (a negative extent) is left out.
    """
    if not project.sizes:
        return ()
    found: dict[tuple[tuple[str, int], ...], str] = {}
    for label, wanted in _wanted(project, sizes, extent):
        fitted = _fit(project, wanted, limit)
        if fitted is not None and fitted != dict(sizes):
            found.setdefault(tuple(sorted(fitted.items())), label)
    return tuple((label, dict(key)) for key, label in found.items())


def tile_extents(project: Project, block: tuple[int, int, int], launch: Launch) -> dict[str, int]:
    """Return for each size how much of it one block covers: the size above which the grid needs a second block on that axis.

    `ceil(width / 128)` with a block of 32 gives 128. Where the grid does not grow by itself (a grid-stride loop) it is the
    block's extent on that axis, and 1 for a size that no axis names.
    """
    extents = dict.fromkeys(project.sizes, 1)
    for part, threads in zip(launch.grid, block, strict=False):
        for name in _names(part) & set(extents):
            extents[name] = max(extents[name], _tile(part, name, list(extents)) or threads)
    return extents


def _tile(part: str | int, name: str, names: Sequence[str]) -> int | None:
    """The largest size with which one grid axis is as at 1, all others being 1; None where it never grows up to MAX_TILE."""

    def blocks(size: int) -> int:
        return evaluate_whole(part, {**dict.fromkeys(names, 1), name: size})

    try:
        low, high, first = 1, MAX_TILE, blocks(1)
        if blocks(high) <= first:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if blocks(middle) > first else (middle, high)
    except WrongInput:
        return None
    return low


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
