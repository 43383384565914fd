"""The object `p` that a project's `pipeline.py:run(p)` is written with. It runs on every device."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.errors import WrongInput
from workbench.model.includes import read_includes
from workbench.model.launch import Launch
from workbench.model.project import Argument
from workbench.model.source import read_source
from workbench.plugin_api import Buffer, Code, DeviceTracer, Loaded, ResolvedLaunch, WorkerDevice
from workbench.worker.arrays import host_dtype
from workbench.worker.passes.binding import scalar
from workbench.worker.passes.recorder import Recorder

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class DeviceArray:
    """Memory on the device with the dtype and shape it was made with."""

    buffer: Buffer
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Target:
    """The kernel under study as one side of the comparison launches it."""

    entry: str
    kernel: Loaded
    launch: ResolvedLaunch
    arguments: Sequence[Argument]


class FixedKernels:
    """The pipeline's other kernels, compiled once for all repeats."""

    def __init__(self, device: WorkerDevice, folder: Path, compile_folder: Path, options: tuple[str, ...]) -> None:
        self._device = device
        self._folder = folder
        self._compile_folder = compile_folder
        self._options = options
        self._loaded: dict[tuple[str, str], Loaded] = {}

    def get(self, file: str, entry: str) -> Loaded:
        """Return a loaded kernel. Raises Fault when it does not compile, WrongInput when the file lies outside the project."""
        if (file, entry) not in self._loaded:
            path = (self._folder / file).resolve()
            if not path.is_relative_to(self._folder.resolve()):
                raise WrongInput("The pipeline launches {file}, which lies outside the project folder; copy it there.", file=file)
            source = read_source(path)
            includes = read_includes(source.text, file, self._folder, options=self._options)
            code = Code(source, "cuda", entry, Launch((1,), (1,)), options=self._options, includes=includes)
            compiled = self._device.compile(code, self._compile_folder, name=file)
            self._loaded[file, entry] = self._device.load(compiled, {})
        return self._loaded[file, entry]


