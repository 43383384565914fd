// malloc, free, new and delete of device code: one heap of CUDA's default size for the process, first fit from where the last
// search ended. What a kernel does not free stays taken for later launches, as on a GPU.
#include "heap.h"

#include <pthread.h>
#include <sys/mman.h>

#include "worker.h"

namespace {

constexpr uint64_t kHeapBytes = 8 * 1024 * 1024;    // cudaLimitMallocHeapSize (CUDA C++ Programming Guide, heap allocation)
constexpr uint64_t kGrain = 16;                     // the alignment that CUDA promises
constexpr uint32_t kGrains = kHeapBytes / kGrain;

struct Head {    // stands in the grain before each block
    uint32_t grains;    // of the block, without its head
    uint32_t used;
    uint64_t bytes;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char* heap = nullptr;
uint32_t rover = 0;
uint8_t live[kGrains / 8];

Head* head(uint32_t grain) { return reinterpret_cast<Head*>(heap + grain * kGrain); }

void mark(uint32_t begin, uint32_t count, bool used) {
    for (uint32_t i = begin; i < begin + count; ++i)
        live[i / 8] = static_cast<uint8_t>(used ? live[i / 8] | 1u << i % 8 : live[i / 8] & ~(1u << i % 8));
}

bool make_heap() {
    void* memory = mmap(nullptr, kHeapBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    heap = static_cast<char*>(memory);
    *head(0) = {kGrains - 1, 0, 0};
    return true;
}

// Joins the free blocks that follow a free one.
void join(uint32_t at) {
    for (;;) {
        const uint32_t next = at + 1 + head(at)->grains;
        if (next >= kGrains || head(next)->used) return;
        if (rover == next) rover = at;
        head(at)->grains += 1 + head(next)->grains;
    }
}

// Returns the head of a free block with room, kGrains when there is none between the two places.
uint32_t search(uint32_t begin, uint32_t end, uint32_t grains) {
    for (uint32_t at = begin; at < end; at += 1 + head(at)->grains) {
        if (head(at)->used) continue;
        join(at);
        if (head(at)->grains >= grains) return at;
    }
    return kGrains;
}

void* take(uint64_t bytes) {
    const uint32_t grains = static_cast<uint32_t>((bytes + kGrain - 1) / kGrain);
    const uint32_t start = rover;
    uint32_t at = search(start, kGrains, grains);
    if (at == kGrains) at = search(0, start, grains);
    if (at == kGrains) return nullptr;
    const uint32_t rest = head(at)->grains - grains;
    if (rest >= 2) {
        head(at)->grains = grains;
        *head(at + 1 + grains) = {rest - 1, 0, 0};
    }
    head(at)->used = 1;
    head(at)->bytes = bytes;
    mark(at + 1, grains, true);
    rover = at + 1 + head(at)->grains < kGrains ? at + 1 + head(at)->grains : 0;
    return heap + (at + 1) * kGrain;
}

// Returns false for an address that is no block in use.
bool give(void* address) {
    const uint64_t offset = reinterpret_cast<uint64_t>(address) - reinterpret_cast<uint64_t>(heap);
    if (!heap || offset >= kHeapBytes || offset % kGrain != 0) return false;
    for (uint32_t at = 0; at < kGrains; at += 1 + head(at)->grains) {
        if ((at + 1) * kGrain != offset) continue;
        if (!head(at)->used) return false;
        head(at)->used = 0;
        mark(at + 1, head(at)->grains, false);
        return true;
    }
    return false;
}

}  // namespace

bool heap_holds(uint64_t address, uint64_t bytes) {
    const uint64_t offset = address - reinterpret_cast<uint64_t>(heap);
    if (!heap || offset >= kHeapBytes || kHeapBytes - offset < bytes) return false;
    for (uint64_t grain = offset / kGrain; grain * kGrain < offset + bytes; ++grain)
        if (!(live[grain / 8] >> grain % 8 & 1)) return false;
    return true;
}

// Returns memory aligned to 16 bytes, nullptr for 0 bytes and when the heap has no room.
LEDGER_API void* ledger_heap_get(uint64_t bytes) {
    if (bytes == 0 || bytes > kHeapBytes) return nullptr;
    pthread_mutex_lock(&lock);
    void* found = heap || make_heap() ? take(bytes) : nullptr;
    pthread_mutex_unlock(&lock);
    return found;
}

// `code` is the place of the call, for the report of an address that is no block in use.
LEDGER_API void ledger_heap_give(void* address, const void* code) {
    if (!address) return;
    pthread_mutex_lock(&lock);
    const bool given = give(address);
    pthread_mutex_unlock(&lock);
    if (given) return;
    if (LedgerReport* report = claim_report(ledger_worker, LEDGER_BAD_FREE)) {
        report->address = reinterpret_cast<uint64_t>(address);
        report->code = reinterpret_cast<uint64_t>(code) - 1;
    }
    leave_block();
}
