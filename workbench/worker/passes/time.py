"""One group of timed rounds: quads A B B A, fresh inputs and addresses, every round compared after the clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from workbench.model.project import Argument, ValueSpec
from workbench.model.run import Group
from workbench.plugin_api import Regime, WorkerDevice
from workbench.texts import message
from workbench.worker import arrays, protocol
from workbench.worker.child import ProgressCall
from workbench.worker.passes.binding import Bound, bound, load, slot_bytes

_POISON = 0xFF
_CLOCK_DROP = 0.9
"""A round whose SM clock fell below this share of the group's best is set aside (method section 1: throttled)."""


@dataclass
class _Rounds:
    a: list[float] = field(default_factory=list)
    b: list[float] = field(default_factory=list)
    clocks: list[int] = field(default_factory=list)
    checked: int = 0
    wrong: int = 0


class _Timer:
    """The rounds of one request on one device."""

    def __init__(self, device: WorkerDevice, request: protocol.TimeGroup) -> None:
        self.device = device
        self.request = request
        self.kernel_a = load(device, request.a)
        self.kernel_b = load(device, request.b)
        self.specs = {argument.name: argument for argument in request.arguments}
        self.regime: Regime = device.regime(request.regime, sum(slot_bytes(slot) for slot in request.slots))
        self.rounds = _Rounds()
        self._seed = request.seed

    def warm_up(self) -> None:
        """Launch both versions until the clock settles; warm-up rounds look like timed ones."""
        with bound(self.device, self.request.slots) as case:
            for kernel, launch in ((self.kernel_a, self.request.launch_a), (self.kernel_b, self.request.launch_b)):
                self._fill(case, self._seed)
                self.device.settle(kernel, launch, case.arguments, self.request.warmup)

    def quad(self) -> None:
        """Time A B and then B A; both members of a pair get the same fresh inputs."""
        first_a, first_b = self._pair(self._next_seed(), a_first=True)
        second_a, second_b = self._pair(self._next_seed(), a_first=False)
        self.rounds.a += [first_a, second_a]
        self.rounds.b += [first_b, second_b]
        clock = self.device.sm_clock_mhz()
        if clock is not None:
            self.rounds.clocks.append(clock)

    def _next_seed(self) -> int:
        self._seed = (self._seed * 6364136223846793005 + 1442695040888963407) % 2**63
        return self._seed

    def _pair(self, seed: int, *, a_first: bool) -> tuple[float, float]:
        request = self.request
        with bound(self.device, request.slots) as case_a, bound(self.device, request.slots) as case_b:
            seconds: dict[str, float] = {}
            for side in "ab" if a_first else "ba":
                case = case_a if side == "a" else case_b
                kernel, launch = (self.kernel_a, request.launch_a) if side == "a" else (self.kernel_b, request.launch_b)
                self._fill(case, seed)
                seconds[side] = self.device.timed_launch(kernel, launch, case.arguments, self.regime)
            self._compare(case_a, case_b)
        return seconds["a"], seconds["b"]

    def _fill(self, case: Bound, seed: int) -> None:
        """Give every array its contents for a round: inputs and inouts fresh, outputs and scratch poisoned."""
        for index, slot in enumerate(self.request.slots):
            buffer = case.buffers.get(slot.name)
            if buffer is None:
                continue
            if slot.array is not None:
                self.device.write(buffer, arrays.get(slot.array))
            elif slot.role in ("input", "inout"):
                self.device.draw(buffer, slot.dtype, slot.shape, _values(self.specs[slot.name]), seed + index)
            else:
                self.device.fill(buffer, _POISON)

    def _compare(self, case_a: Bound, case_b: Bound) -> None:
        wrong = 0
        for name, (relative, absolute) in self.request.tolerances.items():
            dtype = self.specs[name].dtype
            wrong += self.device.differing(case_a.buffers[name], case_b.buffers[name], dtype, relative, absolute)
        self.rounds.checked += 1
        self.rounds.wrong += wrong > 0


def _values(argument: Argument) -> ValueSpec:
    if argument.values is not None:
        return argument.values
    return ValueSpec("normal") if argument.dtype.startswith(("float", "bfloat")) else ValueSpec("integers", 0, 100)


def time_group(device: WorkerDevice, request: protocol.TimeGroup, progress: ProgressCall) -> protocol.GroupTimed:
    """Run one group and return its rounds. Raises Fault."""
    timer = _Timer(device, request)
    timer.warm_up()
    for quad in range(request.quads):
        timer.quad()
        progress(message("Timing rounds, A B B A"), quad + 1, request.quads)
    rounds = timer.rounds
    kept = _kept_quads(rounds.clocks, request.quads)
    group = Group(
        a=_pick(rounds.a, kept),
        b=_pick(rounds.b, kept),
        sm_clock_mhz=tuple(rounds.clocks),
        set_aside=4 * (request.quads - len(kept)),
    )
    return protocol.GroupTimed(group, timer.regime, device.clock(), rounds.checked, rounds.wrong)


def _kept_quads(clocks: Sequence[int], quads: int) -> list[int]:
    """Return the quads that were not throttled; all where the clock cannot be read."""
    if len(clocks) != quads:
        return list(range(quads))
    floor = _CLOCK_DROP * float(np.max(clocks))
    return [quad for quad, clock in enumerate(clocks) if clock >= floor]


def _pick(samples: Sequence[float], quads: Sequence[int]) -> tuple[float, ...]:
    return tuple(sample for quad in quads for sample in samples[2 * quad : 2 * quad + 2])
