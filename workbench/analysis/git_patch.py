"""A change as a patch that `git apply` takes, byte for byte in the file's own encoding and line ends."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from workbench.errors import WrongInput
from workbench.model.source import SourceText

_NEEDS_QUOTES = re.compile(r'["\\\x00-\x1f\x7f]')


def git_patch(base: SourceText, new: SourceText, path: str) -> str:
    """Return the patch as text; `git_patch_bytes` is what belongs in a file when the source is not UTF-8."""
    return git_patch_bytes(base, new, path).decode(new.encoding if base.encoding == new.encoding else "latin-1")


def git_patch_bytes(base: SourceText, new: SourceText, path: str) -> bytes:
    """Return a git patch from `base` to `new` at `path` (relative, with `/`); empty when nothing changes.

    Raises WrongInput for a path that is absolute or leads out of its folder.
    """
    name = path.replace("\\", "/")
    if name.startswith("/") or re.match(r"^[A-Za-z]:", name) or ".." in name.split("/"):
        raise WrongInput("A patch needs a path inside the project; {path} leads out of it.", path=path)
    old_bytes, new_bytes = base.to_bytes(), new.to_bytes()
    if old_bytes == new_bytes:
        return b""
    old_name, new_name = (_quoted(side + name) for side in ("a/", "b/"))
    tab = "\t" if " " in name else ""
    head = f"diff --git {old_name} {new_name}\n--- {old_name}{tab}\n+++ {new_name}{tab}\n".encode()
    return head + b"".join(_body(_lines(old_bytes), _lines(new_bytes)))


def _quoted(name: str) -> str:
    """Quote a name as git does where it has quotes, backslashes or control characters."""
    if not _NEEDS_QUOTES.search(name):
        return name
    return '"' + _NEEDS_QUOTES.sub(lambda found: f"\\{ord(found[0]):03o}", name) + '"'


def _lines(content: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+", content)


def _body(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the hunks; a last line without newline gets git's mark."""
    diff = difflib.diff_bytes(difflib.unified_diff, old, new, b"", b"")
    for line in diff:
        if line.startswith((b"--- ", b"+++ ")) and line.strip() in (b"---", b"+++"):
            continue
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"
