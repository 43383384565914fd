"""Which C++ compiler is taken, and what a library that needs no C++ library is linked with."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from plugins.emulator import describe
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


@pytest.mark.parametrize("named", ["no-such-compiler", "no-such-compiler 'with one quotation mark"])
def test_a_cxx_that_does_not_run_is_passed_over_and_said(bare: Path, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    gcc = program(bare, "g++", "g++ (Debian 12.2.0) 12.2.0")
    assert [found.remark for found in [find_toolchain()] if found] == [None]
    monkeypatch.setenv("CXX", named)
    found = find_toolchain()
    assert found is not None
    assert found.command == (str(gcc),)
    remark = describe(found).remark
    assert str(remark) == (
        f"$CXX names “{named}”, which gave no version but “No such file or directory”, so kernels are compiled with "
        "g++ (Debian 12.2.0) 12.2.0; name a C++ compiler that runs, or unset CXX."
    )


def test_a_cxx_that_does_not_run_is_named_where_there_is_no_other(
    bare: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel.unlink()
    monkeypatch.setenv("CXX", "no-such-compiler")
    device = describe(find_toolchain())
    assert not device.available
    assert "“no-such-compiler”, which $CXX names, does not run" in str(device.reason)


def test_without_a_compiler_the_program_of_the_wheel_serves(bare: Path, wheel: Path) -> None:
    found = find_toolchain()
    assert found is not None
    assert (found.command[:2], found.family, found.version) == ((str(wheel), "c++"), "zig", "zig 0.17.1")


def test_a_wheel_whose_program_is_gone_is_no_compiler(bare: Path, wheel: Path) -> None:
    wheel.unlink()
    assert find_toolchain() is None


@pytest.mark.parametrize("command", ["{zig} c++", "{python} -m ziglang c++", "{wrapper} c++"])
def test_zig_named_by_cxx_is_called_as_the_wheels_is(
    bare: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    expected = find_toolchain()
    assert expected is not None
    python = bare / "python3"  # a Python that has the wheel, whatever its environment
    python.write_text(f"#!/bin/sh\necho '{wheel.with_name('__init__.py')}'\n", encoding="utf-8")
    python.chmod(0o755)
    wrapper = program(bare, "python-zig", "0.17.1")
    monkeypatch.setenv("CXX", command.format(zig=wheel, python=python, wrapper=wrapper))
    found = find_toolchain()
    assert found is not None
    program_of = wrapper if "wrapper" in command else wheel
    assert found == replace(expected, command=(str(program_of), *expected.command[1:]))


def test_a_python_without_the_wheel_is_passed_over_with_what_it_said(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare, "g++", "g++ (Debian 12.2.0) 12.2.0")
    python = bare / "python3"
    python.write_text("#!/bin/sh\necho \"ModuleNotFoundError: No module named 'ziglang'\" >&2\nexit 1\n", encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setenv("CXX", "python3 -m ziglang c++")
    found = find_toolchain()
    assert found is not None
    assert (found.family, "No module named 'ziglang'" in str(found.remark)) == ("gcc", True)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the emulator runs on Linux only")
def test_the_runtime_names_nothing_of_a_cxx_library(tmp_path: Path) -> None:
    compiler = find_toolchain()
    assert compiler is not None
    image = read_image(Compiler(compiler, tmp_path).runtime())
    assert [name for name in image.undefined if name.startswith("_Z")] == []
    assert "pthread_create" in {name.split("@")[0] for name in image.undefined}
