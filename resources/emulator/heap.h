// malloc, free, new and delete inside kernels: a heap of 8 MiB for all launches; without room malloc and new give nullptr.
#pragma once
#include "standard_begin.h"
#include <new>
#include "standard_end.h"

LEDGER_INLINE void* ledger_heap_malloc(size_t bytes) { return ledger_heap_get(bytes); }
inline __attribute__((noinline)) void ledger_heap_free(void* address) { ledger_heap_give(address, __builtin_return_address(0)); }

void* operator new(size_t bytes) { return ledger_heap_get(bytes); }
void* operator new[](size_t bytes) { return ledger_heap_get(bytes); }
__attribute__((noinline)) void operator delete(void* address) noexcept { ledger_heap_give(address, __builtin_return_address(0)); }
__attribute__((noinline)) void operator delete[](void* address) noexcept { ledger_heap_give(address, __builtin_return_address(0)); }
__attribute__((noinline)) void operator delete(void* address, size_t) noexcept { ledger_heap_give(address, __builtin_return_address(0)); }
__attribute__((noinline)) void operator delete[](void* address, size_t) noexcept { ledger_heap_give(address, __builtin_return_address(0)); }

// Plain words, so that members and variables of these names are renamed consistently.
#define malloc ledger_heap_malloc
#define free ledger_heap_free
