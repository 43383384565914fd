// What a compiled kernel, the runtime and the Python side agree on. Change LEDGER_ABI when any layout here changes.
#pragma once
#include <stdint.h>

#include "vector_types.h"

#define LEDGER_ABI 2
#define LEDGER_API extern "C" __attribute__((visibility("default")))

// The built-in variables of the thread that runs now, kept per OS thread and set at every switch of fibers.
struct LedgerThread {
    uint3 thread_index;
    uint3 block_index;
    uint3 block_size;
    uint3 grid_size;
    void* dynamic_shared;
};

#if defined(__ELF__)
#define LEDGER_TLS_MODEL __attribute__((tls_model("initial-exec")))
#else
#define LEDGER_TLS_MODEL
#endif
extern "C" __attribute__((visibility("default"))) __thread LedgerThread ledger_thread LEDGER_TLS_MODEL;

// One parameter of a kernel. kind: 'p' pointer, 'i' signed, 'u' unsigned, 'f' floating, 's' any other type passed by value.
struct LedgerParameter {
    uint32_t size;
    uint32_t kind;
};

// One __constant__ variable. kind as above, of the innermost element.
struct LedgerSymbol {
    const char* name;
    void* address;
    uint64_t bytes;
    uint32_t element_bytes;
    uint32_t kind;
};

enum LedgerModuleFlag : uint32_t { LEDGER_FLUSHES = 1 };    // float denormals are zeros (-ftz=true)

// The one thing a compiled kernel exports.
struct LedgerModule {
    uint32_t abi;
    uint32_t parameter_count;
    uint32_t symbol_count;
    uint32_t flags;       // of LedgerModuleFlag
    const LedgerParameter* parameters;
    const LedgerSymbol* symbols;
    void (*thread)(void** arguments);
    void (*block)(void** arguments);
    void (*touch_shared)();
};

// What went wrong in a launch; the Python side turns it into one sentence.
enum LedgerFault : int32_t {
    LEDGER_OK = 0,
    LEDGER_OUT_OF_BOUNDS = 1,
    LEDGER_BARRIERS_DIFFER = 2,
    LEDGER_DEADLOCK = 3,
    LEDGER_WARP_DIFFERS = 4,
    LEDGER_LANE_NOT_IN_MASK = 5,
    LEDGER_ASSERTION = 6,
    LEDGER_TRAP = 7,
    LEDGER_ARRAY_INDEX = 8,
    LEDGER_MISALIGNED = 9,
    LEDGER_STACK = 10,
    LEDGER_BAD_FREE = 20,
    LEDGER_NO_MEMORY = 64,    // for what a watched launch remembers
};

// LEDGER_VOLATILE is added to a read or write through a volatile type; only the sanitizer looks at it.
enum LedgerAccess : int32_t { LEDGER_READ = 0, LEDGER_WRITE = 1, LEDGER_ATOMIC = 2, LEDGER_VOLATILE = 4 };

struct LedgerReport {
    int32_t fault;
    int32_t access;
    uint64_t address;
    uint64_t bytes;
    uint64_t code;        // address in the code, 0 when the line is in line_a
    uint3 block_index;
    uint3 thread_index;
    int32_t line_a;
    int32_t line_b;
    int64_t value;
    double seconds;
    char text[256];
};

// Memory a checked launch may touch: one per argument that is a buffer.
struct LedgerRange {
    uint64_t begin;
    uint64_t bytes;
    int32_t argument;
    int32_t initialised;    // 1: its bytes have values before the launch
};

enum LedgerMode : uint32_t { LEDGER_LOOP = 0, LEDGER_FIBERS = 1 };

struct LedgerLaunch {
    uint3 grid_size;
    uint3 block_size;
    uint64_t shared_bytes;
    const LedgerModule* module;
    void** arguments;
    uint32_t mode;
    uint32_t checked;
    const LedgerRange* ranges;
    uint64_t range_count;
    uint64_t in_order;    // 1: blocks are handed out one by one in rising order (kernels that wait for other blocks)
    void* trace;          // runtime/trace.h, null: off
    void* shadow;         // LedgerShadow of runtime/shadow.h, null: off
};

// Called by kernels. No other function of the runtime may be named by a kernel (plugins/emulator/confinement.py).
LEDGER_API int ledger_barrier(int line, int predicate, int kind);
LEDGER_API void ledger_barrier_part(unsigned first, unsigned count, int line);
LEDGER_API uint64_t ledger_warp(int kind, unsigned mask, uint64_t value, unsigned source, int line);
LEDGER_API unsigned ledger_lane();
LEDGER_API unsigned ledger_active_lanes(int line);
LEDGER_API unsigned ledger_call_site(unsigned site);    // a lane's calls grow by one; returns what ledger_call_end is given
LEDGER_API void ledger_call_end(unsigned before);
LEDGER_API void ledger_spin();
LEDGER_API void ledger_fence(int scope);
LEDGER_API int ledger_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
LEDGER_API void ledger_assertion(const char* text, int line) __attribute__((noreturn));
LEDGER_API void ledger_trap(int line) __attribute__((noreturn));
LEDGER_API void ledger_access(const void* address, uint64_t bytes, int access, const void* code);
LEDGER_API long long ledger_clock();
LEDGER_API void* ledger_heap_get(uint64_t bytes);
LEDGER_API void ledger_heap_give(void* address, const void* code);

enum LedgerScope : int { LEDGER_OF_BLOCK = 1, LEDGER_OF_DEVICE = 2 };
enum LedgerBarrier : int { LEDGER_SYNC = 0, LEDGER_COUNT = 1, LEDGER_AND = 2, LEDGER_OR = 3 };
enum LedgerWarp : int {
    LEDGER_SHUFFLE = 0, LEDGER_BALLOT = 1, LEDGER_SYNCWARP = 2, LEDGER_MATCH_ANY = 3, LEDGER_MATCH_ALL = 4,
    LEDGER_REDUCE_ADD = 5, LEDGER_REDUCE_MIN = 6, LEDGER_REDUCE_MAX = 7, LEDGER_REDUCE_UMIN = 8, LEDGER_REDUCE_UMAX = 9,
    LEDGER_REDUCE_AND = 10, LEDGER_REDUCE_OR = 11, LEDGER_REDUCE_XOR = 12,
};
