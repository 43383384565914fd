// Device memory: every buffer lies between pages that cannot be touched, close to the upper one, with a known pattern in
// the bytes that are left over on its pages.
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "memory.h"
#include "worker.h"

namespace {

constexpr uint64_t kGuard = 16 * 1024 * 1024;
constexpr unsigned char kCanary = 0xC5;

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

uint64_t round_up(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

}  // namespace

Allocation ledger_allocations[kMaxAllocations];
unsigned ledger_allocation_count = 0;

// Returns the address of `nbytes` fresh bytes, 0 when there is no memory or no free entry. `slot` names it for the others.
LEDGER_API uint64_t ledger_allocate(uint64_t nbytes, uint64_t alignment, unsigned* slot) {
    const uint64_t body = round_up(nbytes ? nbytes : 1, alignment);
    const uint64_t pages = round_up(body, kPage);
    void* memory = mmap(nullptr, pages + 2 * kGuard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return 0;
    char* first = static_cast<char*>(memory) + kGuard;
    if (mprotect(first, pages, PROT_READ | PROT_WRITE) != 0) {
        munmap(memory, pages + 2 * kGuard);
        return 0;
    }
    const uint64_t begin = reinterpret_cast<uint64_t>(first) + pages - body;
    memset(first, kCanary, pages - body);
    memset(reinterpret_cast<char*>(begin) + nbytes, kCanary, body - nbytes);
    pthread_mutex_lock(&lock);
    unsigned index = 0;
    while (index < kMaxAllocations && ledger_allocations[index].begin) ++index;
    if (index < kMaxAllocations) {
        ledger_allocations[index] = {begin, nbytes, reinterpret_cast<uint64_t>(memory), pages + 2 * kGuard, -1};
        if (index >= ledger_allocation_count) ledger_allocation_count = index + 1;
    }
    pthread_mutex_unlock(&lock);
    if (index == kMaxAllocations) {
        munmap(memory, pages + 2 * kGuard);
        return 0;
    }
    *slot = index;
    return begin;
}

LEDGER_API void ledger_free(unsigned slot) {
    pthread_mutex_lock(&lock);
    const Allocation gone = ledger_allocations[slot];
    ledger_allocations[slot] = {};
    pthread_mutex_unlock(&lock);
    munmap(reinterpret_cast<void*>(gone.mapping), gone.mapped);
}

// Which argument of the launch now running each buffer is, for the report of a wild access (-1: none).
LEDGER_API void ledger_name_argument(unsigned slot, int argument) { ledger_allocations[slot].argument = argument; }

// Returns the number of damaged runs found around a buffer (0 to 2) and their first byte offsets from the buffer's start.
LEDGER_API int ledger_check_guard(unsigned slot, int64_t* offsets) {
    const Allocation& buffer = ledger_allocations[slot];
    const unsigned char* begin = reinterpret_cast<const unsigned char*>(buffer.begin);
    const unsigned char* low = reinterpret_cast<const unsigned char*>(buffer.mapping + kGuard);
    const unsigned char* high = reinterpret_cast<const unsigned char*>(buffer.mapping + buffer.mapped - kGuard);
    int found = 0;
    for (const unsigned char* p = begin; p > low;)
        if (*--p != kCanary) {
            offsets[found++] = p - begin;
            break;
        }
    for (const unsigned char* p = begin + buffer.bytes; p < high; ++p)
        if (*p != kCanary) {
            offsets[found++] = p - begin;
            break;
        }
    return found;
}
