// Watches every access: which bytes it touches, whether they were written, and whether another thread touched them unordered.
#include <stdlib.h>
#include <sys/mman.h>

#include "cells.h"

namespace {

bool make_cells(Cells* cells, Region region, LedgerSpace space, bool initialised) {
    *cells = {region, nullptr, space, initialised};
    if (!region.bytes) return true;
    void* memory = mmap(nullptr, region.bytes * sizeof(Cell), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cells->cells = memory == MAP_FAILED ? nullptr : static_cast<Cell*>(memory);
    return cells->cells != nullptr;
}

void drop_cells(Cells* cells) {
    if (cells->cells) munmap(cells->cells, cells->region.bytes * sizeof(Cell));
    cells->cells = nullptr;
}

void resolve_all(Watch* watch) { resolve(watch, 0, ~uint64_t{0}); }

[[noreturn]] void stop(const Access& at, int32_t kind, uint64_t address) {
    Sight* sight = at.worker->launch->sight;
    {
        Lock lock(&sight->lock);
        keep_finding(sight->shadow, describe(at, kind, address));
    }
    leave_block();
}

bool both_may(const Access& at, int earlier) {
    if (at.kind() == LEDGER_ATOMIC && (earlier & 3) == LEDGER_ATOMIC) return true;
    const int strong = LEDGER_ATOMIC | LEDGER_VOLATILE;
    return !at.cells->shared() && (at.access & strong) && (earlier & strong);    // PTX ISA: ld.volatile is ld.relaxed.sys
}

// The places in the code that one access was already found to race with.
struct Told {
    uint32_t codes[4];
    unsigned count;

    bool is_new(uint32_t code) {
        for (unsigned i = 0; i < count; ++i)
            if (codes[i] == code) return false;
        if (count < 4) codes[count++] = code;
        return true;
    }
};

bool is_of_now(const Access& at, const Mark& mark) {
    return mark.block != 0 && (!at.cells->shared() || mark.block == at.worker->watch->order->block);
}

bool conflicts(const Access& at, const Mark& mark, unsigned thread) {
    return is_of_now(at, mark) && !both_may(at, mark.access) && !comes_before(at.worker->watch->order, mark, thread);
}

void remember_read(const Access& at, Cell* cell, const Mark& mark) {
    Mark* place = nullptr;
    for (Mark& read : cell->reads) {
        if (!is_of_now(at, read) || (read.block == mark.block && read.thread == mark.thread) ||
            comes_before(at.worker->watch->order, read, mark.thread)) {
            place = &read;
            break;
        }
    }
    if (!place) place = &cell->reads[1 + mark.clock % (kReads - 1)];    // the first reader stays
    *place = mark;
}

void check_races(const Access& at, unsigned thread) {
    const uint64_t offset = at.address - at.cells->region.begin;
    const Order* order = at.worker->watch->order;
    const Mark mark{order->block, order->epoch, order->clock[thread], static_cast<uint32_t>(at.code - at.worker->launch->module.begin),
                    static_cast<uint16_t>(thread), static_cast<uint8_t>(at.access), static_cast<uint8_t>(at.bytes < 255 ? at.bytes : 255)};
    Told told{};
    for (uint64_t i = 0; i < at.bytes; ++i) {
        Cell& cell = at.cells->cells[offset + i];
        if (conflicts(at, cell.write, thread) && told.is_new(cell.write.code)) found_race(at, cell.write, at.address + i);
        if (at.kind() == LEDGER_READ) {
            remember_read(at, &cell, mark);
            continue;
        }
        for (Mark& read : cell.reads) {
            if (conflicts(at, read, thread) && told.is_new(read.code)) found_race(at, read, at.address + i);
            read.block = 0;
        }
        cell.write = mark;
    }
}

// A copied structure has bytes between its members that nobody writes: a read is told where a whole word of it was never
// written, of 4 bytes in accesses up to 8 and of 8 bytes in wider ones.
void check_written(const Access& at) {
    if (at.kind() == LEDGER_WRITE || at.cells->initialised) return;
    const uint64_t offset = at.address - at.cells->region.begin, word = at.bytes <= 8 ? (at.bytes < 4 ? at.bytes : 4) : 8;
    for (uint64_t begin = 0; begin < at.bytes; begin += word) {
        uint64_t missing = 0;
        const uint64_t end = begin + word < at.bytes ? begin + word : at.bytes;
        for (uint64_t i = begin; i < end; ++i) missing += !is_of_now(at, at.cells->cells[offset + i].write);
        if (missing != end - begin) continue;
        keep_finding(at.worker->launch->sight->shadow, describe(at, LEDGER_UNINITIALISED, at.address + begin));
        return;
    }
}

const Cells* find_cells(Worker* worker, uint64_t address, uint64_t bytes) {
    Sight* sight = worker->launch->sight;
    Watch* watch = worker->watch;
    const LedgerLaunch* request = worker->launch->request;
    for (uint64_t i = 0; i < request->range_count; ++i)
        if (inside(sight->ranges[i].region, address, bytes)) return &sight->ranges[i];
    for (const Cells* cells : {&watch->static_shared, &watch->dynamic_shared, &sight->module})
        if (inside(cells->region, address, bytes)) return cells;
    return nullptr;
}

bool in_a_variable(const LedgerShadow* shadow, uint64_t offset, uint64_t bytes) {
    for (uint64_t i = 0; i < shadow->variable_count; ++i)
        if (inside({shadow->variables[i].begin, shadow->variables[i].bytes}, offset, bytes)) return true;
    return shadow->variable_count == 0;
}

}  // namespace

bool shadow_begin(Launch* launch) {
    const LedgerLaunch* request = launch->request;
    Sight* sight = static_cast<Sight*>(calloc(1, sizeof(Sight)));
    if (!sight) return false;
    launch->sight = sight;
    sight->shadow = static_cast<LedgerShadow*>(request->shadow);
    sight->board = make_board();
    sight->ranges = static_cast<Cells*>(calloc(request->range_count + 1, sizeof(Cells)));
    bool made = sight->board && sight->ranges && make_cells(&sight->module, launch->module, LEDGER_GLOBAL, true);
    for (uint64_t i = 0; made && i < request->range_count; ++i) {
        const LedgerRange& range = request->ranges[i];
        made = make_cells(&sight->ranges[i], {range.begin, range.bytes}, LEDGER_ARGUMENT, range.initialised != 0);
    }
    return made;
}

void shadow_end(Launch* launch) {
    Sight* sight = launch->sight;
    if (!sight) return;
    for (uint64_t i = 0; sight->ranges && i < launch->request->range_count; ++i) drop_cells(&sight->ranges[i]);
    drop_cells(&sight->module);
    drop_board(sight->board);
    free(sight->ranges);
    free(sight);
    launch->sight = nullptr;
}

bool shadow_enter(Worker* worker) {
    Watch* watch = static_cast<Watch*>(calloc(1, sizeof(Watch)));
    worker->watch = watch;
    if (!watch) return false;
    watch->order = make_order();
    return watch->order && make_cells(&watch->static_shared, worker->static_shared, LEDGER_STATIC_SHARED, false) &&
           make_cells(&watch->dynamic_shared, worker->dynamic_shared, LEDGER_DYNAMIC_SHARED, false);
}

void shadow_leave(Worker* worker) {
    Watch* watch = worker->watch;
    if (!watch) return;
    drop_cells(&watch->static_shared);
    drop_cells(&watch->dynamic_shared);
    drop_order(watch->order);
    free(watch);
    worker->watch = nullptr;
}

void shadow_access(Worker* worker, uint64_t address, uint64_t bytes, int access, uint64_t code) {
    Access at{worker, address, bytes, access, code, nullptr};
    const uint64_t stacks = reinterpret_cast<uint64_t>(worker->stacks);
    if (inside({stacks, kStackBytes * kMaxThreads}, address, bytes)) {
        if ((address - stacks) / kStackBytes != worker->current) stop(at, LEDGER_OUT_OF_BOUNDS, address);
        return;
    }
    at.cells = find_cells(worker, address, bytes);
    if (!at.cells) return;
    Sight* sight = worker->launch->sight;
    if (at.cells->space == LEDGER_STATIC_SHARED && !in_a_variable(sight->shadow, address - at.cells->region.begin, bytes))
        stop(at, LEDGER_OUT_OF_BOUNDS, address);
    Lock lock(&sight->lock);
    Watch* watch = worker->watch;
    const unsigned thread = worker->current;
    const bool strong = access & (LEDGER_ATOMIC | LEDGER_VOLATILE), reads = at.kind() != LEDGER_WRITE, writes = at.kind() != LEDGER_READ;
    if (watch->pending_count && writes) resolve(watch, address, bytes);
    if (strong && reads) learn(sight->board, watch->order, thread, address);
    check_written(at);
    check_races(at, thread);
    if (strong && writes) publish(sight->board, watch->order, thread, address);
}

void shadow_block(Worker* worker) {
    const LedgerLaunch* request = worker->launch->request;
    const uint3 at = ledger_thread.block_index;
    const uint64_t number = at.x + uint64_t{request->grid_size.x} * (at.y + uint64_t{request->grid_size.y} * at.z);
    begin_order(worker->watch->order, static_cast<uint32_t>(number + 1), worker->count);
}

void shadow_barrier(Worker* worker) { order_barrier(worker->watch->order, worker->count); }

void shadow_part(Worker* worker, unsigned first, unsigned count) {
    order_part(worker->watch->order, first, first + count < worker->count ? count : worker->count - first);
}

void shadow_warp(Worker* worker, unsigned warp, uint32_t lanes) { order_lanes(worker->watch->order, warp * kWarp, lanes); }

void shadow_switch(Worker* worker) {
    if (!worker->watch->pending_count) return;
    Lock lock(&worker->launch->sight->lock);
    resolve_all(worker->watch);
}

LEDGER_API void ledger_fence(int scope) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    Worker* worker = ledger_worker;
    if (worker && worker->running && worker->watch) order_fence(worker->watch->order, worker->current, scope);
}
