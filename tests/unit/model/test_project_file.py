"""Reading ledger.toml: what a good project becomes, and the one sentence that each wrong key or value gets."""

from __future__ import annotations

import copy
import os
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.errors import WrongInput
from workbench.model.project import SizeRange, ValueSpec
from workbench.model.project_file import code_of, read_project
from workbench.model.source import SourceText

SMALL = """
[project]
name = "saxpy"

[kernel]
language = "cuda"
source = "kernel.cu"
entry = "saxpy"
grid = ["ceil(n / 256)"]
block = [256]

[sizes]
n = { default = 1000, min = 1, max = 5000 }

[[argument]]
name = "y"
role = "inout"
dtype = "float32"
shape = ["n"]

[[argument]]
name = "x"
dtype = "uint8"
shape = ["n", 3]
values = "integers(0, 256)"

[[argument]]
name = "a"
dtype = "float32"
value = 2.5

[[argument]]
name = "n"
dtype = "int32"
value = "n"
"""


def write(folder: Path, text: str) -> Path:
    (folder / "kernel.cu").write_text("__global__ void saxpy() {}\n", encoding="utf-8")
    (folder / "ledger.toml").write_text(text, encoding="utf-8")
    return folder


def sentence(folder: Path, text: str) -> str:
    with pytest.raises(WrongInput) as caught:
        read_project(write(folder, text))
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(folder) + os.sep, "")


def test_a_small_project_gets_every_default(tmp_path: Path) -> None:
    project = read_project(write(tmp_path, SMALL))
    assert project.folder == tmp_path.resolve()
    assert project.kernel.launch.grid == ("ceil(n / 256)",)
    assert project.sizes == {"n": SizeRange(1000, 1, 5000)}
    y, x, a, n = project.arguments
    assert (y.role, y.values) == ("inout", ValueSpec("normal"))
    assert (x.role, x.values) == ("input", ValueSpec("integers", 0, 256))
    assert (a.value, a.is_scalar, n.value) == (2.5, True, "n")
    assert project.tolerance.relative_for("float32") == 1e-4
    assert (project.timing.warmup, project.timing.rounds, project.timing.regime) == (10, 100, "cold")
    assert (project.sweep.points, project.stop_below, project.pipeline) == (1000, 0.03, None)
    assert not project.runs_python


def test_a_project_is_read_from_its_folder_or_its_file(tmp_path: Path) -> None:
    write(tmp_path, SMALL)
    assert read_project(tmp_path) == read_project(tmp_path / "ledger.toml")


IN_PROJECT = """
name = "saxpy"
goal = "2x"
stop_below = 0.1
"""
IN_KERNEL = """
block = [256]
shared_bytes = "n * 4"
template = ["float", 4]
options = ["-std=c++17"]
targets = ["sm_80", "sm_90a"]
bytes = "n * 12"
flops = 7
constants = { weights = [1, 2.5], bias = 3 }
"""
REST = """
[reference]
python = "own.py:reference"
[inputs]
python = "own.py:make"
[tolerance]
relative = 1e-3
absolute = 1e-6
[timing]
warmup = 1
rounds = 30
regime = "warm"
groups = 6
[sweep]
points = 10
max_elements = 100
seconds = 2
[device.emulator]
sizes = { n = 7 }
rounds = 20
repeats = 2
[pipeline]
python = "own.py:run"
repeats = 4
[python]
interpreter = "python3"
[limits]
compile = 9
launch = 0.5
"""


def test_every_section_is_read(tmp_path: Path) -> None:
    (tmp_path / "own.py").touch()
    text = SMALL.replace('name = "saxpy"', IN_PROJECT).replace("block = [256]", IN_KERNEL) + REST
    project = read_project(write(tmp_path, text))
    assert project.kernel.template == ("float", "4")
    assert project.kernel.constants == {"weights": (1.0, 2.5), "bias": (3.0,)}
    assert (project.kernel.bytes, project.kernel.flops, project.kernel.launch.shared_bytes) == ("n * 12", 7, "n * 4")
    assert (project.reference, project.inputs, project.interpreter) == ("own.py:reference", "own.py:make", "python3")
    assert project.default_sizes("emulator") == {"n": 7}
    assert project.default_sizes("cuda") == {"n": 1000}
    assert project.pipeline is not None
    assert (project.pipeline.python, project.pipeline.repeats) == ("own.py:run", 4)
    assert (project.limits.compile, project.limits.launch, project.limits.verify) == (9.0, 0.5, 120.0)
    assert (project.timing.groups, project.stop_below, project.runs_python) == (6, 0.1, True)


