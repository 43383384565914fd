// What becomes of a finding: counted with its equals, described by place and threads, and races weighed by what was written.
#include <string.h>

#include "cells.h"

namespace {

uint3 block_of(const LedgerLaunch* request, uint32_t block) {
    const uint64_t row = (block - 1) / request->grid_size.x;
    return {(block - 1) % request->grid_size.x, static_cast<unsigned>(row % request->grid_size.y),
            static_cast<unsigned>(row / request->grid_size.y)};
}

uint3 thread_of(const LedgerLaunch* request, uint32_t thread) {
    const uint3 n = request->block_size;
    return {thread % n.x, thread / n.x % n.y, thread / n.x / n.y};
}

bool same(const LedgerFinding& a, const LedgerFinding& b) {
    return a.kind == b.kind && a.space == b.space && a.now.code == b.now.code && a.before.code == b.before.code &&
           a.now.line == b.now.line && a.before.line == b.before.line && a.now.access == b.now.access &&
           a.before.access == b.before.access && a.argument == b.argument;
}

bool is_one_instruction(const Access& at, const Mark& earlier) {
    return at.kind() == LEDGER_WRITE && (earlier.access & 3) == LEDGER_WRITE &&
           at.code == at.worker->launch->module.begin + earlier.code;
}

// Two lanes of one warp at two places of the code meet in shared memory: lockstep would order them, racecheck warns.
bool is_warp_level(const Access& at, const Mark& earlier) {
    return at.cells->shared() && earlier.thread / kWarp == at.worker->current / kWarp && !is_one_instruction(at, earlier);
}

// The least a hazard can be: two writes are *information* until the later one has put another value there.
int32_t severity_of(const Access& at, const Mark& earlier) {
    const bool writes = at.kind() == LEDGER_WRITE && (earlier.access & 3) == LEDGER_WRITE && at.bytes <= kSmall;
    if (writes) return LEDGER_INFORMATION;
    return is_warp_level(at, earlier) ? LEDGER_WARNING : LEDGER_ERROR;
}

}  // namespace

LedgerFinding* keep_finding(LedgerShadow* shadow, const LedgerFinding& finding) {
    for (uint32_t i = 0; i < shadow->count; ++i)
        if (same(shadow->findings[i], finding)) {
            ++shadow->findings[i].count;
            if (finding.severity > shadow->findings[i].severity) shadow->findings[i].severity = finding.severity;
            return &shadow->findings[i];
        }
    if (shadow->count == shadow->capacity) {
        ++shadow->dropped;
        return nullptr;
    }
    shadow->findings[shadow->count] = finding;
    shadow->findings[shadow->count].count = 1;
    return &shadow->findings[shadow->count++];
}

LedgerFinding describe(const Access& at, int32_t kind, uint64_t address) {
    LedgerFinding finding{};
    finding.kind = kind;
    finding.severity = LEDGER_ERROR;
    finding.address = address;
    finding.bytes = at.bytes;
    finding.now = {at.code, 0, at.access, ledger_thread.block_index, ledger_thread.thread_index};
    finding.space = shadow_place(at.worker, address, &finding.offset, &finding.argument);
    return finding;
}

void found_race(const Access& at, const Mark& earlier, uint64_t address) {
    Sight* sight = at.worker->launch->sight;
    Watch* watch = at.worker->watch;
    const LedgerLaunch* request = at.worker->launch->request;
    const bool in_block = earlier.block == watch->order->block;
    LedgerFinding finding = describe(at, in_block ? LEDGER_RACE_IN_BLOCK : LEDGER_RACE_OF_BLOCKS, address);
    finding.severity = severity_of(at, earlier);
    finding.before = {at.worker->launch->module.begin + earlier.code, 0, earlier.access, block_of(request, earlier.block),
                      thread_of(request, earlier.thread)};
    LedgerFinding* kept = keep_finding(sight->shadow, finding);
    if (!kept || finding.severity != LEDGER_INFORMATION || kept->severity == LEDGER_ERROR) return;
    if (watch->pending_count == kPending) resolve(watch, 0, ~uint64_t{0});
    Pending& pending = watch->pending[watch->pending_count++];
    pending = {at.address, at.bytes, kept, is_warp_level(at, earlier) ? LEDGER_WARNING : LEDGER_ERROR, {}};
    memcpy(pending.before, reinterpret_cast<const void*>(at.address), at.bytes);
}

void resolve(Watch* watch, uint64_t address, uint64_t bytes) {
    unsigned kept = 0;
    for (unsigned i = 0; i < watch->pending_count; ++i) {
        const Pending& one = watch->pending[i];
        const bool touched = one.address < address + bytes && address < one.address + one.bytes;
        if (!touched) {
            watch->pending[kept++] = one;
        } else if (memcmp(reinterpret_cast<const void*>(one.address), one.before, one.bytes) != 0) {
            if (one.otherwise > one.finding->severity) one.finding->severity = one.otherwise;
        }
    }
    watch->pending_count = kept;
}

void shadow_fault(Worker* worker, const LedgerReport* report) {
    Access at{worker, report->address, report->bytes, report->access, report->code, nullptr};
    LedgerFinding finding = describe(at, report->fault, report->address);
    finding.now.line = report->line_a;
    finding.before.line = report->line_b;
    finding.now.block = report->block_index;
    finding.now.thread = report->thread_index;
    finding.value = report->value;
    memcpy(finding.text, report->text, sizeof finding.text - 1);
    Lock lock(&worker->launch->sight->lock);
    keep_finding(worker->launch->sight->shadow, finding);
}

LedgerSpace shadow_place(const Worker* worker, uint64_t address, uint64_t* offset, int32_t* argument) {
    const LedgerLaunch* request = worker->launch->request;
    const Region stacks{reinterpret_cast<uint64_t>(worker->stacks), kStackBytes * kMaxThreads};
    LedgerSpace best = LEDGER_NOWHERE;
    uint64_t least = 64 * 1024 * 1024;
    const auto look = [&](Region region, LedgerSpace space, int32_t number) {
        const uint64_t end = region.begin + region.bytes;
        const uint64_t gap = address < region.begin ? region.begin - address : (address >= end ? address - end + 1 : 0);
        if (!region.bytes || gap >= least) return;
        least = gap;
        best = space;
        *offset = address - region.begin;
        *argument = number;
    };
    *argument = -1;
    look(worker->static_shared, LEDGER_STATIC_SHARED, -1);
    look(worker->dynamic_shared, LEDGER_DYNAMIC_SHARED, -1);
    look(worker->launch->module, LEDGER_GLOBAL, -1);
    for (uint64_t i = 0; i < request->range_count; ++i)
        look({request->ranges[i].begin, request->ranges[i].bytes}, LEDGER_ARGUMENT, request->ranges[i].argument);
    if (inside(stacks, address, 1)) look(stacks, LEDGER_LOCAL, -1);
    return best;
}
