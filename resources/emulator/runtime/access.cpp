// The hooks that the checked build calls for every access to memory (the compiler's -fsanitize=thread, linked to these
// functions and no other), and for indices and alignment (-fsanitize=bounds,alignment). This is the door through which the
// access analysis will look: everything arrives at `ledger_access`.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "heap.h"
#include "shadow.h"
#include "trace.h"
#include "worker.h"

namespace {

bool allowed(Worker* worker, uint64_t address, uint64_t bytes) {
    if (const LedgerRange* last = worker->last_range)
        if (inside({last->begin, last->bytes}, address, bytes)) return true;
    const LedgerLaunch* request = worker->launch->request;
    for (uint64_t i = 0; i < request->range_count; ++i) {
        const LedgerRange& range = request->ranges[i];
        if (!inside({range.begin, range.bytes}, address, bytes)) continue;
        worker->last_range = &range;
        return true;
    }
    const Region stacks{reinterpret_cast<uint64_t>(worker->stacks), kStackBytes * kMaxThreads};
    return inside(worker->static_shared, address, bytes) || inside(worker->dynamic_shared, address, bytes) ||
           inside(worker->launch->module, address, bytes) || inside(stacks, address, bytes) || heap_holds(address, bytes) ||
           inside({reinterpret_cast<uint64_t>(&ledger_thread), sizeof ledger_thread}, address, bytes);
}

const Worker* kernel() {
    const Worker* worker = ledger_worker;
    return worker && worker->running && worker->launch->request->checked ? worker : nullptr;
}

[[noreturn]] void report_access(LedgerFault fault, uint64_t address, uint64_t bytes, int access, const void* code) {
    if (LedgerReport* report = claim_report(ledger_worker, fault)) {
        report->access = access & 3;
        report->address = address;
        report->bytes = bytes;
        report->code = reinterpret_cast<uint64_t>(code) - 1;    // the return address lies behind the call
    }
    leave_block();
}

// What the compiler hands to a -fsanitize=bounds or alignment handler (the ABI of GCC's and Clang's libubsan).
struct Place {
    const char* file;
    uint32_t line;
    uint32_t column;
};
struct IndexData {
    Place place;
    const void* array_type;
    const void* index_type;
};
struct PointerData {
    Place place;
    const void* type;
    uint8_t log_alignment;
    uint8_t kind;
};

// One access of a kernel: the body of every hook.
inline void touch(const void* address, uint64_t bytes, int access, const void* code) {
    const uint64_t at = reinterpret_cast<uint64_t>(address);
    if (at - reinterpret_cast<uint64_t>(&ledger_thread) < sizeof ledger_thread) return;    // threadIdx and the like
    Worker* worker = const_cast<Worker*>(kernel());
    if (!worker || bytes == 0) return;
    if (!allowed(worker, at, bytes)) report_access(LEDGER_OUT_OF_BOUNDS, at, bytes, access, code);
    if (worker->watch) shadow_access(worker, at, bytes, access, reinterpret_cast<uint64_t>(code) - 1);
    if (worker->trace_at) trace_access(worker, at, bytes, access & 3, code);
}

}  // namespace

LEDGER_API void ledger_access(const void* address, uint64_t bytes, int access, const void* code) {
    touch(address, bytes, access, code);
}

// The compiler names these where the type promises an alignment; a GPU faults where the address breaks the promise.
#define ALIGNED(name, bytes, access)                                                                            \
    LEDGER_API void name(void* address) {                                                                       \
        const uint64_t at = reinterpret_cast<uint64_t>(address);                                                \
        const void* code = __builtin_return_address(0);                                                         \
        if (at % bytes != 0 && kernel()) report_access(LEDGER_MISALIGNED, at, bytes, access, code);             \
        touch(address, bytes, access, code);                                                            \
    }
#define HOOK(name, bytes, access) \
    LEDGER_API void name(void* address) { touch(address, bytes, access, __builtin_return_address(0)); }
