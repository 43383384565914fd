// The device heap behind malloc, free, new and delete of kernels.
#pragma once
#include <stdint.h>

// Tells whether bytes lie wholly inside blocks of the heap that are in use, to the 16 bytes of its grain.
bool heap_holds(uint64_t address, uint64_t bytes);
