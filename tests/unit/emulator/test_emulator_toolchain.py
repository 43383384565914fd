"""Which C++ compiler is taken, and what a library that needs no C++ library is linked with."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

from plugins.emulator.compiler import Compiler
from plugins.emulator.elf import read_image
from plugins.emulator.toolchain import find_toolchain


def program(folder: Path, name: str, says: str) -> Path:
    """Write a program that says one sentence whatever it is asked."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a folder that is the whole PATH: a machine without a compiler."""
    shell = shutil.which("sh")
    assert shell is not None
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sh").symlink_to(shell)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CXX", raising=False)
    return tmp_path / "bin"


@pytest.fixture
def wheel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the program of a `ziglang` wheel that lies before the installed one, if any."""
    zig = program(tmp_path / "wheels" / "ziglang", "zig", "0.17.1")
    (zig.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "wheels")
    importlib.invalidate_caches()
    return zig


def test_the_compiler_named_by_cxx_comes_first_then_gcc_then_clang(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clang = program(bare, "clang++", "Debian clang version 14.0.6")
    assert [(found.command, found.family) for found in [find_toolchain()] if found] == [((str(clang),), "clang")]
    gcc = program(bare, "g++", "g++ (Debian 12.2.0) 12.2.0")
    assert [(found.command, found.family) for found in [find_toolchain()] if found] == [((str(gcc),), "gcc")]
    monkeypatch.setenv("CXX", f"{clang} --target=x86_64-linux-gnu")
    assert [found.command for found in [find_toolchain()] if found] == [(str(clang), "--target=x86_64-linux-gnu")]


def test_a_cxx_that_does_not_run_is_passed_over(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gcc = program(bare, "g++", "g++ (Debian 12.2.0) 12.2.0")
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert [found.command for found in [find_toolchain()] if found] == [(str(gcc),)]


def test_without_a_compiler_the_program_of_the_wheel_serves(bare: Path, wheel: Path) -> None:
    found = find_toolchain()
    assert found is not None
    assert (found.command[:2], found.family, found.version) == ((str(wheel), "c++"), "zig", "zig 0.17.1")


def test_a_wheel_whose_program_is_gone_is_no_compiler(bare: Path, wheel: Path) -> None:
    wheel.unlink()
    assert find_toolchain() is None


def test_zig_named_by_cxx_is_known_as_zig(bare: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", f"{wheel} c++")
    found = find_toolchain()
    assert found is not None
    assert found.family == "zig"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the emulator runs on Linux only")
def test_the_runtime_names_nothing_of_a_cxx_library(tmp_path: Path) -> None:
    compiler = find_toolchain()
    assert compiler is not None
    image = read_image(Compiler(compiler, tmp_path).runtime())
    assert [name for name in image.undefined if name.startswith("_Z")] == []
    assert "pthread_create" in {name.split("@")[0] for name in image.undefined}