#define HOOKS(bytes)                                            \
    ALIGNED(__tsan_read##bytes, bytes, LEDGER_READ)             \
    ALIGNED(__tsan_write##bytes, bytes, LEDGER_WRITE)           \
    ALIGNED(__tsan_volatile_read##bytes, bytes, LEDGER_READ | LEDGER_VOLATILE) \
    ALIGNED(__tsan_volatile_write##bytes, bytes, LEDGER_WRITE | LEDGER_VOLATILE) \
    HOOK(__tsan_unaligned_volatile_read##bytes, bytes, LEDGER_READ | LEDGER_VOLATILE) \
    HOOK(__tsan_unaligned_volatile_write##bytes, bytes, LEDGER_WRITE | LEDGER_VOLATILE) \
    HOOK(__tsan_read_write##bytes, bytes, LEDGER_WRITE)         \
    HOOK(__tsan_unaligned_read_write##bytes, bytes, LEDGER_WRITE)
HOOKS(1) HOOKS(2) HOOKS(4) HOOKS(8) HOOKS(16)
#define UNALIGNED(bytes)                                  \
    HOOK(__tsan_unaligned_read##bytes, bytes, LEDGER_READ) \
    HOOK(__tsan_unaligned_write##bytes, bytes, LEDGER_WRITE)
UNALIGNED(2) UNALIGNED(4) UNALIGNED(8) UNALIGNED(16)

LEDGER_API void __tsan_read_range(void* address, uint64_t bytes) {
    touch(address, bytes, LEDGER_READ, __builtin_return_address(0));
}
LEDGER_API void __tsan_write_range(void* address, uint64_t bytes) {
    touch(address, bytes, LEDGER_WRITE, __builtin_return_address(0));
}
LEDGER_API void* __tsan_memcpy(void* to, const void* from, uint64_t bytes) {
    touch(from, bytes, LEDGER_READ, __builtin_return_address(0));
    touch(to, bytes, LEDGER_WRITE, __builtin_return_address(0));
    return memcpy(to, from, bytes);
}
LEDGER_API void* __tsan_memmove(void* to, const void* from, uint64_t bytes) {
    touch(from, bytes, LEDGER_READ, __builtin_return_address(0));
    touch(to, bytes, LEDGER_WRITE, __builtin_return_address(0));
    return memmove(to, from, bytes);
}
LEDGER_API void* __tsan_memset(void* to, int value, uint64_t bytes) {
    touch(to, bytes, LEDGER_WRITE, __builtin_return_address(0));
    return memset(to, value, bytes);
}
LEDGER_API void __tsan_init() {}
LEDGER_API void __tsan_vptr_update(void*, void*) {}
LEDGER_API void __tsan_vptr_read(void*) {}

LEDGER_API void __ubsan_handle_out_of_bounds(const IndexData* data, uint64_t index) {
    if (!kernel()) return;
    if (LedgerReport* report = claim_report(ledger_worker, LEDGER_ARRAY_INDEX)) {
        report->line_a = static_cast<int32_t>(data->place.line);
        report->value = static_cast<int32_t>(index);
        const char* type = static_cast<const char*>(data->array_type) + 4;    // uint16 kind, uint16 info, then the name
        strncpy(report->text, type, sizeof report->text - 1);
    }
    leave_block();
}

LEDGER_API void __ubsan_handle_type_mismatch_v1(const PointerData* data, uint64_t address) {
    const uint64_t alignment = uint64_t{1} << data->log_alignment;
    if (!kernel() || address % alignment == 0) return;
    if (LedgerReport* report = claim_report(ledger_worker, LEDGER_MISALIGNED)) {
        report->line_a = static_cast<int32_t>(data->place.line);
        report->address = address;
        report->bytes = alignment;
        const char* type = static_cast<const char*>(data->type) + 4;
        strncpy(report->text, type, sizeof report->text - 1);
    }
    leave_block();
}
