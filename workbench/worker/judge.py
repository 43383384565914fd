"""The judge: holds inputs and right answers in its own process, out of the candidate's reach. `python -m workbench.worker.judge`.

Runs under the project's interpreter, with NumPy and msgspec alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from workbench.errors import WrongInput
from workbench.model.project import Argument, Tolerance
from workbench.model.run import CaseResult, GateResult, WorstElement
from workbench.proof.controls import check_controls
from workbench.proof.inputs import CasePlan, make_inputs, scalar_value
from workbench.proof.tolerance import ArrayComparison, compare_arrays
from workbench.proof.unwritten import count_unwritten
from workbench.texts import message
from workbench.worker import arrays, protocol
from workbench.worker.child import ProgressCall, serve
from workbench.worker.project_python import load_function

Array = arrays.Array


class JudgeDesk:
    """Holds one project's reference and one case at a time."""

    def __init__(self) -> None:
        self._project: protocol.OpenProject | None = None
        self._reference: Callable[..., Any] | None = None
        self._inputs: Callable[..., Any] | None = None
        self._plan: CasePlan | None = None
        self._arrays: dict[str, Array] = {}
        self._scalars: dict[str, Any] = {}

    @property
    def project(self) -> protocol.OpenProject:
        """The open project."""
        if self._project is None:
            raise WrongInput("No project is open in this judge; the first call must open one.")
        return self._project

    def answer(self, request: protocol.Request, progress: ProgressCall) -> object:
        """Return the result of a request."""
        match request:
            case protocol.OpenProject():
                return self._open(request)
            case protocol.MakeCase():
                return self._make_case(request.plan)
            case protocol.JudgeCase():
                return self._judge(request)
        raise WrongInput("A judge does not answer {request}.", request=type(request).__name__)

    def _open(self, request: protocol.OpenProject) -> None:
        self._project = request
        folder = Path(request.folder)
        self._reference = load_function(folder, request.reference) if request.reference else None
        self._inputs = load_function(folder, request.inputs) if request.inputs else None

    def _make_case(self, plan: CasePlan) -> protocol.CaseMade:
        self._plan = plan
        self._arrays = make_inputs(self.project.arguments, plan.sizes, plan)
        if self._inputs is not None and plan.distribution == "declared":
            self._take_own_inputs(plan)
        self._scalars = {item.name: scalar_value(item, plan.sizes) for item in self.project.arguments if item.is_scalar}
        return protocol.CaseMade(tuple(self._slot(argument, plan.sizes) for argument in self.project.arguments))

    def _take_own_inputs(self, plan: CasePlan) -> None:
        """Use the arrays that the project's `inputs.py` makes; each must have its declared dtype and shape."""
        assert self._inputs is not None
        for name, array in dict(self._inputs(dict(plan.sizes), np.random.default_rng(plan.seed))).items():
            expected = self._arrays.get(name)
            given = np.asarray(array)
            if expected is None or given.shape != expected.shape or given.dtype != expected.dtype:
                raise WrongInput("The project's inputs function gives {name} as {dtype} {shape}, which ledger.toml does not declare.",
                                 name=name, dtype=str(given.dtype), shape=str(given.shape))  # fmt: skip
            self._arrays[name] = given

    def _slot(self, argument: Argument, sizes: Mapping[str, int]) -> protocol.Slot:
        if argument.is_scalar:
            return protocol.Slot(argument.name, argument.dtype, argument.role, value=self._scalars[argument.name].item())
        array = self._arrays.get(argument.name)
        ref = None if array is None else arrays.put(Path(self.project.arena), array)
        return protocol.Slot(argument.name, argument.dtype, argument.role, argument.resolve_shape(sizes), array=ref)

    def _answers(self, request: protocol.JudgeCase) -> tuple[dict[str, Array], dict[str, Array]]:
        """Return the right outputs and, where the reference gives them, the sums of |terms| (`<output>_terms`)."""
        if request.answer is not None:
            return {name: arrays.get(ref) for name, ref in request.answer.items()}, {}
        if self._reference is None or self._plan is None:
            raise WrongInput("This project has no reference and no baseline stands in for it.")
        given = {name: array.copy() for name, array in self._arrays.items()}
        scalars = {name: value.item() for name, value in self._scalars.items()}
        found = _call(self._reference, {**dict(self._plan.sizes), **scalars, **given}, dict(self._plan.sizes))
        names = {argument.name for argument in self.project.arguments if argument.role in ("output", "inout")}
        missing = names - found.keys()
        if missing:
            raise WrongInput(
                "The reference returned no {name}; it must return a dict with every output.", name=sorted(missing)[0]
            )
        terms = {name: np.asarray(found[f"{name}_terms"]) for name in names if f"{name}_terms" in found}
        return {name: np.asarray(found[name]) for name in names}, terms

    def _judge(self, request: protocol.JudgeCase) -> protocol.Judged:
        assert self._plan is not None
        answers, terms = self._answers(request)
        dtypes = {argument.name: argument.dtype for argument in self.project.arguments}
        found: list[ArrayComparison] = []
        unwritten = 0
        for name, reference in answers.items():
            first, second = arrays.get(request.first[name]), arrays.get(request.second[name])
            if reference.shape != first.shape:
                raise WrongInput("The reference gives {name} the shape {given}; ledger.toml declares {wanted}.",
                                 name=name, given=str(reference.shape), wanted=str(first.shape))  # fmt: skip
            tolerance = Tolerance(*self.project.tolerances[name])
            for outputs in (first, second):
                found.append(compare_arrays(outputs, reference, dtypes[name], tolerance, output=name, terms=terms.get(name)))
            unwritten += count_unwritten(first, second, request.patterns)
        return protocol.Judged(self._case(found, unwritten), self._invalid(answers), self._controls(request, answers, dtypes))

    def _case(self, found: list[ArrayComparison], unwritten: int) -> CaseResult:
        assert self._plan is not None
        return CaseResult(
            sizes=dict(self._plan.sizes),
            distribution=self._plan.distribution,
            seed=self._plan.seed,
            passed=all(one.passed for one in found) and unwritten == 0,
            worst=_worst([one.worst for one in found if one.worst is not None]),
            wrong_elements=max((one.wrong for one in found), default=0),
            elements=sum(one.elements for one in found) // 2,
            unwritten=unwritten,
        )
