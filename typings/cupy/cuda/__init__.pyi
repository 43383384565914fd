from cupy.cuda import driver as driver
from cupy.cuda import nvrtc as nvrtc
from cupy.cuda import runtime as runtime
from cupy.cuda import texture as texture

class PinnedMemoryPointer:
    ptr: int
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def size(self) -> int: ...

def alloc_pinned_memory(size: int) -> PinnedMemoryPointer: ...
