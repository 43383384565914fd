"""The prompt of four blocks: hardware, goal, constraints, evaluation; with the source, what is measured, and earlier tries."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

import resources
from workbench import units
from workbench.model.device import DeviceInfo
from workbench.model.ledger import LedgerLine
from workbench.model.project import Argument, Project
from workbench.model.run import CompileData, Run, TimingData
from workbench.model.version import Version
from workbench.suggest.scrub import without_paths

UNKNOWN = "not measured"
_NOT_PROFILED = ("L2 hit rate", "DRAM throughput", "occupancy", "shared-memory bank conflicts")
_FACTOR = re.compile(r"(\d+(?:\.\d+)?)\s*(?:x\b|×|times)")
_HISTORY = 8
_ERROR_LINES = 20


def build_prompt(
    project: Project, version: Version, device: DeviceInfo, run: Run | None, history: Sequence[LedgerLine] = ()
) -> str:
    """Return the prompt asking for a better kernel than `version`.

    `run` is the version's last run on `device`, `history` the ledger's earlier tries, oldest first. A fact that is missing
    is said to be not measured; no path of this machine is in the text (the source itself is sent as it is).
    """
    code = version.code
    source = code.source.text.replace("\r\n", "\n").rstrip("\n")
    return string.Template(resources.read("prompts/kernel.md")).substitute(
        hardware=_listed(_hardware(project, version, device, run)),
        goal=_listed(_goal(project, run)),
        constraints=_listed(_constraints(project, version)),
        evaluation=_listed(_evaluation(project, device)),
        measured=_listed(_measured(project, run)),
        history=_history(history, version),
        file=project.kernel.source,
        language="python" if code.language == "triton" else code.language,
        source=source,
    )


def _listed(facts: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in facts)


def _hardware(project: Project, version: Version, device: DeviceInfo, run: Run | None) -> list[tuple[str, str]]:
    facts = device.properties
    compiled = _compiled(run)
    target = "" if device.books_gains else " (runs the kernel on the CPU; its times say nothing about a GPU)"
    return [
        ("device", without_paths(device.title) + target),
        ("compute capability", str(facts.get("compute_capability") or UNKNOWN)),
        ("memory bandwidth", _number(facts, "memory_bandwidth", units.bandwidth)),
        ("L2 cache", _number(facts, "l2_bytes", units.size)),
        ("multiprocessors", _number(facts, "sm_count", lambda value: str(int(value)))),
        ("shared memory per block", _number(facts, "shared_optin_bytes", units.size)),
        ("shared memory per multiprocessor", _number(facts, "shared_per_sm_bytes", units.size)),
        ("compiler", without_paths(compiled.compiler) if compiled else UNKNOWN),
        ("compiler options", _options(project, version)),
    ]


def _number(facts: Mapping[str, str | int | float], key: str, form: Callable[[float], str]) -> str:
    value = facts.get(key)
    return form(float(value)) if isinstance(value, int | float) and value > 0 else UNKNOWN


def _options(project: Project, version: Version) -> str:
    options = [without_paths(option, project.folder) for option in version.code.options]
    return " ".join(options) or "none"


def _goal(project: Project, run: Run | None) -> list[tuple[str, str]]:
    goal = without_paths(project.goal, project.folder) or "not stated; make the kernel as fast as the constraints allow"
    time = _timing(run)
    baseline = median(_samples(time, "a")) if time is not None and time.regime != "cpu" else None
    factor = _FACTOR.search(project.goal)
    number = UNKNOWN
    if factor and baseline is not None:
        number = f"at most {units.duration(baseline / float(factor[1]))} (baseline {units.duration(baseline)} / {factor[1]})"
    elif factor:
        number = f"baseline time / {factor[1]} (the baseline's time is not measured on this device)"
    return [("goal", goal), ("kernel time to reach", number), ("kernel time now", _time_now(time))]


def _time_now(time: TimingData | None) -> str:
    if time is None:
        return UNKNOWN
    samples = _samples(time, "b")
    what = "CPU time of the emulator, no GPU time" if time.regime == "cpu" else f"{time.regime} L2 cache"
    return f"{units.duration(median(samples))} (median of {len(samples)} rounds, {what}, sizes {_sizes(time.sizes)})"


def _constraints(project: Project, version: Version) -> list[tuple[str, str]]:
    launch = version.code.launch
    current = f"block={_parts(launch.block)} grid={_parts(launch.grid)} shared_bytes={launch.shared_bytes}".replace(" / ", "/")
    ranges = ", ".join(f"{name} {size.min} to {max(size.max, size.default)}" for name, size in project.sizes.items())
    outputs = "; ".join(_tolerance(project, output) for output in project.outputs)
    return [
        ("interface", f"keep the name {version.code.entry} and its parameters: {', '.join(map(_argument, project.arguments))}"),
        ("tolerance", outputs or "no output is declared"),
        ("sizes", f"the answer must be right for every size: {ranges}" if ranges else "fixed"),
        ("target architectures", ", ".join(project.kernel.targets) or "the device above"),
        ("dependencies", "none may be added: no library, no header beyond the CUDA toolkit's own, no file, no host code"),
        ("launch now", current),
        (
            "changing the launch",
            "put a comment before the first line of code, such as `// ledger: block=32,8,1 grid=ceil(width/32),ceil(height/8)`, "
            "with shared_bytes=… where it is needed; what it does not name stays as it is; expressions may use the sizes",
        ),
    ]


def _parts(parts: Sequence[str | int]) -> str:
    return ",".join(str(part).replace(" ", "") for part in parts)


def _argument(argument: Argument) -> str:
    if argument.is_scalar:
        return f"{argument.dtype} {argument.name}"
    shape = ", ".join(str(part) for part in argument.shape)
    return f"{argument.dtype} {argument.name}[{shape}] ({argument.role})"


def _tolerance(project: Project, output: Argument) -> str:
    relative = project.tolerance.relative_for(output.dtype)
    if relative == 0:
        return f"{output.name} ({output.dtype}) exact"
    absolute = project.tolerance.absolute
    return f"{output.name} ({output.dtype}) |c - r| <= {relative:g} (|r| + S) + {absolute:g}, S = RMS of the reference"


def _evaluation(project: Project, device: DeviceInfo) -> list[tuple[str, str]]:
    timing = project.timing
    judge = "the project's reference, in float64" if project.reference else "the baseline's answer"
    facts = [
        ("answer", f"compared with {judge}, every element, fresh random inputs and special values"),
        ("sizes", "one, primes, one more and one less than the block, and the largest; writes outside a buffer are caught"),
        ("cheating", "outputs are poisoned, inputs change each round, timed rounds are checked again"),
    ]
    if device.books_gains:
        rounds = device_rounds(project, device)
        facts.append(
            (
                "time",
                f"{rounds} rounds after {timing.warmup} to warm up, {timing.regime} L2 cache, candidate and baseline in "
                f"the order A B B A, over {timing.groups} fresh processes; "
                "a gain counts only when its 95 % interval clears the noise",
            )
        )
    else:
        facts.append(("time", "not judged on this device; it proves the answer only"))
    return facts


def device_rounds(project: Project, device: DeviceInfo) -> int:
    """Return how many rounds are timed on a device."""
    return project.device_settings(device.kind).rounds or project.timing.rounds


def _measured(project: Project, run: Run | None) -> list[tuple[str, str]]:
    compiled, time = _compiled(run), _timing(run)
    facts = [
        ("kernel time", _time_now(time)),
        ("speed against the baseline", _speed(time)),
        ("least traffic / time", _achieved(time)),
        ("registers per thread", _whole(compiled.registers if compiled else None)),
        ("register spills", _bytes(compiled.spill_bytes if compiled else None)),
        ("static shared memory", _bytes(compiled.static_shared_bytes if compiled else None)),
        *((name, UNKNOWN) for name in _NOT_PROFILED),
    ]
    return facts + _faults(project, run)


def _faults(project: Project, run: Run | None) -> list[tuple[str, str]]:
    """What went wrong: gates that failed, the failure with its source lines."""
    if run is None:
        return []
    facts = [
        (f"gate {gate.gate} failed", without_paths(str(gate.sentence), project.folder))
        for gate in run.gates
        if gate.status == "failed"
    ]
    failure = run.failure
    if failure is not None:
        facts.append((f"the run ended with {failure.kind}", without_paths(str(failure.message), project.folder)))
        facts += [
            (f"line {line.line} ({line.severity})", without_paths(line.text, project.folder))
            for line in failure.lines[:_ERROR_LINES]
        ]
    return facts


def _speed(time: TimingData | None) -> str:
    if time is None or time.regime == "cpu" or time.a_hash == time.b_hash:
        return UNKNOWN if time is None or time.regime == "cpu" else "this is the baseline"
    return units.ratio(median(_samples(time, "a")) / median(_samples(time, "b")))


def _achieved(time: TimingData | None) -> str:
    if time is None or time.regime == "cpu" or not time.bytes:
        return UNKNOWN
    return units.bandwidth(time.bytes / median(_samples(time, "b")))


def _whole(value: int | None) -> str:
    return UNKNOWN if value is None else str(value)


def _bytes(value: int | None) -> str:
    return UNKNOWN if value is None else units.size(value)


def _history(history: Sequence[LedgerLine], version: Version) -> str:
    tries = [line for line in history if line.parent is not None][-_HISTORY:]
    if not tries:
        return "None yet."
    return "\n".join(_try(line, version) for line in tries)


def _try(line: LedgerLine, version: Version) -> str:
    current = " (the current version)" if line.version == version.hash else ""
    hypothesis = without_paths(line.hypothesis) or "no hypothesis given"
    speed = f", {units.ratio(line.speedup.value)} the baseline" if line.speedup.value is not None else ""
    return f"- {line.name}{current}: {line.chip}{speed}. {without_paths(str(line.sentence))} Hypothesis: {hypothesis}"


def _compiled(run: Run | None) -> CompileData | None:
    record = run.last("compile") if run else None
    return record.compile if record else None


def _timing(run: Run | None) -> TimingData | None:
    record = run.last("time") if run else None
    time = record.time if record else None
    return time if time is not None and any(group.b for group in time.groups) else None


def _samples(time: TimingData, side: str) -> list[float]:
    return [seconds for group in time.groups for seconds in (group.a if side == "a" else group.b)]


def _sizes(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in sizes.items()) or "fixed"
