// Traced launches: chosen blocks run with one stream of events each, for the access analysis (plugins/emulator/access).
#pragma once
#include <stdint.h>

#include "../abi.h"

// An event is one 32-bit word; its upper two bits say what it is.
enum TraceTag : uint32_t {
    TRACE_NODE = 0u << 30,       // a basic block was entered; lower bits: code address from the start of the module
    TRACE_ACCESS = 1u << 30,     // memory was touched, by the code of the lower bits; two words follow: see trace_access
    TRACE_CONTROL = 2u << 30,    // bits 24 to 29 a TraceControl, lower bits its value
};
enum TraceControl : uint32_t {
    TRACE_THREAD = 0,    // what follows belongs to the thread of this number
    TRACE_ENTER = 1,     // a function was called; one word follows: its code address
    TRACE_LEAVE = 2,     // it returns
    TRACE_BARRIER = 3,   // the thread comes to a barrier of the block; value: line
    TRACE_WARP = 4,      // the thread comes to a warp operation; value: line, one word follows: the mask
};
constexpr uint32_t kTraceCode = (1u << 30) - 1;
constexpr uint32_t kTraceValue = (1u << 24) - 1;

// One traced block. Addresses of shared memory are told apart from others by where it lay for this block.
struct LedgerTracedBlock {
    const uint32_t* events;
    uint64_t words;
    uint64_t static_shared;
    uint64_t static_bytes;
    uint64_t dynamic_shared;
    uint64_t dynamic_bytes;
    uint64_t stacks;
    uint64_t stack_bytes;
    uint64_t complete;           // 0: the room was used up before its end
};

constexpr unsigned kMostTracers = 64;

struct LedgerTrace {
    const uint64_t* order;       // linear numbers of the blocks to run, in the order in which they are handed out
    uint64_t order_count;
    uint64_t budget;             // bytes of events to keep; no new block is begun beyond it
    LedgerTracedBlock* blocks;   // order_count of them, filled in
    uint64_t used;               // bytes of events kept so far
    uint64_t module_begin;       // where code addresses count from
    void* rooms[kMostTracers];   // given back by ledger_trace_release
    uint64_t room_bytes;
    uint64_t room_count;
};

struct Worker;

void run_traced(Worker* worker);
void trace_open(Worker* worker);
void trace_block(Worker* worker, uint64_t index);
void trace_block_end(Worker* worker);
void trace_meet(Worker* worker, TraceControl what, int line, uint32_t mask);
void trace_access(Worker* worker, uint64_t address, uint64_t bytes, int access, const void* code);
