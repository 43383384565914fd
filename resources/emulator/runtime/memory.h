// Every live buffer, in a plain table that a signal handler may read.
#pragma once
#include <stdint.h>

struct Allocation {
    uint64_t begin;
    uint64_t bytes;
    uint64_t mapping;    // with the guard pages on both sides
    uint64_t mapped;
    int32_t argument;
};

constexpr unsigned kMaxAllocations = 4096;
extern Allocation ledger_allocations[kMaxAllocations];
extern unsigned ledger_allocation_count;
