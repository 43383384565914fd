"""A source keeps its encoding, byte order mark and line ends, to the byte."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import WrongInput
from workbench.model.source import MAX_SOURCE_BYTES, SourceText, decode, read_source


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"int x;\r\n", SourceText("int x;\r\n")),
        (codecs.BOM_UTF8 + b"int x;\n", SourceText("int x;\n", "utf-8", True)),
        ("// größer\n".encode("latin-1"), SourceText("// größer\n", "latin-1")),
        ("// größer 核\n".encode(), SourceText("// größer 核\n")),
        (b"", SourceText("")),
    ],
)
def test_encodings_seen_in_the_wild(content: bytes, expected: SourceText) -> None:
    assert decode(content) == expected
    assert expected.to_bytes() == content


@given(st.binary(max_size=200))
def test_every_file_comes_back_byte_for_byte(content: bytes) -> None:
    assert decode(content).to_bytes() == content


@given(st.text(max_size=50), st.sampled_from(["utf-8", "latin-1"]), st.booleans())
def test_new_text_keeps_the_kind_of_file_where_it_can(text: str, encoding: str, bom: bool) -> None:
    source = SourceText("old", "latin-1" if encoding == "latin-1" else "utf-8", bom)
    try:
        changed = source.with_text(text)
        changed.to_bytes()
    except UnicodeEncodeError:
        assert any(0xD800 <= ord(char) < 0xE000 for char in text)
        return
    assert changed.text == text
    assert changed.bom == bom
    assert changed.encoding == source.encoding or any(ord(char) > 255 for char in text)


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match="cannot be read: No such file or directory; check the name"):
        read_source(tmp_path / "missing.cu")


@pytest.mark.parametrize("content", [b"\x7fELF\0\0", b"x" * (MAX_SOURCE_BYTES + 1)])
def test_what_is_no_source_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "kernel.cu"
    path.write_bytes(content)
    with pytest.raises(WrongInput, match="is no source"):
        read_source(path)


def test_a_source_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "kérnel 核.cu"
    path.write_bytes(codecs.BOM_UTF8 + b"int x;\r\nint y;\n")
    assert read_source(path).text == "int x;\r\nint y;\n"
