"""The CPU emulator: runs CUDA C++ kernels without a GPU to prove them correct. Its time is CPU time, never a gain."""

from __future__ import annotations

from collections.abc import Sequence

from plugins.emulator.toolchain import Toolchain, cores, find_toolchain, why_unavailable
from workbench.plugin_api import DeviceInfo, Failure, Register, hookimpl

DEVICE_ID = "emulator"
_TITLE = "CPU emulator"


def describe(toolchain: Toolchain | None) -> DeviceInfo:
    """Return what the emulator is on this machine, unavailable with its reason where it cannot run."""
    reason = why_unavailable(toolchain)
    properties: dict[str, str | int | float] = {
        "compiler": toolchain.version if toolchain else "",
        "cores": cores(),
        "warp_size": 32,
        "max_threads_per_block": 1024,
        "shared_optin_bytes": 227 * 1024,
        "shared_static_bytes": 48 * 1024,
    }
    remark = toolchain.remark if toolchain else None
    return DeviceInfo(
        DEVICE_ID, _TITLE, "emulator", available=reason is None, reason=reason, remark=remark, properties=properties
    )


class EmulatorPlugin:
    """The device plugin: one device, always listed."""

    kind = "emulator"

    def list_devices(self) -> Sequence[DeviceInfo]:
        """Return the emulator; asking the compiler for its version takes some milliseconds."""
        return [describe(find_toolchain())]

    def explain_fault(self, report: str) -> Failure | None:
        """Return what the report of a worker that a wild access ended says, with its source line; None where it says nothing."""
        from plugins.emulator.fault_report import explain  # only a fault needs the reader of line tables

        return explain(report)


@hookimpl
def register(register: Register) -> None:
    """Register the emulator."""
    register.devices.append(EmulatorPlugin())
