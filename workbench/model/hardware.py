"""What is known of a GPU without having it: the shipped hardware files (`resources/hardware`), each value with its source."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import msgspec

import resources
from workbench.errors import WrongInput
from workbench.model.device import DeviceInfo

DEVICE_ITSELF = "attribute of the device"
"""Source of a value that a present device told."""


class Stated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number and where it comes from."""

    value: float
    source: str


class Hardware(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One GPU. Values are named as in `DeviceInfo.properties`; sizes in bytes, bandwidth in bytes per second, clocks in MHz.

    `l2_line_bytes`, `l2_ways` and `sector_bytes` give the geometry of the L2 cache; `event_constant` and its spread are seconds.
    """

    title: str
    names: tuple[str, ...]
    """What the driver calls it."""
    architecture: str
    """`sm_90`."""
    values: Mapping[str, Stated]

    def number(self, name: str) -> float | None:
        """Return a value, None where it is missing."""
        stated = self.values.get(name)
        return None if stated is None else stated.value


@functools.cache
def hardware_files() -> Mapping[str, Hardware]:
    """Return the shipped files by their names (`h200`). A damaged one raises: it is a bug in the packaging."""
    return {
        path.stem: msgspec.toml.decode(path.read_bytes(), type=Hardware)
        for path in sorted(resources.path("hardware").glob("*.toml"))
    }


def hardware_file(name: str) -> Hardware:
    """Return a shipped file by its name, in any case. Raises WrongInput naming those that there are."""
    known = hardware_files()
    if name.lower() not in known:
        raise WrongInput("There is no hardware file {name}; choose one of {known}.", name=name, known=", ".join(known))
    return known[name.lower()]


def hardware_named(title: str) -> Hardware | None:
    """Return the hardware whose `names` hold what the driver calls a device, None when it is in no file."""
    return next((hardware for hardware in hardware_files().values() if title in hardware.names), None)


def hardware_for(architecture: str) -> Hardware | None:
    """Return the first hardware of an architecture (`sm_90`), data-centre cards before others of the same one; None without."""
    found = [hardware for hardware in hardware_files().values() if hardware.architecture == architecture]
    return max(found, key=lambda hardware: hardware.number("memory_bandwidth") or 0.0, default=None)


def with_device(hardware: Hardware, device: DeviceInfo) -> Hardware:
    """Return the hardware with the device's own attributes in place of the file's where it told them."""
    own = {
        name: Stated(float(value), DEVICE_ITSELF)
        for name, value in device.properties.items()
        if isinstance(value, int | float) and name in hardware.values
    }
    return msgspec.structs.replace(hardware, values={**hardware.values, **own})