def test_a_size_may_be_one_number_and_max_is_the_default(tmp_path: Path) -> None:
    text = SMALL.replace("n = { default = 1000, min = 1, max = 5000 }", "n = 12\nm = { default = 8 }")
    assert read_project(write(tmp_path, text)).sizes == {"n": SizeRange(12, 1, 12), "m": SizeRange(8, 1, 8)}


WRONG: list[tuple[str, str, str]] = [
    ('name = "saxpy"\n', "", "the key project.name is missing"),
    ('name = "saxpy"\n', "name = 3\n", "project.name is 3; a text in quotes"),
    ('name = "saxpy"\n', 'name = " "\n', "project.name is empty"),
    ('name = "saxpy"\n', 'name = "saxpy"\nstop_below = 2\n', "project.stop_below is 2; a fraction"),
    ("[project]", "[projekt]\n[project]", "the key projekt is unknown; did you mean project?"),
    ("entry =", "entri =", "the key kernel.entri is unknown; did you mean kernel.entry?"),
    ("[sizes]", "zzzz = 1\n[sizes]", "the key kernel.zzzz is unknown; language, source, entry"),
    ('"cuda"', '"triton"', 'kernel.language is "triton", which is not supported by this version'),
    ('"cuda"', '"hip"', 'kernel.language is "hip", which is not supported by this version'),
    ('"cuda"', '"fortran"', 'kernel.language is "fortran"; one of cuda, triton, hip'),
    ('"kernel.cu"', '"other.cu"', 'kernel.source is "other.cu", but there is no such file'),
    ('entry = "saxpy"', 'entry = "sax py"', 'kernel.entry is "sax py"; the name of a __global__ function'),
    ('grid = ["ceil(n / 256)"]', "grid = []", "kernel.grid is []; 1 to 3 parts"),
    ('grid = ["ceil(n / 256)"]', "grid = [1, 1, 1, 1]", "kernel.grid is [1, 1, 1, 1]; 1 to 3 parts"),
    ('grid = ["ceil(n / 256)"]', "grid = 4", "kernel.grid is 4; a list in square brackets"),
    ('grid = ["ceil(n / 256)"]', "", "the key kernel.grid is missing"),
    ("ceil(n / 256)", "n / 256", 'kernel.grid[0] is "n / 256", which cannot be used: The expression “n / 256” gives 3.90625'),
    ("ceil(n / 256)", "n // 256", 'kernel.grid[0] is "n // 256", which gives 0 where n = 1; a value'),
    ("ceil(n / 256)", "width", "width is not one of the sizes (n)"),
    ("ceil(n / 256)", "n +", "it is not an arithmetic expression"),
    ("ceil(n / 256)", "1 / (n - n)", "it divides by zero"),
    ("ceil(n / 256)", "1e999", "kernel.grid[0]"),
    ("block = [256]", "block = [true]", "kernel.block[0] is true; a whole number or an expression"),
    ("block = [256]", "block = [256]\nshared_bytes = -1", "kernel.shared_bytes is -1, which gives -1"),
    ("block = [256]", 'block = [256]\ntargets = ["90"]', 'kernel.targets[0] is "90"; an architecture such as sm_90'),
    ("block = [256]", "block = [256]\noptions = [1.5]", "kernel.options[0] is 1.5; a text in quotes"),
    ("block = [256]", 'block = [256]\nconstants = { w = ["a"] }', 'kernel.constants.w is ["a"]; a number or a list of numbers'),
    ("min = 1, max = 5000", "min = 9, max = 5", 'sizes.n is {"default": 1000, "min": 9, "max": 5}; min must not be above max'),
    ("default = 1000", "default = 9000", "the default must lie between min and max"),
    ("default = 1000", "defualt = 1000", "the key sizes.n.defualt is unknown; did you mean sizes.n.default?"),
    ("default = 1000, ", "", "the key sizes.n.default is missing"),
    ("default = 1000", "default = 10.5", "sizes.n.default is 10.5; a whole number"),
    ("[sizes]", "[sizes]\nmin = 3", "the size sizes.min has the name of a function"),
    ("[sizes]", '[sizes]\n"a b" = 3', "the size sizes.a b needs a name of letters"),
    ('"float32"\nshape', '"float31"\nshape', 'argument[0].dtype is "float31"; one of bool, int8'),
    ('"inout"', '"in"', 'argument[0].role is "in"; one of input, output, inout, scratch'),
    ('"inout"', '"input"', "none of the arguments under [[argument]] has the role output or inout"),
    ('name = "x"', 'name = "y"', 'argument[1].name is "y"; an earlier argument has this name'),
    ('name = "x"', 'name = "1x"', 'argument[1].name is "1x"; a name of letters'),
    ("value = 2.5", "value = 2.5\nshape = [1]", "argument[2].shape stands beside value; a scalar has no shape"),
    ("value = 2.5", "", "argument[2] has neither shape nor value"),
    ("value = 2.5", 'value = 2.5\nrole = "output"', 'argument[2].role is "output"; a scalar can only be an input'),
    ("value = 2.5", "value = inf", "argument[2].value is Infinity; a finite number"),
    ('value = "n"', "value = 2.5", "argument[3].value is 2.5; a whole number or an expression"),
    ('value = "n"', 'value = "n * 10**7"', "argument[3].value"),
    ('shape = ["n"]', "shape = []", "argument[0].shape is []; at least one part"),
    ('shape = ["n"]', 'shape = ["n - 2"]', 'argument[0].shape[0] is "n - 2", which gives -1 where n = 1'),
    ("integers(0, 256)", "integers(0, 300)", 'argument[1].values is "integers(0, 300)", but uint8 holds 0 to 255'),
    ("integers(0, 256)", "integers(9, 3)", "the lower limit must be below the upper one"),
    ("integers(0, 256)", "integers(0.5, 3)", "whole limits were expected"),
    ("integers(0, 256)", "integers(0)", "zeros, ones or arange was expected"),
    ("integers(0, 256)", "gauss", "normal, uniform(low, high)"),
    ("integers(0, 256)", "normal", "but the dtype is uint8; integers(low, high)"),
    ('role = "inout"', 'role = "output"\nvalues = "zeros"', "only input and inout arrays have values"),
    ("[project]", "[tolerance]\nrelative = -1\n[project]", "tolerance.relative is -1; a number of at least 0"),
    ("[project]", '[tolerance]\nabsolute = "1"\n[project]', 'tolerance.absolute is "1"; a finite number'),
    ("[project]", "[timing]\nrounds = 0\n[project]", "timing.rounds is 0; a whole number from 2"),
    ("[project]", '[timing]\nregime = "hot"\n[project]', 'timing.regime is "hot"; one of cold, warm'),
    ("[project]", "[sweep]\nseconds = 0\n[project]", "sweep.seconds is 0; a number above 0"),
    ("[project]", '[reference]\npython = "ref.py"\n[project]', 'reference.python is "ref.py"; a file and a function such as'),
    ("[project]", '[reference]\npython = "ref.py:f"\n[project]', 'reference.python is "ref.py:f", but there is no such file'),
    ("[project]", "[reference]\n[project]", "the key reference.python is missing"),
    ("[project]", "[pipeline]\n[project]", "pipeline needs either python or command"),
    ("[project]", "[pipeline]\ncommand = []\n[project]", "pipeline.command is []; a program"),
    ("[project]", "[device.gpu]\n[project]", "the key device.gpu is unknown"),
    ("[project]", "[device.emulator]\nsizes = { m = 3 }\n[project]", "the key device.emulator.sizes.m is unknown"),
    ("[project]", "[device.emulator]\nsizes = { n = 6000 }\n[project]", "emulator.sizes.n is 6000; a whole number from 1"),
    ("[project]", "[limits]\nverify = 0\n[project]", "limits.verify is 0; a number above 0"),
    ("[project]", "kernel = 3\n[project]", "kernel"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), WRONG)
