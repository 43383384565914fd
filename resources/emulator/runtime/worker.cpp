// An OS thread of the pool: its stacks, and how a fault is reported and a block left.
#include <sys/mman.h>

#include "shadow.h"
#include "worker.h"

__thread Worker* ledger_worker LEDGER_TLS_MODEL;
__thread LedgerThread ledger_thread LEDGER_TLS_MODEL;

void make_stacks(Worker* worker, bool guarded) {
    const uint64_t bytes = kStackBytes * kMaxThreads;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    worker->stacks = static_cast<char*>(memory);
    for (unsigned i = 0; i < kMaxThreads; ++i) {
        char* begin = worker->stacks + i * kStackBytes;
        if (guarded) mprotect(begin, kPage, PROT_NONE);
        // Tops are spread over cache sets: equal offsets in every stack would all fall into one set of the L1.
        worker->fibers[i].top = begin + kStackBytes - (i * 192) % (kPage - 192);
    }
    char* shared = static_cast<char*>(mmap(nullptr, kSharedBytes + 2 * kPage, PROT_NONE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    mprotect(shared + kPage, kSharedBytes, PROT_READ | PROT_WRITE);
    worker->shared = shared + kPage;
}

LedgerReport* claim_report(Worker* worker, LedgerFault fault) {
    int none = 0;
    LedgerReport* report = worker->watch ? &worker->scratch : worker->launch->report;
    if (worker->watch) worker->scratch = {};
    else if (!worker->launch->fault.compare_exchange_strong(none, fault)) return nullptr;
    report->fault = fault;
    report->block_index = ledger_thread.block_index;
    report->thread_index = ledger_thread.thread_index;
    return report;
}

[[noreturn]] void leave_block() {
    Worker* worker = ledger_worker;
    worker->abandoned = true;
    if (worker->watch && worker->scratch.fault) {
        shadow_fault(worker, &worker->scratch);
        worker->scratch.fault = LEDGER_OK;
    }
    void* dropped;
    ledger_switch(&dropped, worker->scheduler);
    __builtin_unreachable();
}

[[noreturn]] void fail(LedgerFault fault, int line_a, int line_b, int64_t value) {
    if (LedgerReport* report = claim_report(ledger_worker, fault)) {
        report->line_a = line_a;
        report->line_b = line_b;
        report->value = value;
    }
    leave_block();
}
