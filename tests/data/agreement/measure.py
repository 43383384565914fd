"""Runs every kernel of the agreement set on a GPU and keeps what it gave. From the repository's root:

PYTHONPATH=. python tests/data/agreement/measure.py OUT_FOLDER [DEVICE]

Writes OUT_FOLDER/truth.npz and truth.json, which belong beside this file. DEVICE is cuda:0; `emulator` tries the script itself.
The kernels run in a child process, so that one that faults or hangs costs only itself.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from plugins.cuda.source_scan import host_lines
from tests.helpers.agreement.index import Entry, entries, entry_named
from tests.helpers.agreement.running import Texture, code_of, compile_on, emulated_texture, run_on
from tests.helpers.agreement.truth import Measured, Truth, write_truth
from workbench.plugin_api import Argument, Compiled, Fault, WorkerDevice

Array = npt.NDArray[Any]
START_SECONDS, KERNEL_SECONDS, TOTAL_SECONDS = 240.0, 20.0, 400.0
"""How long a child may take before its first result (it compiles everything first), between two results, and altogether."""
STICKY = {"OutOfBounds", "DeviceFault", "TimedOut", "Crashed"}
"""Faults after which a CUDA context is of no more use."""


def open_worker(name: str) -> tuple[WorkerDevice, Texture]:
    """Open a device and return it with its way to make textures."""
    if name == "emulator":
        from plugins.emulator.in_worker import open_device

        return open_device(name), emulated_texture
    from plugins.cuda.in_worker import open_cuda

    return open_cuda(name, may_measure=False), cupy_texture


def cupy_texture(picture: Array) -> tuple[Argument, object]:
    """Return a texture object of the GPU and what keeps it."""
    import cupy
    from cupy.cuda import runtime, texture

    height, width = picture.shape
    array = texture.CUDAarray(texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.cudaChannelFormatKindFloat), width, height)
    array.copy_from(cupy.asarray(picture))
    clamp = (runtime.cudaAddressModeClamp,) * 2
    how = texture.TextureDescriptor(clamp, runtime.cudaFilterModeLinear, runtime.cudaReadModeElementType)
    made = texture.TextureObject(texture.ResourceDescriptor(runtime.cudaResourceTypeArray, cuArr=array), how)
    return np.uint64(made.ptr), made


def main(out: Path, device: str) -> int:
    """Measure, restarting the child after a kernel that ends it, and write the truth."""
    parts = out / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    for old in parts.iterdir():
        old.unlink()
    waiting, started = [entry.name for entry in entries()], time.monotonic()
    while waiting:
        began = time.monotonic()
        code = watch(out, device, waiting)
        finished = {part.stem for part in parts.glob("*.json")}
        left = [name for name in waiting if name not in finished]
        if left and len(left) == len(waiting) and not (parts / "device.json").exists():
            print(f"the child ended with code {code} after {time.monotonic() - began:.0f} s without opening {device}")
            return 3
        if left and code != 0 and code != 75:
            write_part(parts, left[0], Measured(entry_named(left[0]).identity, error=f"the process ended with code {code}"))
            left = left[1:]
        waiting = left
        if waiting and time.monotonic() - started > TOTAL_SECONDS:
            for name in waiting:
                write_part(parts, name, Measured(entry_named(name).identity, error="not run: no time was left"))
            break
    return collect(out)


def watch(out: Path, device: str, waiting: Sequence[str]) -> int:
    """Run one child and return its exit code; it is killed when nothing new comes for too long."""
    child = subprocess.Popen([sys.executable, __file__, str(out), device, *waiting])
    count, limit = 0, time.monotonic() + START_SECONDS
    while child.poll() is None:
        now = len(list((out / "parts").glob("*.json")))
        if now != count:
            count, limit = now, max(time.monotonic() + KERNEL_SECONDS, limit if count == 0 else 0)
        if time.monotonic() > limit:
            child.kill()
        time.sleep(0.05)
    return child.wait()


def collect(out: Path) -> int:
    """Join the parts into the truth and return how many kernels have no result."""
    parts, kernels, results = out / "parts", {}, {}
    for entry in entries():
        kernels[entry.name] = msgspec.json.decode((parts / f"{entry.name}.json").read_bytes(), type=Measured)
        if not kernels[entry.name].error:
            with np.load(parts / f"{entry.name}.npz") as kept:
                results[entry.name] = {name: kept[name] for name in kept.files}
    device, environment = msgspec.json.decode((parts / "device.json").read_bytes(), type=tuple[str, dict[str, str]])
    write_truth(out, Truth(device, datetime.now(UTC).date().isoformat(), environment, kernels), results)
    failed = [f"{name}: {measured.error}" for name, measured in kernels.items() if measured.error]
    loose = [name for name, measured in kernels.items() if not measured.repeatable]
    print(f"{len(results)} of {len(kernels)} kernels measured; {len(loose)} differ from run to run: {', '.join(loose) or 'none'}")
    print("\n".join(failed))
    return len(failed)


# --- the child -------------------------------------------------------------------------------------------------------


def child(out: Path, device_name: str, names: Sequence[str]) -> int:
    """Compile all of `names`, run each twice and write its part. Returns 75 after a fault that only a new process helps."""
    device, texture = open_worker(device_name)
    title = str(device.info.title)
    (out / "parts" / "device.json").write_bytes(msgspec.json.encode((title, dict(device.environment()))))
    chosen = [entry_named(name) for name in names]
    compiled = compile_all(device, chosen, out / "compiled")
    for entry in chosen:
        made = compiled[entry.name]
        if isinstance(made, Measured):
            write_part(out / "parts", entry.name, made)
        elif not measure(device, entry, made, texture, out / "parts"):
            return 75
    return 0


def compile_all(device: WorkerDevice, chosen: Sequence[Entry], folder: Path) -> dict[str, Compiled | Measured]:
    """Compile by name: what needs nvcc, a process of its own, side by side, and meanwhile the rest one by one."""
    with ThreadPoolExecutor(8) as pool:
        hosts = [entry for entry in chosen if host_lines(code_of(entry).source.text)]
        waiting = {entry.name: pool.submit(try_to_compile, device, entry, folder) for entry in hosts}
        made = {entry.name: try_to_compile(device, entry, folder) for entry in chosen if entry.name not in waiting}
        return made | {name: future.result() for name, future in waiting.items()}


def try_to_compile(device: WorkerDevice, entry: Entry, folder: Path) -> Compiled | Measured:
    """Return the compiled kernel, or what to say about one that does not compile."""
    try:
        return compile_on(device, entry, folder)
    except Fault as fault:
        return Measured(entry.identity, error=f"{fault.failure.kind}: {fault.failure.message}")


def measure(device: WorkerDevice, entry: Entry, compiled: Compiled, texture: Texture, parts: Path) -> bool:
    """Run one kernel twice and keep the first results. Returns whether the device can still be used."""
    said, usable = Measured(entry.identity, compiled.data.compiler), True
    try:
        first, second = (run_on(device, entry, compiled, texture) for _ in range(2))
        np.savez(parts / f"{entry.name}.npz", **first)  # type: ignore[arg-type]  # numpy's stub has allow_pickle among the names
        same = all(first[name].tobytes() == second[name].tobytes() for name in first)
        said = msgspec.structs.replace(said, repeatable=same)
    except Fault as fault:
        said = msgspec.structs.replace(said, error=f"{fault.failure.kind}: {fault.failure.message}")
        usable = fault.failure.kind not in STICKY
    except AssertionError as error:
        said = msgspec.structs.replace(said, error=str(error))
    write_part(parts, entry.name, said)
    return usable


def write_part(parts: Path, name: str, measured: Measured) -> None:
    """Write what there is to say about one kernel; the file's appearance tells the parent that it is done."""
    (parts / f"{name}.part").write_bytes(msgspec.json.encode(measured))
    (parts / f"{name}.part").rename(parts / f"{name}.json")
    print(f"{name}: {measured.error or ('measured' if measured.repeatable else 'measured, differs from run to run')}", flush=True)


if __name__ == "__main__":
    folder, chosen_device = Path(sys.argv[1]).resolve(), (sys.argv[2:3] or ["cuda:0"])[0]
    sys.exit(child(folder, chosen_device, sys.argv[3:]) if sys.argv[3:] else main(folder, chosen_device))
