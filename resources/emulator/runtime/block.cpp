// Runs blocks: plain kernels as a loop over threads, the others with one fiber per thread.
#include <string.h>

#include "shadow.h"
#include "trace.h"
#include "worker.h"

namespace {

bool ready(const Worker* worker, const Fiber& fiber) {
    return fiber.state == State::Ready || (fiber.state == State::Barrier && fiber.barrier_round != worker->round) ||
           (fiber.state == State::Part && fiber.barrier_round != worker->parts[fiber.part].round);
}

// __activemask: the lanes that have come to the same line by the same calls once no lane of the warp can go on without them.
bool settle_vote(Worker* worker, unsigned index) {
    const unsigned first = index / kWarp * kWarp;
    Warp& warp = worker->warps[index / kWarp];
    uint32_t together = 0;
    for (unsigned lane = 0; lane < kWarp && first + lane < worker->count; ++lane) {
        const Fiber& fiber = worker->fibers[first + lane];
        if (ready(worker, fiber)) return false;
        if (fiber.state != State::Vote || warp.line[lane] != warp.line[index % kWarp]) continue;
        if (fiber.calls == worker->fibers[index].calls) together |= 1u << lane;
    }
    for (unsigned lane = 0; lane < kWarp; ++lane)
        if (together >> lane & 1) {
            warp.result[lane] = together;
            worker->fibers[first + lane].state = State::Ready;
        }
    return true;
}

bool runnable(Worker* worker, unsigned index) {
    const Fiber& fiber = worker->fibers[index];
    return ready(worker, fiber) || (fiber.state == State::Vote && settle_vote(worker, index));
}

inline __attribute__((always_inline)) void enter(Worker* worker, unsigned next, void** save) {
    Fiber& fiber = worker->fibers[next];
    fiber.state = State::Ready;
    worker->current = next;
    ledger_thread.thread_index = fiber.index;
    ledger_switch(save, fiber.stack_pointer);
}

[[noreturn]] void report_deadlock(Worker* worker) {
    int barrier_line = worker->arrived ? worker->line : 0, warp_line = 0;
    for (unsigned w = 0; w * kWarp < worker->count; ++w)
        if (uint32_t arrived = worker->warps[w].arrived) warp_line = worker->warps[w].line[__builtin_ctz(arrived)];
    for (const Part& part : worker->parts)
        if (part.arrived && !warp_line) warp_line = part.line;
    fail(LEDGER_DEADLOCK, barrier_line ? barrier_line : warp_line, warp_line);
}

// Gives the OS thread to the next fiber that can go on; returns when this one is chosen again.
inline __attribute__((always_inline)) void yield_fiber(Worker* worker) {
    const unsigned self = worker->current;
    if (worker->watch) shadow_switch(worker);
    // Stacks are walked in order: the one after next comes into the cache while the next one runs.
    const char* soon = static_cast<const char*>(worker->fibers[(self + 2) % kMaxThreads].stack_pointer);
    __builtin_prefetch(soon);
    __builtin_prefetch(soon + 64);
    __builtin_prefetch(soon + 128);
    for (unsigned step = 1; step <= worker->count; ++step) {
        unsigned next = self + step;
        if (next >= worker->count) next -= worker->count;
        if (!runnable(worker, next)) continue;
        if (next == self) {
            worker->fibers[self].state = State::Ready;
            return;
        }
        enter(worker, next, &worker->fibers[self].stack_pointer);
        return;
    }
    report_deadlock(worker);
}

void release_barrier(Worker* worker) {
    if (worker->other_line) fail(LEDGER_BARRIERS_DIFFER, worker->line, worker->other_line);
    switch (worker->kind) {
        case LEDGER_COUNT: worker->result = worker->count_true; break;
        case LEDGER_AND: worker->result = worker->count_true == static_cast<int>(worker->arrived); break;
        default: worker->result = worker->count_true != 0; break;
    }
    worker->arrived = 0;
    worker->count_true = 0;
    ++worker->round;
    if (worker->watch) shadow_barrier(worker);
}

uint64_t reduce(int kind, uint64_t a, uint64_t b) {
    const int32_t x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
    const uint32_t u = static_cast<uint32_t>(a), v = static_cast<uint32_t>(b);
    switch (kind) {
        case LEDGER_REDUCE_ADD: return u + v;
        case LEDGER_REDUCE_MIN: return static_cast<uint32_t>(x < y ? x : y);
        case LEDGER_REDUCE_MAX: return static_cast<uint32_t>(x > y ? x : y);
        case LEDGER_REDUCE_UMIN: return u < v ? u : v;
        case LEDGER_REDUCE_UMAX: return u > v ? u : v;
        case LEDGER_REDUCE_AND: return u & v;
        case LEDGER_REDUCE_OR: return u | v;
        default: return u ^ v;
    }
}

template <class Use>
void each_lane(uint32_t group, Use use) {
    for (; group; group &= group - 1) use(static_cast<unsigned>(__builtin_ctz(group)));
}

void answer_group(Warp& warp, uint32_t group, int kind) {
    uint64_t all = 0;
    const unsigned first = static_cast<unsigned>(__builtin_ctz(group));
    if (kind == LEDGER_BALLOT) each_lane(group, [&](unsigned lane) { all |= uint64_t{warp.value[lane] != 0} << lane; });
    if (kind == LEDGER_MATCH_ALL) {
        all = group;
        each_lane(group, [&](unsigned lane) { all = warp.value[lane] == warp.value[first] ? all : 0; });
    }
    if (kind >= LEDGER_REDUCE_ADD) {
        all = warp.value[first];
        each_lane(group & (group - 1), [&](unsigned lane) { all = reduce(kind, all, warp.value[lane]); });
    }
    each_lane(group, [&](unsigned lane) {
        if (kind == LEDGER_SHUFFLE) {
            const unsigned source = warp.source[lane];
            warp.result[lane] = group >> source & 1 ? warp.value[source] : warp.value[lane];
        } else if (kind == LEDGER_MATCH_ANY) {
            uint64_t same = 0;
            each_lane(group, [&](unsigned other) { same |= uint64_t{warp.value[other] == warp.value[lane]} << other; });
            warp.result[lane] = same;
        } else {
            warp.result[lane] = all;
        }
    });
}

// Lets the lanes of `lane`'s group go on when all live ones have arrived.
bool complete_group(Worker* worker, unsigned index, unsigned lane) {
    Warp& warp = worker->warps[index];
    const uint32_t group = warp.mask[lane] & warp.live;
    if ((warp.arrived & group) != group) return false;
    const int kind = warp.kind[lane];
    each_lane(group, [&](unsigned other) {
        if (warp.mask[other] != warp.mask[lane] || warp.kind[other] != kind)
            fail(LEDGER_WARP_DIFFERS, warp.line[lane], warp.line[other]);
    });
    answer_group(warp, group, kind);
    if (worker->watch) shadow_warp(worker, index, group);
    warp.arrived &= ~group;
    each_lane(group, [&](unsigned other) { worker->fibers[index * kWarp + other].state = State::Ready; });
    return true;
}

void leave_warp(Worker* worker, unsigned self) {
    Warp& warp = worker->warps[self / kWarp];
    warp.live &= ~(1u << self % kWarp);
    if (uint32_t arrived = warp.arrived)
        for (; arrived; arrived &= arrived - 1) {
            const unsigned lane = static_cast<unsigned>(__builtin_ctz(arrived));
            if (warp.arrived >> lane & 1) complete_group(worker, self / kWarp, lane);
        }
}

// Lets the threads of a part go on when all its live ones have arrived.
bool complete_part(Worker* worker, Part& part) {
    unsigned live = 0;
    for (unsigned w = part.first / kWarp; w < (part.first + part.count) / kWarp && w < kWarps; ++w)
        live += w * kWarp < worker->count ? static_cast<unsigned>(__builtin_popcount(worker->warps[w].live)) : 0;
    if (part.arrived < live) return false;
    part.arrived = 0;
    ++part.round;
    if (worker->watch) shadow_part(worker, part.first, part.count);
    return true;
}

void fiber_main() {
    Worker* worker = ledger_worker;
    const LedgerLaunch* request = worker->launch->request;
    request->module->thread(request->arguments);
    const unsigned self = worker->current;
    worker->fibers[self].state = State::Done;
    leave_warp(worker, self);
    if (--worker->live == 0) {
        void* dropped;
        ledger_switch(&dropped, worker->scheduler);
    }
    if (worker->arrived && worker->arrived == worker->live) release_barrier(worker);
    if (worker->parted)
        for (Part& part : worker->parts)
            if (part.arrived && self - part.first < part.count) complete_part(worker, part);
    yield_fiber(worker);    // chooses another fiber: this one is done and never runnable again
    __builtin_unreachable();
}

}  // namespace

