"""Finds plugins, loads what belongs into this process, and lists the broken ones with their traceback."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import tomllib
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pluggy

from workbench import hookspecs
from workbench.errors import Unavailable, WrongInput
from workbench.model.device import DeviceInfo
from workbench.model.failure import Failure
from workbench.paths import data_folder
from workbench.plugin_api import API_VERSION, Advisor, DevicePlugin, GpuStatusReader, Register

SHIPPED = "plugins"


class Manifest(msgspec.Struct, frozen=True):
    """`plugin.toml`. `worker` and `window` are module names that only the child and only the window load."""

    id: str
    title: str
    api: int
    provides: tuple[str, ...] = ()
    worker: str = ""
    window: str = ""


class Plugin(msgspec.Struct, frozen=True):
    """A plugin that was found. `error` is its traceback when it could not be loaded."""

    manifest: Manifest
    folder: Path
    shipped: bool
    register: Register | None = None
    error: str = ""


class PluginManager:
    """All plugins of this start. A broken one is listed, and the program goes on."""

    def __init__(self, switched_on: Sequence[str] = ()) -> None:
        self._hooks = pluggy.PluginManager("kernel-ledger")
        self._hooks.add_hookspecs(hookspecs)
        self._listed: dict[str, Sequence[DeviceInfo]] = {}
        self.plugins: tuple[Plugin, ...] = tuple(
            self._load(folder, manifest, shipped)
            for folder, manifest, shipped in _found()
            if shipped or manifest.id in switched_on
        )

    @property
    def broken(self) -> tuple[Plugin, ...]:
        """Plugins that could not be loaded."""
        return tuple(plugin for plugin in self.plugins if plugin.error)

    def devices(self, *, again: bool = False) -> tuple[DeviceInfo, ...]:
        """Return every device of every plugin, usable or with its reason. Slow the first time."""
        found: list[DeviceInfo] = []
        for plugin, door in self._devices():
            if again or plugin.manifest.id not in self._listed:
                self._listed[plugin.manifest.id] = door.list_devices()
            found += self._listed[plugin.manifest.id]
        return tuple(sorted(found, key=_device_order))

    def find_device(self, name: str | None) -> DeviceInfo:
        """Return a usable device: the one named, else the first GPU, else the emulator. Raises Unavailable or WrongInput."""
        devices = self.devices()
        if name is None:
            usable = [device for device in devices if device.available]
            if not usable:
                reasons = " ".join(str(device.reason) for device in devices if device.reason)
                raise Unavailable("No device can be used on this machine. {reasons}", reasons=reasons)
            return usable[0]
        for device in devices:
            if device.id == name:
                if not device.available and device.reason is not None:
                    raise Unavailable(device.reason.text, **dict(device.reason.arguments))
                return device
        usable_now = ", ".join(device.id for device in devices if device.available) or "none"
        raise WrongInput("There is no device {name}; usable on this machine: {devices}.", name=name, devices=usable_now)

    def plugin_of(self, device: DeviceInfo) -> tuple[str, str]:
        """Return the plugin id that opens a device, and the folder of a user's plugin (empty for shipped ones)."""
        for plugin, door in self._devices():
            if door.kind == device.kind:
                return plugin.manifest.id, "" if plugin.shipped else str(plugin.folder.parent)
        raise Unavailable(
            "No plugin that is switched on opens {device}; `kernel-ledger devices` lists those that can be used.",
            device=device.id,
        )

    def explain_fault(self, device: DeviceInfo, report: str) -> Failure | None:
        """Return what a device's plugin reads from the report of a worker that a fault ended; None where it reads none."""
        for _, door in self._devices():
            if door.kind == device.kind and report:
                explain = getattr(door, "explain_fault", None)
                found: Failure | None = explain(report) if explain is not None else None
                return found
        return None

    def advisors(self) -> tuple[Advisor, ...]:
        """Return every advisor."""
        return tuple(advisor for plugin in self.plugins if plugin.register for advisor in plugin.register.advisors)

    def gpu_status(self) -> tuple[GpuStatusReader, ...]:
        """Return fresh readers of GPU status."""
        return tuple(make() for plugin in self.plugins if plugin.register for make in plugin.register.gpu_status)

    def _devices(self) -> list[tuple[Plugin, DevicePlugin]]:
        return [(plugin, door) for plugin in self.plugins if plugin.register for door in plugin.register.devices]

    def _load(self, folder: Path, manifest: Manifest, shipped: bool) -> Plugin:
        try:
            if manifest.api != API_VERSION:
                raise RuntimeError(f"it is written for plugin API {manifest.api}; this program has {API_VERSION}")
            module = _import(folder, manifest, shipped)
            register = Register(manifest.id)
            self._hooks.register(module, manifest.id)
            module.register(register)
            return Plugin(manifest, folder, shipped, register)
        except Exception:
            return Plugin(manifest, folder, shipped, error=traceback.format_exc())


def _device_order(device: DeviceInfo) -> tuple[bool, bool, str]:
    return (not device.available, not device.books_gains, device.id)


def _found() -> list[tuple[Path, Manifest, bool]]:
    spec = importlib.util.find_spec(SHIPPED)
    shipped = Path(spec.origin).parent if spec and spec.origin else Path()
    found = []
    for root, is_shipped in ((shipped, True), (data_folder() / "plugins", False)):
        for file in sorted(root.glob("*/plugin.toml")):
            found.append((file.parent, _manifest(file), is_shipped))
    return found


def _manifest(file: Path) -> Manifest:
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Manifest)
    except (OSError, ValueError, msgspec.ValidationError):
        # api 0 makes it a broken plugin with its own line in the list.
        return Manifest(file.parent.name, file.parent.name, 0)


def _import(folder: Path, manifest: Manifest, shipped: bool) -> Any:
    if shipped:
        return importlib.import_module(f"{SHIPPED}.{manifest.id}")
    if str(folder.parent) not in sys.path:
        sys.path.append(str(folder.parent))
    return importlib.import_module(folder.name)
