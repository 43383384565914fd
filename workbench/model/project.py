"""A project: a folder with `ledger.toml` that says what the kernel is, what it takes, and what the right answer is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from workbench.errors import WrongInput
from workbench.expressions import evaluate_whole
from workbench.model.launch import Expression, Launch

Role = Literal["input", "output", "inout", "scratch"]
Language = Literal["cuda", "triton", "hip"]
DTYPES = (
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "bfloat16", "float32", "float64",
)  # fmt: skip
DEFAULT_RELATIVE: Mapping[str, float] = {"float64": 1e-9, "float32": 1e-4, "float16": 2e-3, "bfloat16": 1.6e-2}
"""Relative tolerance by output dtype (method section 3); integers are exact."""


class SizeRange(msgspec.Struct, frozen=True):
    """One size of the problem: its usual value and the range a kernel must serve."""

    default: int
    min: int = 1
    max: int = 0
    """0 in the file means: the default."""


class ValueSpec(msgspec.Struct, frozen=True):
    """Distribution of an input's values. `low`/`high` belong to uniform (reals) and integers (half open)."""

    kind: Literal["normal", "uniform", "integers", "zeros", "arange", "ones"]
    low: float = 0.0
    high: float = 1.0


class Argument(msgspec.Struct, frozen=True):
    """One parameter of the kernel, in order: an array with a role and shape, or a scalar with a value."""

    name: str
    dtype: str
    role: Role = "input"
    shape: tuple[Expression, ...] = ()
    value: Expression | float | None = None
    values: ValueSpec | None = None

    @property
    def is_scalar(self) -> bool:
        """True for an argument passed by value."""
        return self.value is not None

    def resolve_shape(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """Return the array's shape for `sizes`. Raises WrongInput when a part is negative."""
        shape = tuple(evaluate_whole(part, sizes) for part in self.shape)
        if any(part < 0 for part in shape):
            raise WrongInput("The shape of {name} has a negative part for these sizes.", name=self.name)
        return shape


class Kernel(msgspec.Struct, frozen=True):
    """What the project says about the kernel under study."""

    language: Language
    source: str
    entry: str
    launch: Launch
    template: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    bytes: Expression | None = None
    flops: Expression | None = None
    constants: Mapping[str, tuple[float, ...]] = {}


class Tolerance(msgspec.Struct, frozen=True):
    """|c − r| <= relative·(|r| + S) + absolute (method section 3). None means: the default of the output's dtype."""

    relative: float | None = None
    absolute: float = 0.0

    def relative_for(self, dtype: str) -> float:
        """Return the relative tolerance for an output dtype; integers and bool are exact."""
        if dtype not in DEFAULT_RELATIVE:
            return 0.0
        return DEFAULT_RELATIVE[dtype] if self.relative is None else self.relative


class TimingSettings(msgspec.Struct, frozen=True):
    """Rounds that are not counted and rounds that are, for each version; regime of the L2 cache."""

    warmup: int = 10
    rounds: int = 100
    regime: Literal["cold", "warm"] = "cold"
    groups: int = 5
    """Fresh processes over which the rounds are spread (method section 2: at least 5)."""


class SweepSettings(msgspec.Struct, frozen=True):
    """Budget of the shape sweep."""

    points: int = 1000
    max_elements: float = 5e7
    seconds: float = 300.0


class DeviceSettings(msgspec.Struct, frozen=True):
    """What one device can do in reasonable time: sizes and rounds that replace the project's there."""

    sizes: Mapping[str, int] = {}
    rounds: int | None = None
    repeats: int | None = None


class Pipeline(msgspec.Struct, frozen=True):
    """The application around the kernel: a Python function given `p`, or a command line."""

    python: str | None = None
    command: tuple[str, ...] = ()
    repeats: int = 20


class Limits(msgspec.Struct, frozen=True):
    """Seconds each pass may take before it is ended as TimedOut."""

    compile: float = 120.0
    verify: float = 120.0
    launch: float = 20.0
    """One launch in verify, or one round in time."""
    time: float = 300.0
    trace: float = 300.0


class Project(msgspec.Struct, frozen=True):
    """Everything `ledger.toml` says, checked. `folder` is absolute and never stored in a session."""

    name: str
    folder: Path
    kernel: Kernel
    arguments: tuple[Argument, ...]
    sizes: Mapping[str, SizeRange] = {}
    goal: str = ""
    reference: str | None = None
    """`file.py:function`, relative to the folder."""
    inputs: str | None = None
    tolerance: Tolerance = Tolerance()
    timing: TimingSettings = TimingSettings()
    sweep: SweepSettings = SweepSettings()
    devices: Mapping[str, DeviceSettings] = {}
    pipeline: Pipeline | None = None
    interpreter: str | None = None
    limits: Limits = Limits()
    stop_below: float = 0.03
    """A8: the loop stops when the best remaining gain is below this fraction of the wall time."""

    def default_sizes(self, device_kind: str) -> dict[str, int]:
        """Return the sizes used on a kind of device ("emulator", "cuda")."""
        sizes = {name: size.default for name, size in self.sizes.items()}
        sizes.update(self.device_settings(device_kind).sizes)
        return sizes

    def device_settings(self, device_kind: str) -> DeviceSettings:
        """Return what the project says about a kind of device."""
        return self.devices.get(device_kind, DeviceSettings())

    @property
    def runs_python(self) -> bool:
        """True when working on this project runs code that lies in its folder (needs the user's trust)."""
        return bool(self.reference or self.inputs or self.pipeline)

    @property
    def outputs(self) -> tuple[Argument, ...]:
        """The arrays that the kernel writes."""
        return tuple(argument for argument in self.arguments if argument.role in ("output", "inout") and not argument.is_scalar)
