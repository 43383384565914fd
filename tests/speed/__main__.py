"""`make bench`: measures every budget of the program, each in its own process, and prints one table."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import msgspec
from rich.console import Console
from rich.table import Table

from tests.speed.figures import Figure, environment

PARTS = ("start", "stalls", "loop", "emulator", "access", "sessions")


def _machine() -> str:
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), model)
    except OSError:
        pass
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load not known"
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, {load} before the start"


def _measure(part: str) -> list[Figure]:
    command = [sys.executable, "-m", f"tests.speed.{part}"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=1800)
    if done.returncode:
        sys.stderr.write(done.stderr)
        return [Figure(f"{part}: not measured, it ended with {done.returncode}", (float("nan"),), "")]
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=list[Figure])


def _row(figure: Figure) -> tuple[str, str, str, str, str]:
    budget = "" if figure.limit is None else f"< {figure.limit:g} {figure.unit}"
    spread = f"{min(figure.values):.3g} to {max(figure.values):.3g}, {len(figure.values)} times"
    word = {None: "", True: "yes", False: "NO"}[figure.met]
    title = f"{figure.title} ({figure.note})" if figure.note else figure.title
    return title, budget, f"{figure.median:.3g} {figure.unit}", spread, word


def main(parts: tuple[str, ...]) -> int:
    """Measure and print; 1 when a budget is not met."""
    console = Console(width=150)
    console.print(_machine())
    table = Table("what", "budget", "median", "spread", "met", title="Budgets")
    figures: list[Figure] = []
    for part in parts:
        console.print(f"measuring {part} ...")
        figures += _measure(part)
    for figure in figures:
        table.add_row(*_row(figure))
    console.print(table)
    console.print(f"load {os.getloadavg()[0]:.1f} at the end")
    return 0 if all(figure.met is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or PARTS))
