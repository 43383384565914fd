// One OS thread of the pool with the fibers it reuses for every block.
#pragma once
#include <stdint.h>

#include <initializer_list>
#include <atomic>

#include "../abi.h"
#include "fibers.h"

constexpr unsigned kMaxThreads = 1024;
constexpr unsigned kWarp = 32;
constexpr unsigned kWarps = kMaxThreads / kWarp;
constexpr uint64_t kLocalBytes = 512 * 1024;     // local memory of a thread (CUDA C++ Programming Guide, technical specifications)
constexpr uint64_t kStackBytes = kLocalBytes + 16 * 1024;    // a guard page below, the shim's own frames above
constexpr uint64_t kPage = 4096;
constexpr uint64_t kSharedBytes = 227 * 1024;    // opt-in limit of sm_90 (CUDA C++ Programming Guide, compute capabilities)

enum class State : uint8_t { Ready, Barrier, Part, Warp, Vote, Done };

struct Fiber {
    void* stack_pointer;
    char* top;
    uint3 index;
    uint32_t barrier_round;
    uint32_t calls;    // hash of the call sites that lead to where the thread is (__activemask)
    State state;
    uint8_t part;    // of a barrier that only a part of the block meets at: its first warp
};

// A barrier of some warps of the block (tiles of more than 32 threads), found by its first warp.
struct Part {
    uint32_t arrived;
    uint32_t round;
    uint32_t first;
    uint32_t count;
    int32_t line;
};

// The lanes of one warp that wait for each other at a shuffle, vote or __syncwarp.
struct Warp {
    uint32_t live;
    uint32_t arrived;
    uint32_t mask[kWarp];
    int32_t kind[kWarp];
    int32_t line[kWarp];
    uint32_t source[kWarp];
    uint64_t value[kWarp];
    uint64_t result[kWarp];
};

struct Region {
    uint64_t begin;
    uint64_t bytes;
};

struct LedgerTracedBlock;

inline bool inside(const Region& region, uint64_t address, uint64_t bytes) {
    return address - region.begin < region.bytes && region.bytes - (address - region.begin) >= bytes;
}

struct Sight;
struct Watch;

struct Launch {
    const LedgerLaunch* request;
    LedgerReport* report;
    std::atomic<uint64_t> next_block{0};
    std::atomic<int> fault{0};
    uint64_t blocks = 0;
    uint64_t chunk = 1;
    Region module{0, 0};
    Sight* sight = nullptr;           // shadow.cpp
};

struct Worker {
    Launch* launch = nullptr;
    char* stacks = nullptr;
    char* shared = nullptr;           // dynamic shared memory, right-aligned to a page that cannot be touched
    void* scheduler = nullptr;        // stack pointer of the pool thread while a fiber runs
    unsigned current = 0;
    unsigned count = 0;
    unsigned live = 0;
    // barrier of the block
    unsigned arrived = 0;
    uint32_t round = 0;
    int line = 0;
    int kind = 0;
    int other_line = 0;
    int count_true = 0;
    int result = 0;
    unsigned spins = 0;
    bool parted = false;              // a part of this block has met at a barrier of its own
    bool running = false;             // a kernel's code runs on this OS thread now
    bool abandoned = false;
    // traced launches (trace.cpp): where the next event goes, null when none is kept
    uint32_t* trace_at = nullptr;
    uint32_t* trace_end = nullptr;
    uint32_t* trace_room = nullptr;
    unsigned traced_thread = 0;
    LedgerTracedBlock* traced_block = nullptr;
    // checked launches
    Region static_shared{0, 0};
    Region dynamic_shared{0, 0};
    const LedgerRange* last_range = nullptr;
    Watch* watch = nullptr;           // shadow.cpp, null when nothing is watched
    LedgerReport scratch{};           // a fault of a watched launch, until it is kept among its findings
    Fiber fibers[kMaxThreads];
    Warp warps[kWarps];
    Part parts[kWarps];
};

extern __thread Worker* ledger_worker LEDGER_TLS_MODEL __attribute__((visibility("hidden")));

// Records the first fault of a launch and leaves the block; never returns to the kernel.
[[noreturn]] void leave_block();
LedgerReport* claim_report(Worker* worker, LedgerFault fault);
[[noreturn]] void fail(LedgerFault fault, int line_a, int line_b, int64_t value = 0);

void run_blocks(Worker* worker);
void set_block(const LedgerLaunch* request, uint64_t block);
void run_block(Worker* worker);
void make_stacks(Worker* worker, bool guarded);
void use_alternate_stack();