def test_every_wrong_key_or_value_is_one_sentence(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in SMALL
    said = sentence(tmp_path, SMALL.replace(old, new, 1))
    assert said.startswith("ledger.toml")
    assert expected in said


def test_a_syntax_error_names_line_and_column(tmp_path: Path) -> None:
    said = sentence(tmp_path, '[project]\nname = "x\n')
    assert said.startswith("ledger.toml, line 2, column ")


def test_a_key_given_twice_is_not_valid_toml(tmp_path: Path) -> None:
    assert "not valid TOML" in sentence(tmp_path, '[project]\nname = "x"\nname = "y"\n')


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match=r"There is no .*ledger\.toml; .*kernel-ledger new FOLDER"):
        read_project(tmp_path)


def test_a_file_that_is_not_utf8_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "ledger.toml").write_bytes(b'[project]\nname = "Gr\xfc\xdfe"\n')
    with pytest.raises(WrongInput, match="line 2: the file is not UTF-8"):
        read_project(tmp_path)


def test_a_byte_order_mark_and_crlf_do_no_harm(tmp_path: Path) -> None:
    write(tmp_path, SMALL)
    (tmp_path / "ledger.toml").write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert read_project(tmp_path).name == "saxpy"


def test_a_file_too_large_to_be_settings_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ledger.toml").write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(WrongInput, match="larger than 1 MiB"):
        read_project(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_permission_is_one_sentence(tmp_path: Path) -> None:
    write(tmp_path, SMALL)
    (tmp_path / "ledger.toml").chmod(0)
    with pytest.raises(WrongInput, match="cannot be read"):
        read_project(tmp_path)


def test_code_takes_its_launch_from_the_comment_in_the_source(tmp_path: Path) -> None:
    project = read_project(write(tmp_path, SMALL))
    plain = code_of(project, SourceText("__global__ void saxpy() {}\n"))
    tuned = code_of(project, SourceText("// ledger: block=128 grid=ceil(n/128)\n__global__ void saxpy() {}\n"))
    assert plain.launch == project.kernel.launch
    assert (tuned.launch.block, tuned.launch.grid) == ((128,), ("ceil(n/128)",))
    assert plain.hash != tuned.hash


def test_a_launch_comment_that_cannot_be_computed_is_refused(tmp_path: Path) -> None:
    project = read_project(write(tmp_path, SMALL))
    with pytest.raises(WrongInput, match="height is not one of the sizes"):
        code_of(project, SourceText("// ledger: grid=height\n"))


_scalars = (
    st.booleans() | st.integers() | st.integers(2**60, 2**80) | st.floats() | st.text(max_size=12)
    | st.sampled_from(["n", "n*4", "ceil(n/3)", "cuda", "kernel.cu", "float32", "output", "uniform(0,1)", "((", "9**64"])
)  # fmt: skip
_anything = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)
_GOOD: dict[str, Any] = tomlkit.parse(SMALL).unwrap()
_KEYS = [
    "name", "goal", "language", "source", "entry", "grid", "block", "shared_bytes", "bytes", "template", "options", "targets",
    "constants", "n", "python", "repeats", "command", "relative", "rounds", "regime", "emulator", "sizes", "points", "compile",
]  # fmt: skip
_SECTIONS = ["project", "kernel", "sizes", "tolerance", "timing", "sweep", "device", "pipeline", "reference", "python", "limits"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(section=st.sampled_from(_SECTIONS), key=st.sampled_from(_KEYS) | st.text(max_size=6), value=_anything)
def test_random_keys_and_values_raise_nothing_but_wrong_input(tmp_path: Path, section: str, key: str, value: Any) -> None:
    content = copy.deepcopy(_GOOD)
    content.setdefault(section, {})[key] = value
    _read_or_wrong(tmp_path, content)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(index=st.integers(0, 3), key=st.sampled_from(["name", "role", "dtype", "shape", "value", "values"]), value=_anything)
def test_random_arguments_raise_nothing_but_wrong_input(tmp_path: Path, index: int, key: str, value: Any) -> None:
    content = copy.deepcopy(_GOOD)
    content["argument"][index][key] = value
    _read_or_wrong(tmp_path, content)


def _read_or_wrong(folder: Path, content: dict[str, Any]) -> None:
    try:
        text = tomlkit.dumps(content)
    except (ValueError, TypeError):
        return
    write(folder, text)
    try:
        read_project(folder)
    except WrongInput as error:
        assert "ledger.toml" in str(error)  # noqa: PT017 (some contents are good projects)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=80) | st.text(alphabet="[]{}=\"\n#abc.1,'", max_size=80).map(str.encode))
def test_random_files_raise_nothing_but_wrong_input(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ledger.toml").write_bytes(content)
    with pytest.raises(WrongInput):
        read_project(tmp_path)
