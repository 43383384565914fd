"""Projects of every shape on the emulator: what `ledger.toml` can say is what happens in a run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy
import pytest

from tests.helpers.command_line import QUICK
from tests.helpers.projects import REFERENCE, SAXPY, bench, make_project
from workbench.errors import Unavailable, WrongInput
from workbench.model.project import Project
from workbench.model.run import Run, VerifyData

HEAD = """\
[project]
name = "p"
[kernel]
language = "cuda"
source = "kernel.cu"
entry = "k"
grid = ["ceil(n / 64)"]
block = [64]
{kernel}
[sizes]
n = {{ default = 500, min = 1, max = 2000 }}
{arguments}
[reference]
python = "reference.py:k"
[device.emulator]
rounds = 2
[timing]
groups = 1
warmup = 1
"""


def argument(name: str, dtype: str, role: str = "input", shape: str = '["n"]', more: str = "") -> str:
    return f'[[argument]]\nname = "{name}"\ndtype = "{dtype}"\nrole = "{role}"\nshape = {shape}\n{more}\n'


N = '[[argument]]\nname = "n"\ndtype = "int32"\nvalue = "n"\n'


def project_of(folder: Path, source: str, arguments: str, reference: str, kernel: str = "") -> Project:
    code = f"import numpy as np\n\n\ndef k({reference}\n"
    return make_project(folder, source, HEAD.format(kernel=kernel, arguments=arguments), reference=code)


def verified(run: Run) -> VerifyData:
    record = run.last("verify")
    assert record is not None
    assert record.verify is not None, run.failure
    return record.verify


def how_it_went(run: Run) -> dict[str, str]:
    return {record.name: record.status for record in run.passes}


async def run_all(project: Project, *passes: Any) -> Run:
    async with bench(project) as on:
        return await on.run(None, *(passes or ("compile", "verify", "time")))


SCALE = """\
extern "C" __global__ void k({declared}, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{ {body} }}
}}
"""


async def test_an_inout_array_is_restored_before_every_round(tmp_path: Path) -> None:
    source = SCALE.format(declared="int* x", body="x[i] = x[i] * 3 + 1;")
    run = await run_all(project_of(tmp_path, source, argument("x", "int32", "inout") + N, "x):\n    return {'x': x * 3 + 1}"))
    assert run.failure is None
    timed = run.last("time")
    assert timed is not None
    assert timed.time is not None
    assert (timed.time.checked_rounds, timed.time.wrong_rounds) == (timed.time.checked_rounds, 0)
    assert timed.time.checked_rounds > 0


async def test_scratch_memory_is_given_and_never_compared(tmp_path: Path) -> None:
    source = SCALE.format(declared="const int* x, int* tmp, int* y", body="tmp[i] = 2 * x[i]; y[i] = tmp[i] + 1;")
    arguments = argument("x", "int32") + argument("tmp", "int32", "scratch") + argument("y", "int32", "output") + N
    run = await run_all(project_of(tmp_path, source, arguments, "x):\n    return {'y': 2 * x + 1}"))
    assert run.failure is None
    worst = verified(run).worst
    assert worst is None or worst.output == "y"


@pytest.mark.parametrize(
    ("dtype", "header", "ctype", "body"),
    [
        ("float16", "cuda_fp16.h", "__half", "y[i] = __hadd(x[i], x[i]);"),
        ("bfloat16", "cuda_bf16.h", "__nv_bfloat16", "y[i] = __hadd(x[i], x[i]);"),
        ("int8", "", "signed char", "y[i] = (signed char)(x[i] / 2 * 2);"),
        ("float64", "", "double", "y[i] = x[i] + x[i];"),
        ("bool", "", "bool", "y[i] = !x[i];"),
    ],
)
async def test_outputs_of_every_kind_are_judged(tmp_path: Path, dtype: str, header: str, ctype: str, body: str) -> None:
    source = (f"#include <{header}>\n" if header else "") + SCALE.format(declared=f"const {ctype}* x, {ctype}* y", body=body)
    right = {
        "int8": "np.trunc(x / 2) * 2",
        "bool": "~x",
        "bfloat16": "2 * (x.astype(np.uint32) << 16).view(np.float32).astype(np.float64)",
    }.get(dtype, "2 * x.astype(np.float64)")
    arguments = argument("x", dtype) + argument("y", dtype, "output") + N
    run = await run_all(project_of(tmp_path, source, arguments, f"x):\n    return {{'y': {right}}}"), "compile", "verify")
    assert run.failure is None, run.failure
    bad = source.replace("y[i] =", "if (i != 3) y[i] =")
    async with bench(project_of(tmp_path / "bad", source, arguments, f"x):\n    return {{'y': {right}}}")) as on:
        wrong = await on.run(bad, "compile", "verify")
    assert wrong.failure is not None
    assert wrong.failure.kind == "WrongAnswer"


async def test_a_grid_of_three_dimensions_with_a_launch_comment(tmp_path: Path) -> None:
    source = (
        "// ledger: block=4,4,2 grid=ceil(w/4),ceil(h/4),ceil(n/2)\n"
        'extern "C" __global__ void k(const float* x, float* y, int n, int h, int w) {\n'
        "  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "  int l = blockIdx.z * blockDim.z + threadIdx.z;\n"
        "  if (i < w && j < h && l < n) y[(l * h + j) * w + i] = 2 * x[(l * h + j) * w + i];\n}\n"
    )
    shape = '["n", "h", "w"]'
    scalars = "".join(f'[[argument]]\nname = "{name}"\ndtype = "int32"\nvalue = "{name}"\n' for name in "nhw")
    arrays = argument("x", "float32", shape=shape) + argument("y", "float32", "output", shape)
    sizes = "n = { default = 3, max = 5 }\nh = { default = 9, max = 20 }\nw = 11"
    toml = HEAD.format(kernel="", arguments=arrays + scalars).replace("n = { default = 500, min = 1, max = 2000 }", sizes)
    reference = "def k(x):\n    return {'y': 2 * x.astype(float)}\n"
    run = await run_all(make_project(tmp_path, source, toml, reference=reference), "compile", "verify")
    assert run.failure is None, run.failure
    assert verified(run).cases[0].sizes == {"n": 3, "h": 9, "w": 11}


async def test_templates_options_and_constants_reach_the_compiler(tmp_path: Path) -> None:
    source = (
        "__constant__ float weights[2];\ntemplate <class T, int Two> __global__ void k(const T* x, T* y, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i] * weights[0] * Two + weights[1] + PLUS;\n}\n"
    )
    kernel = 'template = ["float", "2"]\noptions = ["-DPLUS=3"]\nconstants = { weights = [0.5, 4.0] }'
    arguments = argument("x", "float32") + argument("y", "float32", "output") + N
    run = await run_all(project_of(tmp_path, source, arguments, "x):\n    return {'y': x.astype(float) + 7}", kernel))
    assert run.failure is None, run.failure


OWN = "def make(sizes, rng):\n    return {'x': rng.permutation(sizes['n']).astype('int32')}\n"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (OWN, ""),
        (OWN.replace("int32", "int64"), "int64"),
        (OWN.replace("rng.permutation", "rng.nothing"), "inputs.py, line 2"),
        (OWN.replace("return", "return 3,"), "tuple"),
    ],
)
async def test_own_inputs_are_used_and_checked(tmp_path: Path, made: str, said: str) -> None:
    source = SCALE.format(declared="const int* x, int* y", body="y[i] = x[i] + 1;")
    arguments = argument("x", "int32") + argument("y", "int32", "output") + N
    toml = HEAD.format(kernel="", arguments=arguments) + '[inputs]\npython = "inputs.py:make"\n'
    reference = "def k(x):\n    return {'y': x + 1}\n"
    (tmp_path / "inputs.py").write_text(made, encoding="utf-8")
    run = await run_all(make_project(tmp_path, source, toml, reference=reference), "compile", "verify")
    if said:
        assert run.failure is not None
        assert (run.failure.kind, said in str(run.failure.message)) == ("WrongInput", True), run.failure
    else:
        assert verified(run).cases[0].passed, run.failure


async def test_the_devices_sizes_replace_the_projects(tmp_path: Path) -> None:
    toml = QUICK.replace("rounds = 4", "rounds = 2\nsizes = { n = 321 }")
    run = await run_all(make_project(tmp_path, toml=toml))
    assert run.failure is None
    assert verified(run).cases[0].sizes == {"n": 321}
    timed = run.last("time")
    assert timed is not None
    assert timed.time is not None
    assert timed.time.sizes == {"n": 321}
    assert sum(len(group.a) for group in timed.time.groups) == 2


async def test_without_reference_pipeline_and_python_no_trust_is_needed(tmp_path: Path) -> None:
    project = make_project(tmp_path, toml=QUICK.replace('[reference]\npython = "reference.py:saxpy"\n', ""))
    assert not project.runs_python
    run = await run_all(project, "compile", "verify", "sanitize", "time", "trace")
    assert run.failure is None
    finished = dict.fromkeys(("compile", "verify", "sanitize", "time"), "finished")
    assert how_it_went(run) == {**finished, "trace": "not run"}


async def test_a_launch_comment_that_cannot_be_computed_is_refused_before_anything_runs(tmp_path: Path) -> None:
    async with bench(make_project(tmp_path, toml=QUICK)) as on:
        for comment in ("grid=ceil(nonsense/64)", "block=0", "blocks=64", "grid=1,2,3,4"):
            with pytest.raises(WrongInput):
                await on.run(f"// ledger: {comment}\n{SAXPY}", "compile", "verify")
        assert not on.store.runs()


async def test_a_pipeline_with_an_error_is_told_with_its_line_and_the_kernels_proof_stands(tmp_path: Path) -> None:
    project = make_project(tmp_path, toml=QUICK, pipeline=True)
    text = (tmp_path / "pipeline.py").read_text(encoding="utf-8")
    (tmp_path / "pipeline.py").write_text(text.replace("    p.synchronize()", "    p.nothing()"), encoding="utf-8")
    run = await run_all(project, "compile", "verify", "sanitize", "time", "trace")
    assert run.failure is not None
    assert "pipeline.py, line" in str(run.failure.message)
    finished = dict.fromkeys(("compile", "verify", "sanitize", "time"), "finished")
    assert how_it_went(run) == {**finished, "trace": "failed"}


@pytest.fixture
def bare_python(tmp_path: Path) -> Path:
    """Make an interpreter that has NumPy and msgspec (this one's, by links) and nothing else."""
    folder = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, capture_output=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    for module in (numpy, msgspec):
        place = Path(module.__file__ or "").parent
        for part in (place, place.with_name(f"{place.name}.libs")):
            if part.exists():
                (packages / part.name).symlink_to(part, target_is_directory=True)
    return folder / "bin" / "python"


async def test_reference_and_pipeline_run_under_the_projects_own_interpreter(tmp_path: Path, bare_python: Path) -> None:
    where = "import sys\n\nassert 'bare' in sys.prefix, sys.prefix\n" + REFERENCE
    toml = QUICK + f'[python]\ninterpreter = "{bare_python}"\n'
    run = await run_all(make_project(tmp_path, toml=toml, reference=where, pipeline=True), "compile", "verify", "time", "trace")
    assert run.failure is None, run.failure
    traced = run.last("trace")
    assert traced is not None
    assert traced.status == "finished"


@pytest.fixture
def empty_python(tmp_path: Path) -> Path:
    """Make an interpreter without any package."""
    folder = tmp_path / "empty venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, capture_output=True)
    return folder / "bin" / "python"


async def test_an_interpreter_without_numpy_is_a_sentence(tmp_path: Path, empty_python: Path) -> None:
    toml = QUICK + f'[python]\ninterpreter = "{empty_python}"\n'
    async with bench(make_project(tmp_path / "p", toml=toml)) as on:
        with pytest.raises(Unavailable, match="numpy and msgspec"):
            await on.run(None, "compile", "verify")
