"""The analysis of one launch, from choosing blocks to the report."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plugins.emulator.access.arms import join_arms
from plugins.emulator.access.exact import why_not_exact
from plugins.emulator.access.flow import Flow, find_flow
from plugins.emulator.access.lines import lines_of
from plugins.emulator.access.machine import Machine, read_machine, widths
from plugins.emulator.access.merge import merge
from plugins.emulator.access.metrics import Flags, Integers
from plugins.emulator.access.pictures import Album
from plugins.emulator.access.report import Scene, make_report
from plugins.emulator.access.requests import (
    CONSTANT_SPACE,
    GLOBAL_SPACE,
    KINDS,
    LOCAL_SPACE,
    SHARED_SPACE,
    SPACES,
    Reader,
    Region,
    Table,
)
from plugins.emulator.access.summary import Costs, Summary, costs_of, key_of
from plugins.emulator.access.trace import DYNAMIC_SHARED, Trace
from plugins.emulator.memory import EmulatorBuffer
from plugins.emulator.runtime import Library
from plugins.emulator.sanitizer import dynamic_name
from plugins.emulator.variables import variables_of
from workbench.plugin_api import SECTOR_BYTES, AccessQuestion, AccessReport, Argument, ResolvedLaunch, SectorBatch

BUDGET = 192 << 20
"""Bytes of events that are kept: some ten million accesses. A grid that needs more is sampled."""
BATCH_WORDS = 1 << 20
"""Words of events that are replayed at once."""


MOST_REQUESTS = 2_000_000
"""Requests after which no further blocks are looked at: lanes that go apart make many, and each costs some ten microseconds."""
MOST_BLOCKS = 1 << 18
"""Blocks that are tried at most; their events fill the budget before."""


@dataclass(frozen=True)
class Job:
    """A launch to be analysed. `run` launches with the trace switched on and raises Fault for a fault."""

    library: Library
    launch: ResolvedLaunch
    arguments: Sequence[Argument]
    question: AccessQuestion
    run: Callable[[Trace], object]


def choose_blocks(blocks: int, *, in_order: bool) -> list[int]:
    """Return the blocks to trace, at most MOST_BLOCKS, in an order that spreads any beginning of it evenly over the grid.

    The order is that of van der Corput: numbers with their bits reversed. Kernels whose blocks wait for each other run in rising
    order from the first one.
    """
    count = min(blocks, MOST_BLOCKS)
    if in_order:
        return list(range(count))
    bits = max(count - 1, 1).bit_length()
    index, turned = np.arange(1 << bits), np.zeros(1 << bits, np.int64)
    for bit in range(bits):
        turned |= (index >> bit & 1) << (bits - 1 - bit)
    chosen: list[int] = (turned[turned < count] * blocks // count).tolist()
    return chosen


def analyse(trace: Trace, job: Job) -> AccessReport:
    """Launch traced and return the report; `sizes` is left empty. Raises Fault."""
    started = time.perf_counter()
    job.run(trace)
    traced = time.perf_counter()
    flow = find_flow(trace.edges())
    lines = lines_of(job.library.binary, (code for _, code in flow.places))
    regions = regions_of(job)
    reader, machine = Reader(lines, regions), read_machine(job.question.code)
    summary, album = Summary(), Album(trace.order, job.launch.grid)
    seen = requests = 0
    for blocks, table in _tables(trace, flow, reader, machine):
        costs = costs_of(table)
        summary.add(table, costs)
        album.add(table, costs)
        if job.question.sectors is not None:
            job.question.sectors(_sectors(table, costs, trace.order, _argument_of(regions, job.question.names)))
        seen, requests = blocks, requests + len(table)
        if requests >= MOST_REQUESTS:
            break
    if seen < trace.complete:
        flow.visits = find_flow(trace.edges(seen)).visits
    reasons = {key: why_not_exact(key_of(key), summary.uses(key, reader.places, flow), machine) for key in summary.lines}
    scene = Scene(job.launch, seen, regions, machine, job.question.code.source.text.splitlines())
    seconds = (traced - started, time.perf_counter() - traced)
    return make_report(scene, summary, reasons, album.pictures(regions), seconds)


def _tables(trace: Trace, flow: Flow, reader: Reader, machine: Machine) -> Iterator[tuple[int, Table]]:
    """Yield the requests of batches of blocks as the machine makes them, with the number of blocks so far."""
    known = {
        (line, SPACES.index(place), KINDS.index(kind)): list(found)
        for (line, space, kind), found in widths(machine.ptx).items()
        for place in ([space] if space is not None else SPACES)
    }
    listed = Counter(
        (access.line, SPACES.index(access.space), KINDS.index(access.kind), access.width)
        for access in (machine.ptx if machine.sass is None else machine.sass)
        if access.space is not None
    )
    for begin, end in _batches(trace):
        table = reader.read(*trace.requests(flow, begin, end))
        if machine.reason is None:
            table = table.take(_in_memory(table, machine))
        yield end, join_arms(merge(table, known), listed, reader.places)


def _in_memory(table: Table, machine: Machine) -> Flags:
    """Return which requests are none of local memory that the compiler keeps in registers."""
    spilled = {access.line for access in machine.ptx if access.space in ("local", None)}
    kept: Flags = (table.space != LOCAL_SPACE) | np.isin(table.line, list(spilled))
    return kept


def _argument_of(regions: Sequence[Region], names: Sequence[str]) -> Integers:
    """Return for each region the number of its argument, -1 for other memory; the last entry stands for no region."""
    known = {name: number for number, name in enumerate(names)}
    return np.array([known.get(region.name, -1) if region.space == GLOBAL_SPACE else -1 for region in regions] + [-1], np.int64)


def _sectors(table: Table, costs: Costs, order: Sequence[int], argument: Integers) -> SectorBatch:
    row = costs.sector_row
    by_time = np.lexsort((table.warp[row], _steps(table)[row], table.block[row]))
    row = row[by_time]
    return SectorBatch(
        block=np.asarray(order, np.int64)[table.block[row]], address=costs.sector[by_time] * SECTOR_BYTES,
        write=table.kind[row] != KINDS.index("read"), array=argument[table.array[row]], line=table.line[row],
    )  # fmt: skip


def _steps(table: Table) -> Integers:
    """Return for each request how many its warp made before."""
    order = np.lexsort((table.time, table.warp, table.block))
    block, warp = table.block[order], table.warp[order]
    first = np.ones(len(table), np.bool_)
    first[1:] = (block[1:] != block[:-1]) | (warp[1:] != warp[:-1])
    starts, index = np.flatnonzero(first), np.arange(len(table))
    steps = np.empty(len(table), np.int64)
    steps[order] = index - np.repeat(starts, np.diff(np.append(starts, len(table))))
    return steps


def _batches(trace: Trace) -> Iterator[tuple[int, int]]:
    begin, words = 0, 0
    for index in range(trace.complete):
        words += trace.words(index)
        if words >= BATCH_WORDS:
            yield begin, index + 1
            begin, words = index + 1, 0
    if begin < trace.complete:
        yield begin, trace.complete


def regions_of(job: Job) -> list[Region]:
    """Return the named memory of a launch: arguments, `__shared__`, `__constant__` and `__device__` variables."""
    library = job.library
    regions = [
        Region(name, argument.address, argument.nbytes, GLOBAL_SPACE)
        for name, argument in zip(job.question.names, job.arguments, strict=True)
        if isinstance(argument, EmulatorBuffer)
    ]
    constants = {symbol.address: (name, symbol.bytes) for name, symbol in library.symbols.items()}
    regions += [Region(name, int(address), size, CONSTANT_SPACE) for address, (name, size) in constants.items() if address]
    for variable in variables_of(library.binary):
        if variable.shared:
            regions.append(Region(variable.name, variable.offset, variable.bytes, SHARED_SPACE))
        elif variable.bytes and library.base + variable.offset not in constants:
            regions.append(Region(variable.name, library.base + variable.offset, variable.bytes, GLOBAL_SPACE))
    if job.launch.shared_bytes:
        regions.append(Region(dynamic_name(library.binary), DYNAMIC_SHARED, job.launch.shared_bytes, SHARED_SPACE))
    return regions
