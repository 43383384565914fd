// Which accesses of a launch come before which: clocks of the lanes of a warp, epochs of a block (its barriers), and what
// threads learnt from others through a fence and an atomic.
#pragma once
#include "worker.h"

// Who accessed a byte, when in the thread's own counting, and where in the code. block 0: nobody (blocks count from 1).
struct Mark {
    uint32_t block;
    uint32_t epoch;
    uint32_t clock;
    uint32_t code;
    uint16_t thread;
    uint8_t access;
    uint8_t bytes;
};

// "Seen of this block: all epochs before `epoch`, and of this thread of it everything up to `clock`."
struct Seen {
    uint32_t block;
    uint32_t thread;
    uint32_t epoch;
    uint32_t clock;
    uint32_t in_block;    // published with __threadfence_block: other blocks learn nothing from it
};

// A list of Seen in rising (block, thread), grown with malloc.
struct Knowledge {
    Seen* seen;
    uint32_t count;
    uint32_t room;
};

struct Fence {
    uint32_t epoch;
    uint32_t clock;
    int scope;    // 0: none yet
};

// The order of the block that runs on one OS thread.
struct Order {
    uint32_t block;
    uint32_t epoch;
    uint32_t learnt;    // threads with knowledge of their own
    uint32_t clock[kMaxThreads];
    uint32_t lanes[kMaxThreads][kWarp];    // the clock of each lane of its own warp that a thread has seen
    Fence fence[kMaxThreads];
    Knowledge own[kMaxThreads];
    Knowledge all;      // what every thread of the block knows
};

Order* make_order();
void drop_order(Order* order);
void begin_order(Order* order, uint32_t block, unsigned threads);
void order_barrier(Order* order, unsigned threads);
// A barrier of the threads [first, first + count).
void order_part(Order* order, unsigned first, unsigned count);
void order_lanes(Order* order, unsigned first, uint32_t lanes);
void order_fence(Order* order, unsigned thread, int scope);
bool comes_before(const Order* order, const Mark& earlier, unsigned thread);

// The addresses that publish something. One table per launch, used under its lock.
struct Board;
Board* make_board();
void drop_board(Board* board);
void publish(Board* board, Order* order, unsigned thread, uint64_t address);
void learn(Board* board, Order* order, unsigned thread, uint64_t address);
