"""Headers of the project that a source includes: they are part of a version, so that its hash names all that is compiled."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from workbench.errors import WrongInput
from workbench.model.source import SourceText, read_source

MOST_FILES = 256
_DIRECTIVE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"(?P<own>[^"\n]+)"|<(?P<searched>[^>\n]+)>)', re.MULTILINE)
_SEARCH = re.compile(r"(?:-I|--include-path=)(?P<folder>.+)")
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc", ".cu", ".cpp", ".cc", ".def", "")


def read_includes(
    text: str, source: str, project: Path, *, options: Sequence[str] = (), kept: Mapping[str, SourceText] | None = None
) -> Mapping[str, SourceText]:
    """Return the project's files that a source includes, and those that these include, by path from the source's folder.

    `source` is the source's path inside `project`. A name in quotes is looked for beside the including file, then in the
    folders of `-I` options, then in the source's folder and those above it up to the project; a name in angle brackets in
    the folders of `-I` only. What is not found belongs to CUDA or to nobody and is left to the compiler; nothing outside the
    project is read. `kept` holds files that are not read again: a version's own. Raises WrongInput for a file that cannot be
    read, or when there are more than MOST_FILES.
    """
    home = posixpath.dirname(source.replace("\\", "/"))
    above = [home, *_parents(home)]
    searched = [posixpath.normpath(asked["folder"].strip()) for option in options if (asked := _SEARCH.fullmatch(option))]
    known, found = dict(kept or {}), dict[str, SourceText]()
    waiting = [(home, text)]
    while waiting:
        folder, content = waiting.pop()
        for name, quoted in _names(content):
            places = [folder, *searched, *above] if quoted else searched
            for place in places:
                path = posixpath.normpath(posixpath.join(place, name))
                key = posixpath.relpath(path, home or ".")
                if key in found:
                    break
                header = known.get(key) or _read(project, path)
                if header is None:
                    continue
                found[key] = header
                waiting.append((posixpath.dirname(path), header.text))
                break
        if len(found) > MOST_FILES:
            raise WrongInput("{source} includes more than {most} files of the project; include fewer.", source=source,
                             most=MOST_FILES)  # fmt: skip
    return dict(sorted(found.items()))


def _names(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the name of each include directive, and whether it stands in quotes."""
    for found in _DIRECTIVE.finditer(text):
        yield (found["own"] or found["searched"]).strip(), found["own"] is not None


def _parents(folder: str) -> Iterator[str]:
    while folder:
        folder = posixpath.dirname(folder)
        yield folder


def _read(project: Path, path: str) -> SourceText | None:
    """Return a file inside the project; None where there is none, or where it lies outside (also through a link)."""
    if path.startswith(("..", "/")) or posixpath.splitext(path)[1].lower() not in _HEADERS or project == Path():
        return None
    place = project / path
    if not place.is_file() or not place.resolve().is_relative_to(project.resolve()):
        return None
    return read_source(place)


def unify_line_ends(text: str) -> str:
    """Return text with `\\n` line ends, keeping the number of lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def write_includes(folder: Path, includes: Mapping[str, SourceText]) -> tuple[Path, list[Path]]:
    """Write a version's headers under `folder` in UTF-8; return where the source itself goes and the folders to search."""
    depth = max((name.split("/").count("..") for name in includes), default=0)
    home = folder.joinpath(*["in"] * depth)
    home.mkdir(parents=True, exist_ok=True)
    searched = []
    for name, content in includes.items():
        place = Path(posixpath.normpath(posixpath.join(home.as_posix(), name)))
        if not place.is_relative_to(folder):
            raise ValueError(f"{name} leaves the folder it is written to")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(unify_line_ends(content.text), encoding="utf-8", newline="\n")
        searched.append(place.parent)
    above = [home, *(parent for parent in home.parents if parent.is_relative_to(folder))]
    return home, list(dict.fromkeys([*(place for place in searched if place not in above), *above]))
