"""Where and how the numbers were made, and what the checks cannot show."""

from __future__ import annotations

from collections.abc import Sequence

from workbench import units
from workbench.analysis.account_sentences import drift_note
from workbench.analysis.standing import timing_of
from workbench.model.device import Environment, GpuStatus, software_title
from workbench.model.run import TimingData
from workbench.reports.blocks import Pair, Protocol, ReportInput, Row
from workbench.reports.result import REGIMES
from workbench.texts import Message, message, tr


def environment(session: ReportInput) -> tuple[Pair, ...]:
    """Return the facts of the machine, in the order they are read; a refused field is missing, not left out."""
    place = session.ledger.environment
    if place is None:
        return (Pair(message("Device"), session.ledger.device_title),)
    pairs = [Pair(message("Device"), place.device.title)]
    pairs += [Pair(message("{name}", name=software_title(name)), text) for name, text in place.software.items()]
    pairs += [Pair(message("Date"), session.date[:10])]
    if place.device.books_gains:
        pairs += _gpu(place)
    pairs += [Pair(message("Processor"), place.host), Pair(message("System"), place.system)]
    if place.load_average is not None:
        pairs.append(Pair(message("Load average"), units.significant(place.load_average, 2)))
    return tuple(pairs)


def _gpu(place: Environment) -> list[Pair]:
    status = place.after or place.before
    if status is None:
        return [Pair(message("Clocks, heat"), units.MISSING)]
    return [
        Pair(message("SM clock"), _with_unit(status.sm_clock_mhz, "MHz")),
        Pair(message("Memory clock"), _with_unit(status.memory_clock_mhz, "MHz")),
        Pair(message("Clock limits"), _limits(status)),
        Pair(message("Heat, power"), f"{_with_unit(status.temperature_celsius, '°C')}, {_power(status)}"),
        Pair(message("Other programs"), _others(status)),
    ]


def _with_unit(value: int | None, unit: str) -> str:
    return units.MISSING if value is None else f"{value} {unit}"


def _limits(status: GpuStatus) -> str:
    if status.limit_reasons is None:
        return units.MISSING
    return ", ".join(status.limit_reasons) or tr("none during timing")


def _power(status: GpuStatus) -> str:
    if status.power_watt is None:
        return units.MISSING
    limit = tr(" of {limit} W").format(limit=round(status.power_limit_watt)) if status.power_limit_watt else ""
    return f"{round(status.power_watt)} W{limit}"


def _others(status: GpuStatus) -> str:
    if status.other_processes is None:
        return units.MISSING
    return units.count(status.other_processes) if status.other_processes else tr("none on this GPU")


def method(session: ReportInput, rows: Sequence[Row]) -> tuple[Message, ...]:
    """Return the method as it was used, one sentence each; what was not done is not listed."""
    timings = [timing for run in session.runs if run.device == session.ledger.device if (timing := timing_of(run))]
    said: list[Message] = []
    if timings:
        said += _timing(timings[-1])
        said += _verdict([row.protocol for row in rows if row.protocol], session.ledger.books_gains)
    traced = [record.trace for run in session.runs for record in run.passes if record.trace]
    if traced:
        repeats = sum(not repeat.traced and repeat.version == "b" for repeat in traced[-1].repeats)
        said.append(_pipeline(repeats, session.ledger.books_gains))
        drift = drift_note(session.ledger)
        if drift is not None:
            said.append(drift)
    verified = [record.verify for run in session.runs for record in run.passes if record.verify]
    if verified:
        said.append(
            message(
                "Answers were compared with {reference}, element by element.", reference=verified[-1].reference or units.MISSING
            )
        )
    return tuple(said)


def _pipeline(repeats: int, books_gains: bool) -> Message:
    if not books_gains:
        return message("The pipeline ran {repeats} times with each version, interleaved and untraced.", repeats=repeats)
    return message(
        "The pipeline ran {repeats} times with each version, interleaved and untraced; the ratio is the trimmed mean of quads.",
        repeats=repeats,
    )


def _timing(timing: TimingData) -> list[Message]:
    rounds = sum(len(group.b) for group in timing.groups)
    said = [
        message(
            "{warmup} warm-up rounds, then {rounds} timed rounds of each version over {groups} fresh processes, "
            "in the order A B B A.",
            warmup=timing.warmup,
            rounds=rounds,
            groups=len(timing.groups),
        ),
        message("Medians of times taken {regime}.", regime=str(REGIMES[timing.regime])),
    ]
    clock = timing.clock
    if clock.constant:
        said.append(
            message(
                "Clock: {clock}, less a constant of {constant} ({source}).",
                clock=clock.name,
                constant=units.duration(clock.constant, 3),
                source=clock.constant_source,
            )
        )
    else:
        said.append(message("Clock: {clock}.", clock=clock.name))
    return said


def _verdict(protocols: Sequence[Protocol], books_gains: bool) -> list[Message]:
    if not books_gains:
        return [message("No verdict on time is given: the emulator proves answers, not speed.")]
    margins = [protocol.margin for protocol in protocols if protocol.margin is not None]
    floors = [protocol.noise_floor for protocol in protocols if protocol.noise_floor is not None]
    if not margins:
        return []
    return [
        message(
            "[ ] is the 95 % interval over processes. A gap inside the margin of {margin} is no win; noise floor {floor}.",
            margin=units.percent(max(margins)),
            floor=units.percent(max(floors), 2) if floors else units.MISSING,
        )
    ]


def limits(session: ReportInput) -> tuple[Message, ...]:
    """Return what the report does not show."""
    said = [
        message(
            "These checks look for wrong answers and unfair timings. They cannot show that none exist: "
            "an input nobody drew, or a trick nobody has thought of, can still get past them."
        )
    ]
    gates = {gate.title.text: gate.title for line in session.ledger.lines for gate in line.gates if gate.status == "not run"}
    if gates:
        said.append(message("Not run, and so not shown: {gates}.", gates=", ".join(str(title) for title in gates.values())))
    if session.ledger.books_gains:
        said.append(message("Native code in the same process could alter the driver's own clock; no guard here excludes that."))
    return tuple(said)
