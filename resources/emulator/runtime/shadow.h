// The sanitizer: what a launch with `LedgerLaunch::shadow` remembers of every byte, and what it found.
//
// The model of order (happens-before), as NOT_GPU_LIKE.md tells it to users: a barrier of the block orders all accesses before
// it before all after it; a warp operation with a mask orders those of the lanes it names; a fence followed by an atomic
// operation or a volatile write, seen by another thread's atomic operation or volatile read of that address, orders what came
// before the fence before what comes after the other. Nothing else orders two threads. Two accesses to one byte by two threads,
// one of them a write, not both atomic (in global memory: not both volatile) and not ordered, are a race.
#pragma once
#include "worker.h"

// Kinds beside those of LedgerFault.
enum LedgerHazard : int32_t { LEDGER_RACE_IN_BLOCK = 32, LEDGER_RACE_OF_BLOCKS = 33, LEDGER_UNINITIALISED = 34 };

// Names and meaning are racecheck's: an error is a mistake, a warning may be on purpose (lanes of one warp in shared memory that
// count on lockstep), information is the same value written twice.
enum LedgerSeverity : int32_t { LEDGER_INFORMATION = 0, LEDGER_WARNING = 1, LEDGER_ERROR = 2 };

enum LedgerSpace : int32_t {
    LEDGER_NOWHERE = 0, LEDGER_ARGUMENT = 1, LEDGER_GLOBAL = 2, LEDGER_STATIC_SHARED = 3, LEDGER_DYNAMIC_SHARED = 4, LEDGER_LOCAL = 5,
};

// One of the two accesses of a finding. `line` stands for `code` where the code told its line itself.
struct LedgerSide {
    uint64_t code;
    int32_t line;
    int32_t access;
    uint3 block;
    uint3 thread;
};

// The first of `count` equal findings; equal are those of one kind at one pair of places in the code.
struct LedgerFinding {
    int32_t kind;
    int32_t severity;
    uint64_t count;
    uint64_t address;
    uint64_t bytes;
    LedgerSide now;
    LedgerSide before;
    int64_t value;
    uint64_t offset;      // of `address` in the argument, the library's image or the shared memory of `space`
    int32_t space;
    int32_t argument;
    char text[128];
};

struct LedgerShadow {
    LedgerFinding* findings;
    uint32_t capacity;
    uint32_t count;
    uint64_t dropped;                    // findings of further kinds and places, for which there was no room
    const LedgerRange* variables;        // `__shared__` variables: `begin` is the offset in the library's thread-local memory
    uint64_t variable_count;
};

// Before and after a launch, and before and after an OS thread's share of it. False: no memory.
bool shadow_begin(Launch* launch);
void shadow_end(Launch* launch);
bool shadow_enter(Worker* worker);
void shadow_leave(Worker* worker);

// An access that is inside the memory a kernel may touch. Does not return where the access must not take place.
void shadow_access(Worker* worker, uint64_t address, uint64_t bytes, int access, uint64_t code);
// The places where the order of threads changes.
void shadow_block(Worker* worker);
void shadow_barrier(Worker* worker);
void shadow_part(Worker* worker, unsigned first, unsigned count);
void shadow_warp(Worker* worker, unsigned warp, uint32_t lanes);
void shadow_switch(Worker* worker);
// A fault of today's kinds, about to leave the block.
void shadow_fault(Worker* worker, const LedgerReport* report);
// Where an address lies, for a finding.
LedgerSpace shadow_place(const Worker* worker, uint64_t address, uint64_t* offset, int32_t* argument);