class PipelineApi:
    """One repeat's `p`. Streams are small numbers; work on one stream runs in order."""

    def __init__(
        self, tracer: DeviceTracer, target: Target, fixed: FixedKernels, sizes: Mapping[str, int], recorder: Recorder
    ) -> None:
        self.sizes = dict(sizes)
        """The sizes of this execution, by name."""
        self.kernel_calls = 0
        self._tracer = tracer
        self._target = target
        self._fixed = fixed
        self._recorder = recorder
        self._owned: dict[int, Buffer] = {}
        self._kept: list[Array] = []

    @contextmanager
    def stage(self, name: str, kind: str = "cpu") -> Iterator[None]:
        """Name what the host does inside the block."""
        if kind != "cpu":
            raise WrongInput("The stage {name} has kind {kind}; host stages have kind cpu.", name=name, kind=kind)
        with self._recorder.host("cpu", name):
            yield

    def allocate(self, shape: Sequence[int], dtype: str) -> DeviceArray:
        """Return device memory (`cudaMalloc`)."""
        shape = tuple(int(part) for part in shape)
        with self._recorder.host("alloc", "allocate"):
            buffer = self._tracer.allocate(prod(shape) * host_dtype(dtype).itemsize)
        self._owned[id(buffer)] = buffer
        return DeviceArray(buffer, dtype, shape)

    def free(self, array: DeviceArray) -> None:
        """Free device memory (`cudaFree`, which waits for the device)."""
        self._owned.pop(id(array.buffer), None)
        with self._recorder.host("alloc", "free"):
            self._tracer.free(array.buffer)

    def pinned(self, shape: Sequence[int], dtype: str) -> Array:
        """Return page-locked host memory where the device has that."""
        return self._tracer.host_array(tuple(int(part) for part in shape), dtype, pinned=True)

    def upload(self, array: Array, stream: int = 0) -> DeviceArray:
        """Allocate device memory and copy a host array into it."""
        target = self.allocate(array.shape, array.dtype.name)
        self.copy_in(target, array, stream)
        return target

    def copy_in(self, target: DeviceArray, array: Array, stream: int = 0) -> None:
        """Copy a host array into device memory that is already there."""
        array = np.ascontiguousarray(array)
        # Page-locked memory must outlive its copy.
        self._kept.append(array)
        with self._recorder.host("h2d", "copy to device"):
            ticket = self._tracer.upload(target.buffer, array, stream, self._recorder.on)
        self._recorder.device("h2d", "host to device", stream, ticket)

    def download(self, source: DeviceArray, stream: int = 0, out: Array | None = None) -> Array:
        """Copy device memory to the host, into `out` when given, and return it."""
        if out is None:
            out = self._tracer.host_array(source.shape, source.dtype, pinned=False)
        with self._recorder.host("d2h", "copy to host"):
            ticket = self._tracer.download(out, source.buffer, stream, self._recorder.on)
        self._recorder.device("d2h", "device to host", stream, ticket)
        return out

    def launch(self, entry: str, *arguments: DeviceArray | float, stream: int = 0) -> None:
        """Launch the kernel under study with the grid and block of the version being run."""
        target = self._target
        if entry != target.entry:
            raise WrongInput(
                "p.launch names {entry}, but the project's kernel is {kernel}; launch any other with p.launch_fixed.",
                entry=entry,
                kernel=target.entry,
            )
        if len(arguments) != len(target.arguments):
            raise WrongInput("p.launch gives {given} arguments; {entry} takes {wanted}.",
                             given=len(arguments), entry=entry, wanted=len(target.arguments))  # fmt: skip
        values = [
            given.buffer if isinstance(given, DeviceArray) else scalar(wanted.dtype, given)
            for given, wanted in zip(arguments, target.arguments, strict=True)
        ]
        self.kernel_calls += 1
        with self._recorder.host("api", f"launch {entry}"):
            ticket = self._tracer.launch(target.kernel, target.launch, values, stream, self._recorder.on)
        self._recorder.device("kernel", entry, stream, ticket)

    def launch_fixed(
        self,
        file: str,
        entry: str,
        arguments: Sequence[DeviceArray | np.generic[Any]],
        *,
        grid: Sequence[int],
        block: Sequence[int],
        shared_bytes: int = 0,
        stream: int = 0,
    ) -> None:
        """Launch another kernel of the chain. Scalars must be NumPy scalars: their dtype is the parameter's."""
        kernel = self._fixed.get(file, entry)
        launch = Launch(tuple(grid), tuple(block), shared_bytes).resolve({})
        values = [given.buffer if isinstance(given, DeviceArray) else given for given in arguments]
        for value in values:
            if isinstance(value, int | float):
                raise WrongInput("{entry} is given a plain number; write np.int32(…) or np.float32(…).", entry=entry)
        with self._recorder.host("api", f"launch {entry}"):
            ticket = self._tracer.launch(kernel, launch, values, stream, self._recorder.on)
        self._recorder.device("other", entry, stream, ticket)

    def stream(self, number: int) -> int:
        """Return a stream to pass as `stream=`; 0 is the one used otherwise."""
        return int(number)

    def event(self, stream: int = 0) -> int:
        """Return an event that is reached when all work queued on a stream so far is done; see `wait`."""
        return self._tracer.record(stream)

    def wait(self, event: int, stream: int) -> None:
        """Let later work on `stream` begin only after an event; the host goes on at once."""
        self._tracer.wait(stream, event)

    def synchronize(self, stream: int | None = None) -> None:
        """Wait for one stream, or for all."""
        with self._recorder.host("sync", "synchronize"):
            self._tracer.synchronize(stream)

    def give_back(self) -> None:
        """Free what the pipeline left allocated; after the repeat's clock was read."""
        for buffer in self._owned.values():
            self._tracer.free(buffer)
        self._owned.clear()
        self._kept.clear()
