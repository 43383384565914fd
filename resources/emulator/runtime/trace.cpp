// Writes the events of traced blocks. Each OS thread has a room of its own, mapped but not yet backed by memory, so that
// writing an event is a few instructions; a block that does not fit any more is left incomplete.
#include "trace.h"

#include <sys/mman.h>

#include "lanes.h"
#include "worker.h"

namespace {

constexpr uint64_t kSlack = 64;    // words kept free behind `trace_end`: no event is longer

uint32_t code_of(const Worker* worker, const void* code) {
    const uint64_t at = reinterpret_cast<uint64_t>(code) - 1;    // the return address lies behind the call
    return static_cast<uint32_t>(at - worker->launch->module.begin) & kTraceCode;
}

uint32_t control(TraceControl what, uint32_t value) { return TRACE_CONTROL | what << 24 | (value & kTraceValue); }

// Returns where the event of the running thread goes, after a mark where another thread wrote last; nullptr without a trace.
inline __attribute__((always_inline)) uint32_t* place(Worker* worker) {
    uint32_t* at = worker->trace_at;
    if (!at) return nullptr;
    if (worker->traced_thread != worker->current) {
        worker->traced_thread = worker->current;
        *at++ = control(TRACE_THREAD, worker->current);
    }
    return at;
}

inline __attribute__((always_inline)) void advance(Worker* worker, uint32_t* at) {
    worker->trace_at = at < worker->trace_end ? at : nullptr;    // full: the rest of the block is not kept
}

Worker* tracing() {
    Worker* worker = ledger_worker;
    return worker && worker->running ? worker : nullptr;
}

}  // namespace

void trace_open(Worker* worker) {
    LedgerTrace* trace = static_cast<LedgerTrace*>(worker->launch->request->trace);
    worker->trace_at = worker->trace_room = nullptr;
    const uint64_t number = __atomic_fetch_add(&trace->room_count, 1, __ATOMIC_RELAXED);
    if (number >= kMostTracers) return;
    void* room = mmap(nullptr, trace->room_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return;
    madvise(room, trace->room_bytes, MADV_HUGEPAGE);
    trace->rooms[number] = room;
    __atomic_store_n(&trace->module_begin, worker->launch->module.begin, __ATOMIC_RELAXED);
    worker->trace_room = static_cast<uint32_t*>(room);
    worker->trace_end = worker->trace_room + trace->room_bytes / sizeof(uint32_t) - kSlack;
}

void trace_block(Worker* worker, uint64_t index) {
    LedgerTracedBlock& block = static_cast<LedgerTrace*>(worker->launch->request->trace)->blocks[index];
    block = {worker->trace_room, 0, worker->static_shared.begin, worker->static_shared.bytes, worker->dynamic_shared.begin,
             worker->dynamic_shared.bytes, reinterpret_cast<uint64_t>(worker->stacks), kStackBytes * kMaxThreads, 0};
    worker->traced_block = &block;
    worker->trace_at = worker->trace_room;
    worker->traced_thread = ~0u;
}

void trace_block_end(Worker* worker) {
    LedgerTracedBlock& block = *worker->traced_block;
    if (!worker->trace_at) return;
    block.words = static_cast<uint64_t>(worker->trace_at - block.events);
    block.complete = 1;
    worker->trace_room = worker->trace_at;
    worker->trace_at = nullptr;
    __atomic_fetch_add(&static_cast<LedgerTrace*>(worker->launch->request->trace)->used, block.words * sizeof(uint32_t),
                       __ATOMIC_RELAXED);
}

void trace_meet(Worker* worker, TraceControl what, int line, uint32_t mask) {
    uint32_t* at = place(worker);
    if (!at) return;
    *at++ = control(what, static_cast<uint32_t>(line));
    if (what == TRACE_WARP) *at++ = mask;
    advance(worker, at);
}

// Two words follow the code: the lower half of the address; its next 16 bits, the kind of access, the bytes (16383 at most).
void trace_access(Worker* worker, uint64_t address, uint64_t bytes, int access, const void* code) {
    uint32_t* at = place(worker);
    if (!at) return;
    const uint32_t size = static_cast<uint32_t>(bytes < 16383 ? bytes : 16383);
    at[0] = TRACE_ACCESS | code_of(worker, code);
    at[1] = static_cast<uint32_t>(address);
    at[2] = static_cast<uint32_t>(address >> 32 & 0xFFFF) | static_cast<uint32_t>(access) << 16 | size << 18;
    advance(worker, at + 3);
}

namespace {

// Hands out the next block of a traced launch; false when the room or the list is used up.
bool take_traced(Worker* worker) {
    Launch* launch = worker->launch;
    const LedgerTrace* trace = static_cast<const LedgerTrace*>(launch->request->trace);
    if (launch->fault.load(std::memory_order_relaxed)) return false;
    const uint64_t index = launch->next_block.fetch_add(1);
    if (index >= trace->order_count || __atomic_load_n(&trace->used, __ATOMIC_RELAXED) >= trace->budget) return false;
    set_block(launch->request, trace->order[index]);
    trace_block(worker, index);
    return true;
}

void traced_loop_main() {
    Worker* worker = ledger_worker;
    const LedgerLaunch* request = worker->launch->request;
    while (take_traced(worker)) {
        for (worker->current = 0; worker->current < worker->count; ++worker->current) {
            ledger_thread.thread_index = worker->fibers[worker->current].index;
            request->module->thread(request->arguments);
        }
        trace_block_end(worker);
    }
    void* dropped;
    ledger_switch(&dropped, worker->scheduler);
    __builtin_unreachable();
}

}  // namespace

void run_traced(Worker* worker) {
    trace_open(worker);
    if (worker->launch->request->mode == LEDGER_LOOP) {
        ledger_switch(&worker->scheduler, ledger_prepare(worker->fibers[0].top, traced_loop_main));
    } else {
        while (!worker->abandoned && take_traced(worker)) {
            run_block(worker);
            trace_block_end(worker);
        }
    }
    worker->trace_at = nullptr;
}

LEDGER_API void __sanitizer_cov_trace_pc() {
    Worker* worker = tracing();
    uint32_t* at = worker ? place(worker) : nullptr;
    if (!at) return;
    *at = TRACE_NODE | code_of(worker, __builtin_return_address(0));
    advance(worker, at + 1);
}

LEDGER_API void __tsan_func_entry(void*) {
    Worker* worker = tracing();
    uint32_t* at = worker ? place(worker) : nullptr;
    if (!at) return;
    at[0] = control(TRACE_ENTER, 0);
    at[1] = code_of(worker, __builtin_return_address(0));
    advance(worker, at + 2);
}

LEDGER_API void __tsan_func_exit() {
    Worker* worker = tracing();
    uint32_t* at = worker ? place(worker) : nullptr;
    if (!at) return;
    *at = control(TRACE_LEAVE, 0);
    advance(worker, at + 1);
}

LEDGER_API void ledger_trace_release(LedgerTrace* trace) {
    for (unsigned i = 0; i < kMostTracers; ++i)
        if (trace->rooms[i]) munmap(trace->rooms[i], trace->room_bytes);
    trace->room_count = 0;
    drop_requests();
}
