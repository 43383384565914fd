"""Timings made by a noise model with a known truth, for tests of the method. Never shown anywhere."""

from __future__ import annotations

import numpy as np

from workbench.model.run import Clock, Group, TimingData

QUIET = Clock("test clock")


def make_timing(
    rng: np.random.Generator,
    *,
    slower: float = 0.0,
    placement: float = 0.003,
    noise: float = 0.005,
    groups: int = 5,
    quads: int = 25,
    time: float = 1e-3,
    versions: tuple[str, str] = ("A", "B"),
    clock: Clock = QUIET,
    tick: float = 0.0,
) -> TimingData:
    """Rounds where B takes (1 + slower) times A's time.

    Each process moves each side by its own normal `placement` (a fraction), each round by `noise`, with a slow drift;
    `tick` rounds every time to the clock's step.
    """
    made = []
    for _ in range(groups):
        drift = 1 + 0.01 * np.linspace(0, 1, 4 * quads) * rng.normal()
        a_side, b_side = 1 + placement * rng.normal(), (1 + slower) * (1 + placement * rng.normal())
        sides = np.tile([a_side, b_side, b_side, a_side], quads)
        times = time * sides * drift * np.exp(noise * rng.normal(size=4 * quads))
        if tick:
            times = np.round(times / tick) * tick
        rows = times.reshape(quads, 4)
        made.append(Group(tuple(rows[:, [0, 3]].ravel().tolist()), tuple(rows[:, [1, 2]].ravel().tolist())))
    clock = Clock(clock.name, tick=tick)
    return TimingData(versions[0], versions[1], tuple(made), "cold", clock, 10, {"n": 1}, "fresh each round")
