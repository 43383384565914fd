"""Headers of a project that a source includes: found where a compiler would find them, part of the version, never outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.errors import WrongInput
from workbench.model.includes import MOST_FILES, read_includes, write_includes
from workbench.model.launch import Launch
from workbench.model.source import SourceText
from workbench.model.version import Code


def project(folder: Path, **files: str) -> Path:
    """Write files, `__` in a name standing for a folder and the last `_` for the dot."""
    for name, text in files.items():
        path = folder / ".".join(name.replace("__", "/").rsplit("_", 1))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_header_is_found_beside_its_includer_then_above_the_source_and_in_folders_of_the_options(tmp_path: Path) -> None:
    root = project(
        tmp_path / "p", common__a_cuh='#include "b.cuh"\n', common__b_cuh="// b\n", kernels__own_h="// own\n", top_h="//",
        third__party_h="//",
    )  # fmt: skip
    text = '#include "own.h"\n  # include "common/a.cuh"\n#include "top.h"\n#include <party.h>\n#include <math.h>\n'
    found = read_includes(text, "kernels/k.cu", root, options=("-Ithird", "-O3"))
    assert list(found) == ["../common/a.cuh", "../common/b.cuh", "../third/party.h", "../top.h", "own.h"]
    assert found["own.h"].text == "// own\n"
    assert "../third/party.h" not in read_includes(text, "kernels/k.cu", root)


def test_nothing_outside_the_project_is_read(tmp_path: Path) -> None:
    project(tmp_path, secret_h="// secret")
    root = project(tmp_path / "p", inside_h="//")
    (root / "link.h").symlink_to(tmp_path / "secret.h")
    text = f'#include "../secret.h"\n#include "{tmp_path}/secret.h"\n#include "link.h"\n#include "inside.h"\n'
    assert list(read_includes(text, "k.cu", root, options=("-I..",))) == ["inside.h"]


def test_files_that_include_each_other_are_read_once_and_too_many_are_refused(tmp_path: Path) -> None:
    root = project(tmp_path, a_h='#include "b.h"\n', b_h='#include "a.h"\n')
    assert list(read_includes('#include "a.h"\n', "k.cu", root)) == ["a.h", "b.h"]
    for number in range(MOST_FILES + 1):
        (root / f"n{number}.h").write_text("", encoding="utf-8")
    with pytest.raises(WrongInput, match=r"k\.cu includes more than 256 files of the project; include fewer\."):
        read_includes("".join(f'#include "n{number}.h"\n' for number in range(MOST_FILES + 1)), "k.cu", root)


def test_a_versions_own_headers_are_not_read_again(tmp_path: Path) -> None:
    root = project(tmp_path, a_h="// changed", b_h="// b")
    kept = {"a.h": SourceText("// as it was")}
    found = read_includes('#include "a.h"\n#include "b.h"\n', "k.cu", root, kept=kept)
    assert {name: header.text for name, header in found.items()} == {"a.h": "// as it was", "b.h": "// b"}
    assert list(read_includes('#include "a.h"\n', "k.cu", Path(), kept=kept)) == ["a.h"]


def test_headers_are_part_of_the_hash_and_code_without_them_keeps_its_hash() -> None:
    plain = Code(SourceText("x"), "cuda", "k", Launch((1,), (1,)))
    one = Code(SourceText("x"), "cuda", "k", Launch((1,), (1,)), includes={"a.h": SourceText("1")})
    other = Code(SourceText("x"), "cuda", "k", Launch((1,), (1,)), includes={"a.h": SourceText("2")})
    assert plain.hash == "7b081e169cde760bbad3f5bd14f9a662cdf2203d6fa6de6c5a99b8b6de02be22"
    assert len({plain.hash, one.hash, other.hash}) == 3


def test_headers_are_written_where_the_source_finds_them(tmp_path: Path) -> None:
    headers = {"../common/a.cuh": SourceText("a\r\nb"), "own.h": SourceText("o")}
    home, searched = write_includes(tmp_path / "tree", headers)
    assert (home / "../common/a.cuh").read_bytes() == b"a\nb"
    assert (home / "own.h").read_bytes() == b"o"
    assert [place.resolve() for place in searched] == [(home / "../common").resolve(), home.resolve(), home.parent.resolve()]
