// Which lanes of a warp act together: the streams of its threads replayed with the convergence barriers of a GPU.
//
// The model is that of Volta and later (CUDA C++ Programming Guide, independent thread scheduling; convergence barriers as in
// NVIDIA's patent US 2016/0019066): where lanes go different ways they agree on places to meet again: every place where some of the
// ways join (BSSY before, BSYNC there). Lanes that come to a later one of these places, or leave the loop, are waited for no longer
// (BREAK); those meet the others behind the loop. Lanes also meet at barriers and warp operations.
#pragma once
#include "streams.h"

// The control flow that all traced threads took, and where lanes that part at a place meet again. Made by Python.
struct LedgerGraph {
    uint64_t places;
    const uint32_t* function;      // of each place, sorted by (function, code)
    const uint32_t* code;
    const int32_t* loop;           // the innermost loop around each place, -1 for none
    const uint32_t* ways;          // places + 1: where the rows of each place begin in the two columns below
    const int32_t* way_loop;       // a loop around the place, innermost first, -1 (the function) last; a loop may have several rows
    const int32_t* way_meet;       // where lanes meet that part here and stay in that loop: a place, -1 the end of the function
    const int32_t* parent;         // of each loop, -1 for none
};

// One instruction of one warp that touches memory. Its addresses are those of its lanes, in order.
struct LedgerRequest {
    uint64_t first_address;    // index into the addresses
    uint32_t block;            // index into the traced blocks
    uint32_t function;
    uint32_t code;
    uint32_t context;          // of the calls that led here: equal for equal calls
    uint32_t mask;
    uint32_t run;              // equal for what one group of lanes did without parting or meeting others
    uint32_t parting;          // number of the parting that made this group, 0 for none
    uint16_t warp;
    uint16_t bytes;
    uint8_t access;
    uint8_t space;             // 0 anything else, 1 shared (addresses count from the block's shared memory), 2 local
    uint16_t reserved;
};

struct LedgerRequests {
    LedgerRequest* requests;
    uint64_t request_count;
    uint64_t* addresses;
    uint64_t address_count;
};

// Gives back what the last answer is kept in.
void drop_requests();

constexpr uint64_t kDynamicShared = 1 << 20;    // where dynamic shared memory begins in the addresses of requests
