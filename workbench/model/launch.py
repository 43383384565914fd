"""How a kernel is launched: expressions over the sizes, and the numbers they give."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from workbench.errors import WrongInput
from workbench.expressions import evaluate_whole

Expression = str | int

_COMMENT = re.compile(r"^\s*//\s*ledger:\s*(?P<body>.*?)\s*$")
_FIELD = re.compile(r"(\w+)=(.*?)(?=\s+\w+=|$)")


class Launch(msgspec.Struct, frozen=True):
    """Grid and block (1 to 3 expressions each) and dynamic shared memory in bytes, over the sizes."""

    grid: tuple[Expression, ...]
    block: tuple[Expression, ...]
    shared_bytes: Expression = 0

    def resolve(self, sizes: Mapping[str, int]) -> ResolvedLaunch:
        """Return the numbers for `sizes`. Raises WrongInput for a value below 1 or an unknown name."""
        grid = _three(self.grid, sizes, "grid")
        block = _three(self.block, sizes, "block")
        shared = evaluate_whole(self.shared_bytes, sizes)
        if shared < 0:
            raise WrongInput("shared_bytes gives {value}; it must be 0 or more.", value=shared)
        return ResolvedLaunch(grid, block, shared)


class ResolvedLaunch(msgspec.Struct, frozen=True):
    """Launch numbers: x, y, z of grid and block, and dynamic shared memory in bytes."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int = 0

    @property
    def threads_per_block(self) -> int:
        """Number of threads in one block."""
        return self.block[0] * self.block[1] * self.block[2]


def _three(parts: tuple[Expression, ...], sizes: Mapping[str, int], what: str) -> tuple[int, int, int]:
    numbers = [evaluate_whole(part, sizes) for part in parts]
    for number in numbers:
        if not 1 <= number < 2**31:
            raise WrongInput("{what} gives {value}; each part must be between 1 and 2**31 − 1.", what=what, value=number)
    x, y, z = ([*numbers, 1, 1, 1])[:3]
    return x, y, z


def _split_list(text: str) -> tuple[Expression, ...]:
    """Split at commas outside parentheses; whole numbers become integers."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return tuple(int(part) if part.strip().isdigit() else part.strip() for part in parts)


def launch_in_source(text: str, default: Launch) -> Launch:
    """Return the launch that a `// ledger: block=32,8,1 grid=… shared_bytes=…` comment at the top of a source asks for.

    Fields it does not name come from `default`; so does everything when no such comment stands before the first code line.
    Raises WrongInput for a field that is not grid, block or shared_bytes.
    """
    for line in text.splitlines():
        found = _COMMENT.match(line)
        if found:
            return _from_fields(found["body"], default)
        if line.strip() and not line.lstrip().startswith("//"):
            break
    return default


def _from_fields(body: str, default: Launch) -> Launch:
    grid, block, shared = default.grid, default.block, default.shared_bytes
    for name, value in _FIELD.findall(body):
        match name:
            case "grid" | "block":
                parts = _split_list(value)
                if not 1 <= len(parts) <= 3:
                    raise WrongInput(
                        "The ledger comment of the source gives {name} {count} parts; 1 to 3 were expected.",
                        name=name,
                        count=len(parts),
                    )
                grid, block = (parts, block) if name == "grid" else (grid, parts)
            case "shared_bytes":
                shared = _split_list(value)[0]
            case _:
                raise WrongInput(
                    "The ledger comment of the source names {name}; only grid, block and shared_bytes were expected.", name=name
                )
    return Launch(grid, block, shared)
