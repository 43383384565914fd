"""The only place where a number becomes text. Every function takes SI base units and returns text with its unit."""

from __future__ import annotations

import math

MISSING = "—"
MINUS = "−"
TIMES = "×"

_TIME_STEPS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_BYTE_STEPS = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B"))


def significant(value: float, digits: int = 3) -> str:
    """Return `value` with at least `digits` significant digits and no exponent between 1e-4 and 1e6."""
    if not math.isfinite(value):
        if math.isnan(value):
            return "NaN"
        return "∞" if value > 0 else MINUS + "∞"
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if exponent < -4 or exponent >= 6:
        return scientific(value)
    text = f"{value:.{max(0, digits - 1 - exponent)}f}"
    return text.replace("-", MINUS)


def scientific(value: float) -> str:
    """Return `value` as 8.1e-6, and zero as 0."""
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return significant(value)
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}".replace("-", MINUS, 1) if value < 0 else f"{mantissa}e{int(exponent)}"


def duration(seconds: float | None, digits: int = 4) -> str:
    """Return a time as 16.40 ms; `seconds` None is missing."""
    if seconds is None or math.isnan(seconds):
        return MISSING
    if seconds == 0:
        return "0 ms"
    for step, unit in _TIME_STEPS:
        if abs(seconds) >= step * 0.9999995:
            return f"{significant(seconds / step, digits)} {unit}"
    return f"{significant(seconds / 1e-9, digits)} ns"


def milliseconds(seconds: float | None, decimals: int = 1) -> str:
    """Return a time as a bare number of milliseconds for a column whose head names the unit."""
    if seconds is None:
        return MISSING
    return f"{seconds * 1e3:.{decimals}f}".replace("-", MINUS)


def signed_milliseconds(seconds: float | None, decimals: int = 1) -> str:
    """Return a change as +4.0 or −91.6 (milliseconds, bare)."""
    if seconds is None:
        return MISSING
    value = round(seconds * 1e3, decimals)
    sign = "+" if value > 0 else (MINUS if value < 0 else "")
    return f"{sign}{abs(value):.{decimals}f}"


def ratio(value: float | None, decimals: int = 2) -> str:
    """Return a speed-up as 6.59×."""
    return MISSING if value is None or math.isnan(value) else f"{value:.{decimals}f}{TIMES}"


def percent(fraction: float | None, decimals: int = 1) -> str:
    """Return a fraction as 30.7 %."""
    return MISSING if fraction is None else f"{fraction * 100:.{decimals}f} %".replace("-", MINUS)


def signed_percent(fraction: float | None, decimals: int = 1) -> str:
    """Return a change as −75.5 %."""
    if fraction is None:
        return MISSING
    value = round(fraction * 100, decimals)
    sign = "+" if value > 0 else (MINUS if value < 0 else "")
    return f"{sign}{abs(value):.{decimals}f} %"


def interval(low: float | None, high: float | None, decimals: int = 2) -> str:
    """Return [6.55, 6.61]; empty when there is none."""
    if low is None or high is None:
        return ""
    return f"[{low:.{decimals}f}, {high:.{decimals}f}]".replace("-", MINUS)


def duration_interval(low: float | None, high: float | None) -> str:
    """Return [16.36, 16.47] ms."""
    if low is None or high is None:
        return ""
    for step, unit in _TIME_STEPS:
        if abs(high) >= step:
            return f"[{significant(low / step, 4)}, {significant(high / step, 4)}] {unit}"
    return f"[{significant(low / 1e-9, 4)}, {significant(high / 1e-9, 4)}] ns"


def size(nbytes: float | None) -> str:
    """Return a number of bytes as 4.1 KiB."""
    if nbytes is None:
        return MISSING
    for step, unit in _BYTE_STEPS:
        if abs(nbytes) >= step:
            return f"{nbytes:.0f} B" if unit == "B" else f"{nbytes / step:.1f} {unit}"
    return "0 B"


def count(number: int | None) -> str:
    """Return an integer with thousands separated by a narrow space."""
    return MISSING if number is None else f"{number:,}".replace(",", "\u202f")


def bandwidth(bytes_per_second: float | None) -> str:
    """Return a rate as 4.30 TB/s."""
    if bytes_per_second is None:
        return MISSING
    for step, unit in ((1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s")):
        if bytes_per_second >= step:
            return f"{significant(bytes_per_second / step, 3)} {unit}"
    return f"{bytes_per_second:.0f} B/s"


def short_hash(digest: str) -> str:
    """Return the first seven characters of a content hash."""
    return digest[:7]


def clock_rate(megahertz: int | None) -> str:
    """Return a clock as 1980 MHz."""
    return MISSING if megahertz is None else f"{megahertz} MHz"


def power(watt: float | None) -> str:
    """Return a power as 412 W."""
    return MISSING if watt is None else f"{watt:.0f} W"


def temperature(celsius: int | None) -> str:
    """Return a temperature as 54 °C."""
    return MISSING if celsius is None else f"{celsius} °C"
