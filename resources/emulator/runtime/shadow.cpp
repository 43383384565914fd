#include "shadow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "order.h"

namespace {

constexpr unsigned kReads = 3;
constexpr unsigned kPending = 64;
constexpr uint64_t kSmall = 16;    // bytes of the widest single access

struct Cell {
    Mark write;
    Mark reads[kReads];
};

// The cells of some memory, one a byte.
struct Cells {
    Region region;
    Cell* cells;
    LedgerSpace space;
    bool initialised;

    bool shared() const { return space == LEDGER_STATIC_SHARED || space == LEDGER_DYNAMIC_SHARED; }
};

// A write to a byte that another thread wrote: whether it is the same value is known once it has taken place.
struct Pending {
    uint64_t address;
    uint64_t bytes;
    LedgerFinding* finding;
    char before[kSmall];
};

struct Access {
    Worker* worker;
    uint64_t address;
    uint64_t bytes;
    int access;
    uint64_t code;
    const Cells* cells;

    int kind() const { return access & 3; }
};

class Lock {
  public:
    explicit Lock(std::atomic_flag* flag) : flag_(flag) {
        while (flag_->test_and_set(std::memory_order_acquire)) {}
    }
    ~Lock() { flag_->clear(std::memory_order_release); }
    Lock(const Lock&) = delete;

  private:
    std::atomic_flag* flag_;
};

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

}  // namespace

// What one launch knows.
struct Sight {
    std::atomic_flag lock = ATOMIC_FLAG_INIT;
    LedgerShadow* shadow;
    Board* board;
    Cells* ranges;
    Cells module;
};

// What one OS thread knows.
struct Watch {
    Order* order;
    Cells static_shared;
    Cells dynamic_shared;
    Pending pending[kPending];
    unsigned pending_count;
};

namespace {

void resolve(Watch* watch, uint64_t address, uint64_t bytes) {
    unsigned kept = 0;
    for (unsigned i = 0; i < watch->pending_count; ++i) {
        const Pending& one = watch->pending[i];
        const bool touched = one.address < address + bytes && address < one.address + one.bytes;
        if (!touched) {
            watch->pending[kept++] = one;
        } else if (memcmp(reinterpret_cast<const void*>(one.address), one.before, one.bytes) != 0) {
            one.finding->severity = LEDGER_ERROR;
        }
    }
    watch->pending_count = kept;
}

void resolve_all(Watch* watch) { resolve(watch, 0, ~uint64_t{0}); }

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

// Counts a finding and returns it as it is kept; nullptr where there is no room for another.
LedgerFinding* keep(LedgerShadow* shadow, const LedgerFinding& finding) {
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

[[noreturn]] void stop(const Access& at, int32_t kind, uint64_t address) {
    Sight* sight = at.worker->launch->sight;
    {
        Lock lock(&sight->lock);
        keep(sight->shadow, describe(at, kind, address));
    }
    leave_block();
}

bool both_may(const Access& at, int earlier) {
    if (at.kind() == LEDGER_ATOMIC && (earlier & 3) == LEDGER_ATOMIC) return true;
    const int strong = LEDGER_ATOMIC | LEDGER_VOLATILE;
    return !at.cells->shared() && (at.access & strong) && (earlier & strong);    // PTX ISA: ld.volatile is ld.relaxed.sys
}

int32_t severity_of(const Access& at, const Mark& earlier) {
    const bool by_purpose = at.access & earlier.access & LEDGER_VOLATILE;
    if (by_purpose) return LEDGER_WARNING;
    return at.kind() == LEDGER_WRITE && (earlier.access & 3) == LEDGER_WRITE && at.bytes <= kSmall ? LEDGER_INFORMATION : LEDGER_ERROR;
}

// One hazard with an earlier access; the caller asks once for each place in the code.
void race(const Access& at, const Mark& earlier, uint64_t address) {
    Sight* sight = at.worker->launch->sight;
    Watch* watch = at.worker->watch;
    const LedgerLaunch* request = at.worker->launch->request;
    const bool in_block = earlier.block == watch->order->block;
    LedgerFinding finding = describe(at, in_block ? LEDGER_RACE_IN_BLOCK : LEDGER_RACE_OF_BLOCKS, address);
    finding.severity = severity_of(at, earlier);
    finding.before = {at.worker->launch->module.begin + earlier.code, 0, earlier.access, block_of(request, earlier.block),
                      thread_of(request, earlier.thread)};
    LedgerFinding* kept = keep(sight->shadow, finding);
    if (!kept || finding.severity != LEDGER_INFORMATION || kept->severity == LEDGER_ERROR) return;
    if (watch->pending_count == kPending) resolve_all(watch);
    Pending& pending = watch->pending[watch->pending_count++];
    pending = {at.address, at.bytes, kept, {}};
    memcpy(pending.before, reinterpret_cast<const void*>(at.address), at.bytes);
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
        if (conflicts(at, cell.write, thread) && told.is_new(cell.write.code)) race(at, cell.write, at.address + i);
        if (at.kind() == LEDGER_READ) {
            remember_read(at, &cell, mark);
            continue;
        }
        for (Mark& read : cell.reads) {
            if (conflicts(at, read, thread) && told.is_new(read.code)) race(at, read, at.address + i);
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
        keep(at.worker->launch->sight->shadow, describe(at, LEDGER_UNINITIALISED, at.address + begin));
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
    keep(worker->launch->sight->shadow, finding);
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

LEDGER_API void ledger_fence(int scope) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    Worker* worker = ledger_worker;
    if (worker && worker->running && worker->watch) order_fence(worker->watch->order, worker->current, scope);
}
