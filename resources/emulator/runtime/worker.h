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
constexpr uint64_t kStackBytes = 128 * 1024;
constexpr uint64_t kPage = 4096;
constexpr uint64_t kSharedBytes = 227 * 1024;    // opt-in limit of sm_90 (CUDA C++ Programming Guide, compute capabilities)

enum class State : uint8_t { Ready, Barrier, Warp, Vote, Done };

struct Fiber {
    void* stack_pointer;
    char* top;
    uint3 index;
    uint32_t barrier_round;
    State state;
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

struct Launch {
    const LedgerLaunch* request;
    LedgerReport* report;
    std::atomic<uint64_t> next_block{0};
    std::atomic<int> fault{0};
    uint64_t blocks = 0;
    uint64_t chunk = 1;
    Region module{0, 0};
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
    bool running = false;             // a kernel's code runs on this OS thread now
    bool abandoned = false;
    // checked launches
    Region static_shared{0, 0};
    Region dynamic_shared{0, 0};
    const LedgerRange* last_range = nullptr;
    Fiber fibers[kMaxThreads];
    Warp warps[kWarps];
};

extern __thread Worker* ledger_worker LEDGER_TLS_MODEL __attribute__((visibility("hidden")));

// Records the first fault of a launch and leaves the block; never returns to the kernel.
[[noreturn]] void leave_block();
LedgerReport* claim_report(Worker* worker, LedgerFault fault);
[[noreturn]] void fail(LedgerFault fault, int line_a, int line_b, int64_t value = 0);

void run_blocks(Worker* worker);
void make_stacks(Worker* worker, bool guarded);
void use_alternate_stack();
