"""Run in a child (`python -m plugins.cuda.calibrate cuda:0`): measure the event clock's constant with spin kernels against CUPTI.

Prints one line of JSON: constant and spread in seconds, and what each spin kernel showed. CUPTI's concurrent kernel records
are right for kernels up to about 12 us (method section 1), so the spins are shorter than that.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import numpy as np
from cupti import cupti

from plugins.cuda.in_worker import CudaDevice, open_cuda

SPINS = (500, 2000, 6000, 10000)
"""Cycles: about 0.9 to 5.6 us on an H200."""
ROUNDS = 101
_BUFFER_BYTES = 8 * 2**20


def event_medians(device: CudaDevice) -> dict[int, float]:
    """Return the event clock's median for each spin, in seconds, constant included."""
    for _ in range(50):
        device.time_spin(SPINS[-1])
    return {cycles: float(np.median([device.time_spin(cycles) for _ in range(ROUNDS)])) for cycles in SPINS}


def cupti_medians(device: CudaDevice) -> dict[int, float]:
    """Return CUPTI's median for each spin, in seconds."""
    durations: list[int] = []

    def completed(activities: Sequence[cupti.Activity]) -> None:
        kernels = [one for one in activities if one.kind == cupti.ActivityKind.CONCURRENT_KERNEL]
        durations.extend(one.end - one.start for one in kernels if one.name == "spin")

    cupti.activity_register_callbacks(lambda: (_BUFFER_BYTES, 0), completed)
    cupti.activity_enable(cupti.ActivityKind.CONCURRENT_KERNEL)
    medians: dict[int, float] = {}
    for cycles in SPINS:
        durations.clear()
        for _ in range(ROUNDS):
            device.time_spin(cycles)
        cupti.activity_flush_all(1)
        medians[cycles] = float(np.median(durations)) * 1e-9
    cupti.activity_disable(cupti.ActivityKind.CONCURRENT_KERNEL)
    return medians


def main() -> None:
    """Measure and print."""
    device = open_cuda(sys.argv[1], may_measure=False)
    events = event_medians(device)
    traced = cupti_medians(device)
    gaps = [events[cycles] - traced[cycles] for cycles in SPINS]
    answer = {"constant": float(np.median(gaps)), "spread": max(gaps) - min(gaps), "events": events, "cupti": traced}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
