"""One opened GPU for a test module, and a way from source text to a loaded kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from workbench.model.launch import Launch
from workbench.model.source import SourceText
from workbench.plugin_api import Code, Loaded

if TYPE_CHECKING:
    from plugins.cuda.in_worker import CudaDevice

Constants = dict[str, tuple[float, ...]]
MakeKernel = Callable[..., Loaded]


@pytest.fixture(scope="module")
def device() -> Iterator[CudaDevice]:
    """Return the first GPU, without calibrating its clock."""
    from plugins.cuda.in_worker import open_cuda

    opened = open_cuda("cuda:0", may_measure=False)
    yield opened
    opened.close()


@pytest.fixture
def make(device: CudaDevice, tmp_path: Path) -> MakeKernel:
    """Return a function that compiles and loads a source."""

    def compile_and_load(
        source: str, entry: str, *, template: tuple[str, ...] = (), constants: Constants | None = None
    ) -> Loaded:
        filled = constants or {}
        code = Code(SourceText(source), "cuda", entry, Launch((1,), (1,)), template=template, constants=filled)
        return device.load(device.compile(code, tmp_path), filled)

    return compile_and_load