void set_block(const LedgerLaunch* request, uint64_t block) {
    const uint3 grid = request->grid_size;
    const uint64_t row = block / grid.x;
    ledger_thread.block_index = {static_cast<unsigned>(block % grid.x), static_cast<unsigned>(row % grid.y),
                                 static_cast<unsigned>(row / grid.y)};
}

namespace {

bool take_blocks(Launch* launch, uint64_t* begin, uint64_t* end) {
    if (launch->fault.load(std::memory_order_relaxed)) return false;
    *begin = launch->next_block.fetch_add(launch->chunk);
    *end = *begin + launch->chunk < launch->blocks ? *begin + launch->chunk : launch->blocks;
    return *begin < launch->blocks;
}

void loop_main() {
    Worker* worker = ledger_worker;
    Launch* launch = worker->launch;
    for (uint64_t begin, end; take_blocks(launch, &begin, &end);)
        for (; begin < end; ++begin) {
            set_block(launch->request, begin);
            launch->request->module->block(launch->request->arguments);
        }
    void* dropped;
    ledger_switch(&dropped, worker->scheduler);
    __builtin_unreachable();
}

}  // namespace

void run_block(Worker* worker) {
    worker->live = worker->count;
    worker->arrived = worker->count_true = worker->other_line = 0;
    worker->spins = 0;
    worker->parted = false;
    for (unsigned i = 0; i < worker->count; ++i) {
        worker->fibers[i].stack_pointer = ledger_prepare(worker->fibers[i].top, fiber_main);
        worker->fibers[i].state = State::Ready;
        worker->fibers[i].calls = 0;
    }
    for (unsigned w = 0; w * kWarp < worker->count; ++w) {
        const unsigned lanes = worker->count - w * kWarp;
        worker->warps[w].live = lanes >= kWarp ? ~0u : (1u << lanes) - 1;
        worker->warps[w].arrived = 0;
        worker->parts[w].arrived = 0;
    }
    if (worker->watch) shadow_block(worker);
    enter(worker, 0, &worker->scheduler);
    if (worker->watch) shadow_switch(worker);
}

