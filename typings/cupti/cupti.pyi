from collections.abc import Callable, Sequence
from enum import IntEnum

class ActivityKind(IntEnum):
    CONCURRENT_KERNEL = ...

class Activity:
    kind: int
    name: str
    start: int
    end: int

def activity_enable(kind: int) -> None: ...
def activity_disable(kind: int) -> None: ...
def activity_flush_all(flag: int) -> None: ...
def activity_register_callbacks(
    func_buffer_requested: Callable[[], tuple[int, int]], func_buffer_completed: Callable[[Sequence[Activity]], None]
) -> None: ...
