"""What a GPU computes for every case of the semantics: run on a GPU machine, from the repository's root.

    PYTHONPATH=. python tests/data/semantics/measure.py OUT_FOLDER

Every group is compiled by nvcc for the device, launched through CuPy, and written to OUT_FOLDER/truth.npz (what belongs beside
this file), full.npz (every result, to look into differences) and measure.json (what failed). Needs numpy, cupy and nvcc.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from tests.helpers.semantics_inputs import WIDTH, Array
from tests.helpers.semantics_textures import Fetch, fetches
from tests.helpers.semantics_tiles import tiles
from tests.helpers.semantics_truth import groups, write


class NoDevice:
    """Stands for a GPU where there is none: everything is compiled, nothing is launched."""

    about = "no device"
    architecture = "sm_90"

    def launch(self, cubin: Path, arrays: Sequence[Any], grid: int, block: int) -> Array:
        """Refuse."""
        raise RuntimeError(f"there is no GPU to launch {cubin.name}")

    def texture(self, fetch: Fetch) -> np.generic:
        """Return a number that no kernel will use."""
        return np.uint64(0)


class CupyDevice:
    """The first GPU, through CuPy."""

    def __init__(self) -> None:
        cupy: Any = importlib.import_module("cupy")
        self._cupy, self._kept = cupy, list[object]()
        self._texture: Any = importlib.import_module("cupy.cuda.texture")
        properties = cupy.cuda.runtime.getDeviceProperties(0)
        self.architecture = f"sm_{properties['major']}{properties['minor']}"
        nvcc = subprocess.run(["nvcc", "--version"], capture_output=True, encoding="utf-8", check=True).stdout
        release = next(line.split("release ")[1] for line in nvcc.splitlines() if "release " in line)
        asking = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0"]
        driver = subprocess.run(asking, capture_output=True, encoding="utf-8", check=True).stdout.strip()
        today = datetime.now(UTC).date().isoformat()
        self.about = f"{properties['name'].decode()}, {self.architecture}, driver {driver}, nvcc {release}, {today}"

    def launch(self, cubin: Path, arrays: Sequence[Any], grid: int, block: int) -> Array:
        """Launch `k` with arrays copied to the device and return the first one after it."""
        kernel = self._cupy.RawModule(path=str(cubin)).get_function("k")
        given = [self._cupy.asarray(array) if isinstance(array, np.ndarray) else array for array in arrays]
        kernel((grid,), (block,), tuple(given))
        self._cupy.cuda.Device().synchronize()
        return np.asarray(given[0].get())

    def texture(self, fetch: Fetch) -> np.generic:
        """Return a texture object over a CUDA array, kept until the process ends."""
        runtime, texture = self._cupy.cuda.runtime, self._texture
        data = fetch.data()
        kind = {"f": runtime.cudaChannelFormatKindFloat, "u": runtime.cudaChannelFormatKindUnsigned}[data.dtype.kind]
        bits = [data.dtype.itemsize * 8 if place < fetch.channels else 0 for place in range(4)]
        sizes = tuple(reversed(fetch.shape))
        if fetch.by_index:
            return self._linear_texture(fetch, texture.ChannelFormatDescriptor(*bits, kind))
        array = texture.CUDAarray(texture.ChannelFormatDescriptor(*bits, kind), *sizes)
        array.copy_from(self._cupy.asarray(data.reshape(*fetch.shape[:-1], fetch.shape[-1] * fetch.channels)))
        modes = {"wrap": 0, "clamp": 1, "mirror": 2, "border": 3}
        made = texture.TextureObject(
            texture.ResourceDescriptor(runtime.cudaResourceTypeArray, cuArr=array),
            texture.TextureDescriptor(
                (modes[fetch.address],) * len(sizes),
                runtime.cudaFilterModeLinear if fetch.linear else runtime.cudaFilterModePoint,
                runtime.cudaReadModeNormalizedFloat if fetch.normalised_values else runtime.cudaReadModeElementType,
                normalizedCoords=int(fetch.normalised_coordinates),
            ),
        )
        self._kept.append((array, made))
        return np.uint64(made.ptr)

    def _linear_texture(self, fetch: Fetch, channels: Any) -> np.generic:
        """Return a texture object over plain memory, which tex1Dfetch reads."""
        runtime, texture = self._cupy.cuda.runtime, self._texture
        memory = self._cupy.asarray(fetch.data())
        linear = runtime.cudaResourceTypeLinear
        resource = texture.ResourceDescriptor(linear, arr=memory, chDesc=channels, sizeInBytes=memory.nbytes)
        mode = runtime.cudaReadModeNormalizedFloat if fetch.normalised_values else runtime.cudaReadModeElementType
        made = texture.TextureObject(resource, texture.TextureDescriptor(readMode=mode))
        self._kept.append((memory, made))
        return np.uint64(made.ptr)


def compile_one(source: str, options: Sequence[str], target: Path, architecture: str) -> str:
    """Compile to a cubin and return what went wrong, empty when nothing did."""
    target.with_suffix(".cu").write_text(source, encoding="utf-8")
    command = ["nvcc", f"-arch={architecture}", "-cubin", "-w", *options, "-o", str(target), str(target.with_suffix(".cu"))]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return done.stderr if done.returncode else ""


def main(out: Path) -> int:
    """Measure everything and write the results. Returns how many items failed."""
    out.mkdir(parents=True, exist_ok=True)
    device: CupyDevice | NoDevice
    try:
        device = CupyDevice()
    except Exception as error:
        print(f"no GPU ({error}); compiling only")
        device = NoDevice()
    print(f"device: {device.about}", flush=True)
    failed: dict[str, str] = {}
    results: dict[str, Array] = {}
    with tempfile.TemporaryDirectory() as folder:
        items: list[tuple[str, str, tuple[str, ...]]] = [(group.name, group.source(), group.options) for group in groups()]
        items += [(tile.name, tile.source(), ()) for tile in tiles()]
        items += [(fetch.name, fetch.source(), ()) for fetch in fetches()]
        paths = {name: Path(folder) / f"{index}.cubin" for index, (name, _, _) in enumerate(items)}
        with ThreadPoolExecutor(min(16, os.cpu_count() or 1)) as pool:
            said = pool.map(lambda item: compile_one(item[1], item[2], paths[item[0]], device.architecture), items)
            failed |= {item[0]: text for item, text in zip(items, said, strict=True) if text}
        print(f"{len(items) - len(failed)} of {len(items)} sources compiled", flush=True)
        for name, path in paths.items():
            if name in failed or isinstance(device, NoDevice):
                continue
            try:
                results[name] = run(device, name, path)
            except Exception as error:
                failed[name] = str(error)
    write(out, results, device.about)
    np.savez_compressed(out / "full.npz", allow_pickle=False, **results)
    report = {"device": device.about, "measured": sorted(results), "failed": failed}
    (out / "measure.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    for name, text in failed.items():
        print(f"FAILED {name}: {text.strip()[:300]}")
    print(f"{len(results)} of {len(paths)} items measured")
    return len(failed)


def run(device: CupyDevice | NoDevice, name: str, cubin: Path) -> Array:
    """Return the results of one item: a row per expression for groups."""
    group = next((group for group in groups() if group.name == name), None)
    if group is not None:
        arrays = group.arrays()
        rows = len(group.expressions)
        count = arrays[0].size // (rows if group.between else 1)
        room = np.zeros((rows, count), f"u{WIDTH[group.gives]}")
        return device.launch(cubin, [room, *arrays, np.int32(count)], (count + 255) // 256, 256)
    tile = next((tile for tile in tiles() if tile.name == name), None)
    if tile is not None:
        return device.launch(cubin, [tile.results(), *tile.memory()], 1, 32)
    fetch = next(fetch for fetch in fetches() if fetch.name == name)
    places = fetch.places()
    room = np.zeros((places.shape[1], fetch.channels), fetch.gives)
    return device.launch(cubin, [room, device.texture(fetch), *places, np.int32(len(room))], (len(room) + 255) // 256, 256)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