namespace {

void number_threads(Worker* worker, uint3 size) {
    unsigned i = 0;
    for (unsigned z = 0; z < size.z; ++z)
        for (unsigned y = 0; y < size.y; ++y)
            for (unsigned x = 0; x < size.x; ++x) worker->fibers[i++].index = {x, y, z};
    worker->count = i;
}

}  // namespace

void run_blocks(Worker* worker) {
    Launch* launch = worker->launch;
    const LedgerLaunch* request = launch->request;
    const uint64_t shared = (request->shared_bytes + 15) / 16 * 16;
    char* dynamic = worker->shared + kSharedBytes - shared;
    ledger_thread = {{0, 0, 0}, {0, 0, 0}, request->block_size, request->grid_size, dynamic};
    worker->dynamic_shared = {reinterpret_cast<uint64_t>(dynamic), request->shared_bytes};
    worker->abandoned = false;
    number_threads(worker, request->block_size);
    if (launch->sight && !shadow_enter(worker)) launch->report->fault = launch->fault = LEDGER_NO_MEMORY;
    worker->running = true;
    if (request->trace) {
        run_traced(worker);
    } else if (request->mode == LEDGER_LOOP && !worker->watch) {
        void* start = ledger_prepare(worker->fibers[0].top, loop_main);
        worker->current = 0;
        ledger_switch(&worker->scheduler, start);
    } else {
        for (uint64_t begin, end; !worker->abandoned && take_blocks(launch, &begin, &end);)
            for (; begin < end && !worker->abandoned; ++begin) {
                set_block(request, begin);
                run_block(worker);
                if (worker->watch) worker->abandoned = false;    // the other blocks may have findings too
            }
    }
    worker->running = false;
    shadow_leave(worker);
}

