"""The device worker's desk: opens one device and answers each request with the pass that belongs to it."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import cast

from workbench.errors import WrongInput
from workbench.plugin_api import Compiled, Inspects, Support, WorkerDevice
from workbench.worker import protocol
from workbench.worker.child import ProgressCall
from workbench.worker.passes.access import analyse_access
from workbench.worker.passes.execute import execute
from workbench.worker.passes.pipeline import run_pipeline
from workbench.worker.passes.sanitize import can_sanitize, sanitize
from workbench.worker.passes.time import time_group


class DeviceDesk:
    """Holds the one device of this process."""

    def __init__(self) -> None:
        self._device: WorkerDevice | None = None

    @property
    def device(self) -> WorkerDevice:
        """The open device."""
        if self._device is None:
            raise WrongInput("No device is open in this worker; the first call must open one.")
        return self._device

    def answer(self, request: protocol.Request, progress: ProgressCall) -> object:
        """Return the result of a request. Raises Fault and LedgerError."""
        match request:
            case protocol.OpenDevice():
                return self._open(request)
            case protocol.Compile():
                return self._compile(request)
            case protocol.Inspect():
                return self._inspect(request)
            case protocol.Execute():
                return execute(self.device, request)
            case protocol.Sanitize():
                return sanitize(self.device, request)
            case protocol.Access():
                return analyse_access(self.device, request)
            case protocol.TimeGroup():
                return time_group(self.device, request, progress)
            case protocol.RunPipeline():
                return run_pipeline(self.device, request, progress)
        raise WrongInput("A device worker does not answer {request}.", request=type(request).__name__)

    def _open(self, request: protocol.OpenDevice) -> protocol.DeviceOpened:
        if request.plugin_folder:
            sys.path.insert(0, request.plugin_folder)
        module = importlib.import_module(f"{'' if request.plugin_folder else 'plugins.'}{request.plugin}.in_worker")
        fault_file = Path(os.environ["KERNEL_LEDGER_FAULT_FILE"])
        device = cast(WorkerDevice, module.open_device(request.device, fault_file))
        self._device = device
        return protocol.DeviceOpened(device.info, device.environment(), device.clock(), can_sanitize(device))

    def _compile(self, request: protocol.Compile) -> protocol.Binary:
        folder = Path(request.folder)
        folder.mkdir(parents=True, exist_ok=True)
        compiled = self.device.compile(request.code, folder, name=request.name)
        return protocol.Binary(str(compiled.binary), compiled.symbol, compiled.data, request.code.constants)

    def _inspect(self, request: protocol.Inspect) -> Support:
        inspects = getattr(self.device, "inspect", None)
        if inspects is None:
            raise WrongInput("The device {device} cannot check sources; check them for the emulator.", device=self.device.info.id)
        folder = Path(request.folder)
        folder.mkdir(parents=True, exist_ok=True)
        return cast(Inspects, self.device).inspect(request.code, folder, name=request.name)


def as_compiled(binary: protocol.Binary) -> Compiled:
    """Return a binary as the device knows it."""
    return Compiled(Path(binary.path), binary.symbol, binary.data)