LEDGER_API int ledger_barrier(int line, int predicate, int kind) {
    Worker* worker = ledger_worker;
    if (worker->trace_at) trace_meet(worker, TRACE_BARRIER, line, 0);
    if (worker->arrived == 0) {
        worker->line = line;
        worker->kind = kind;
    } else if (worker->line != line) {
        worker->other_line = line;
    }
    worker->count_true += predicate != 0;
    if (++worker->arrived == worker->live) {
        release_barrier(worker);
        return worker->result;
    }
    Fiber& fiber = worker->fibers[worker->current];
    fiber.barrier_round = worker->round;
    fiber.state = State::Barrier;
    yield_fiber(worker);
    return worker->result;
}

// The barrier of `count` threads from the block's thread `first`, both multiples of 32.
LEDGER_API void ledger_barrier_part(unsigned first, unsigned count, int line) {
    Worker* worker = ledger_worker;
    Part& part = worker->parts[first / kWarp];
    if (worker->trace_at) trace_meet(worker, TRACE_BARRIER, line, 0);
    part.first = first;
    part.count = count;
    part.line = line;
    const uint32_t round = part.round;
    worker->parted = true;
    ++part.arrived;
    if (complete_part(worker, part)) return;
    Fiber& fiber = worker->fibers[worker->current];
    fiber.part = static_cast<uint8_t>(first / kWarp);
    fiber.barrier_round = round;
    fiber.state = State::Part;
    yield_fiber(worker);
}

LEDGER_API uint64_t ledger_warp(int kind, unsigned mask, uint64_t value, unsigned source, int line) {
    Worker* worker = ledger_worker;
    const unsigned self = worker->current, lane = self % kWarp;
    Warp& warp = worker->warps[self / kWarp];
    if (!(mask >> lane & 1)) fail(LEDGER_LANE_NOT_IN_MASK, line, 0, mask);
    if (worker->trace_at) trace_meet(worker, TRACE_WARP, line, mask);
    warp.mask[lane] = mask;
    warp.kind[lane] = kind;
    warp.line[lane] = line;
    warp.source[lane] = source;
    warp.value[lane] = value;
    warp.arrived |= 1u << lane;
    if (!complete_group(worker, self / kWarp, lane)) {
        worker->fibers[self].state = State::Warp;
        yield_fiber(worker);
    }
    return warp.result[lane];
}

LEDGER_API unsigned ledger_lane() {
    const uint3 i = ledger_thread.thread_index, n = ledger_thread.block_size;
    return (i.x + n.x * (i.y + n.y * i.z)) % kWarp;
}

LEDGER_API unsigned ledger_active_lanes(int line) {
    Worker* worker = ledger_worker;
    const unsigned self = worker->current;
    Warp& warp = worker->warps[self / kWarp];
    warp.line[self % kWarp] = line;
    worker->fibers[self].state = State::Vote;
    yield_fiber(worker);
    return static_cast<unsigned>(warp.result[self % kWarp]);
}

LEDGER_API unsigned ledger_call_site(unsigned site) {
    uint32_t& calls = ledger_worker->fibers[ledger_worker->current].calls;
    const unsigned before = calls;
    calls = (before ^ site) * 2654435761u + 1;
    return before;
}

LEDGER_API void ledger_call_end(unsigned before) { ledger_worker->fibers[ledger_worker->current].calls = before; }

LEDGER_API void ledger_spin() {
    Worker* worker = ledger_worker;
    if (worker->launch->request->mode == LEDGER_LOOP || ++worker->spins % 16 != 0) return;
    yield_fiber(worker);
}
