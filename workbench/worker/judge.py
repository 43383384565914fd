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
from workbench.model.run import CaseResult, WorstElement
from workbench.proof.controls import ControlResult, Sensitivity, input_sensitivity, try_controls
from workbench.proof.inputs import CasePlan, make_inputs, scalar_value
from workbench.proof.tolerance import ArrayComparison, compare_arrays, float64_error, nan_count
from workbench.proof.unwritten import find_unwritten
from workbench.worker import arrays, protocol
from workbench.worker.child import ProgressCall, serve
from workbench.worker.project_python import call, call_by_name, load_function

Array = arrays.Array
Arrays = Mapping[str, Array]


class JudgeDesk:
    """Holds one project's reference and one case at a time."""

    def __init__(self) -> None:
        self._project: protocol.OpenProject | None = None
        self._reference: Callable[..., Any] | None = None
        self._inputs: Callable[..., Any] | None = None
        self._plan: CasePlan | None = None
        self._arrays: dict[str, Array] = {}
        self._scalars: dict[str, Any] = {}
        self._declared: _Case | None = None

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
                self._open(request)
                return None
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
        made = call(self._inputs, dict(plan.sizes), np.random.default_rng(plan.seed))
        if not isinstance(made, dict):
            raise WrongInput("The project's inputs are {kind}; a dict of arrays was expected.", kind=type(made).__name__)
        for name, array in made.items():
            expected = self._arrays.get(name)
            given = np.asarray(array)
            if expected is None or given.shape != expected.shape or given.dtype != expected.dtype:
                raise WrongInput("The project's inputs give {name} as {dtype} {shape}, which ledger.toml does not declare.",
                                 name=name, dtype=str(given.dtype), shape=str(given.shape))  # fmt: skip
            self._arrays[name] = given

    def _slot(self, argument: Argument, sizes: Mapping[str, int]) -> protocol.Slot:
        if argument.is_scalar:
            return protocol.Slot(argument.name, argument.dtype, argument.role, value=self._scalars[argument.name].item())
        array = self._arrays.get(argument.name)
        ref = None if array is None else arrays.put(Path(self.project.arena), array)
        return protocol.Slot(argument.name, argument.dtype, argument.role, argument.resolve_shape(sizes), array=ref)

    def _answers(self, request: protocol.JudgeCase) -> tuple[Arrays, Arrays]:
        """Return the right outputs and, where the reference gives them, the sums of |terms| (`<output>_terms`)."""
        if request.answer is not None:
            return {name: arrays.get(ref) for name, ref in request.answer.items()}, {}
        if self._reference is None or self._plan is None:
            raise WrongInput("This project has no reference and no baseline stands in for it.")
        copies = {name: array.copy() for name, array in self._arrays.items()}
        scalars = {name: value.item() for name, value in self._scalars.items()}
        sizes = dict(self._plan.sizes)
        found = call_by_name(self._reference, {**sizes, **scalars, **copies, "sizes": sizes})
        outputs = [
            argument for argument in self.project.arguments if argument.role in ("output", "inout") and not argument.is_scalar
        ]
        if not isinstance(found, dict):
            raise WrongInput("The reference returned {kind}; a dict with every output was expected.", kind=type(found).__name__)
        answers = {output.name: _answer(found, output, sizes) for output in outputs}
        terms = {item.name: _numbers(found, f"{item.name}_terms") for item in outputs if f"{item.name}_terms" in found}
        return answers, terms

    def _judge(self, request: protocol.JudgeCase) -> protocol.Judged:
        assert self._plan is not None
        case = _Case(self.project, request, self._answers(request), self._arrays)
        controls: tuple[ControlResult, ...] = ()
        sensitivity: tuple[Sensitivity, ...] = ()
        if self._plan.purpose == "declared":
            self._declared = case
            controls = case.controls({"inputs": self._arrays})
        elif self._plan.purpose == "second seed" and self._declared is not None:
            controls = case.controls({"previous": self._declared.first})
            sensitivity = case.sensitivity(self._declared)
        return protocol.Judged(case.result(self._plan), case.invalid, case.error, controls, sensitivity)


def _numbers(found: Mapping[str, Any], name: str) -> Array:
    """Return one array of real numbers of the reference's answer. Raises WrongInput for anything else."""
    try:
        array = np.asarray(found[name])
    except (TypeError, ValueError) as error:
        raise WrongInput(
            "The reference gives {name}, which is no array: {text}; let it return NumPy arrays.", name=name, text=str(error)
        ) from error
    if array.dtype.kind not in "biuf":
        raise WrongInput("The reference gives {name} as {kind}; real numbers were expected.", name=name, kind=str(array.dtype))
    return array


def _answer(found: Mapping[str, Any], output: Argument, sizes: Mapping[str, int]) -> Array:
    """Return the right answer for one output, of its declared shape."""
    if output.name not in found:
        raise WrongInput("The reference returned no {name}; it must return a dict with every output.", name=output.name)
    array, wanted = _numbers(found, output.name), output.resolve_shape(sizes)
    if array.shape != wanted:
        raise WrongInput("The reference gives {name} the shape {given}; ledger.toml declares {wanted}.",
                         name=output.name, given=str(array.shape), wanted=str(wanted))  # fmt: skip
    return array


class _Case:
    """The outputs of one case beside the right answers."""

    def __init__(
        self, project: protocol.OpenProject, request: protocol.JudgeCase, right: tuple[Arrays, Arrays], inputs: Arrays
    ) -> None:
        answers, terms = right
        self.answers = answers
        self.first = {name: arrays.get(request.first[name]) for name in answers}
        self.second = {name: arrays.get(request.second[name]) for name in answers}
        self._dtypes = {argument.name: argument.dtype for argument in project.arguments}
        self._nan_inputs = any(nan_count(array, self._dtypes[name]) for name, array in inputs.items())
        self._tolerances = {name: Tolerance(*pair) for name, pair in project.tolerances.items()}
        self._compared: list[ArrayComparison] = [
            compare_arrays(
                outputs[name], answers[name], self._dtypes[name], self._tolerances[name], output=name, terms=terms.get(name)
            )
            for outputs in (self.first, self.second)
            for name in answers
        ]
        self._unwritten = sum(
            find_unwritten(self.first[name], self.second[name], poisons=request.patterns).count for name in answers
        )

    @property
    def invalid(self) -> int:
        """Reference elements that prove nothing: the output's dtype cannot hold them, or NaN where no input is NaN."""
        unheld = sum(one.invalid_reference for one in self._compared) // 2
        return unheld + (0 if self._nan_inputs else sum(nan_count(answer, answer.dtype.name) for answer in self.answers.values()))

    @property
    def error(self) -> float | None:
        """The largest float64 error of the first execution's outputs."""
        found = [float64_error(self.first[name], self.answers[name], self._dtypes[name]) for name in self.answers]
        return max((error for error in found if np.isfinite(error)), default=None)

    def result(self, plan: CasePlan) -> CaseResult:
        """Return the case as the session keeps it."""
        worst = [one.worst for one in self._compared if one.worst is not None]
        return CaseResult(
            sizes=dict(plan.sizes),
            distribution=plan.distribution,
            seed=plan.seed,
            passed=all(one.passed for one in self._compared) and self._unwritten == 0,
            worst=max(worst, key=_excess, default=None),
            wrong_elements=max((one.wrong for one in self._compared), default=0),
            elements=sum(one.elements for one in self._compared) // 2,
            unwritten=self._unwritten,
        )

    def controls(self, others: Mapping[str, Arrays]) -> tuple[ControlResult, ...]:
        """Judge the trivial answers by the same gate."""
        return tuple(
            result
            for name, answer in self.answers.items()
            for result in try_controls(
                name, answer, self._dtypes[name], self._tolerances[name],
                {kind: _alike(found, name) if kind == "previous" else found for kind, found in others.items()},
            )
        )  # fmt: skip

    def sensitivity(self, earlier: _Case) -> tuple[Sensitivity, ...]:
        """Return how the candidate followed the reference's change since an earlier case of the same shapes."""
        return tuple(
            input_sensitivity(
                (earlier.first[name], self.first[name]), (earlier.answers[name], answer),
                self._dtypes[name], self._tolerances[name], output=name,
            )
            for name, answer in self.answers.items()
            if earlier.answers[name].shape == answer.shape
        )  # fmt: skip


def _alike(found: Arrays, name: str) -> Arrays:
    return {name: found[name]} if name in found else {}


def _excess(worst: WorstElement) -> float:
    """How far over its tolerance an element is; an error that is no number counts most."""
    if not np.isfinite(worst.error):
        return float("inf")
    return worst.error / worst.allowed if worst.allowed > 0 else worst.error


if __name__ == "__main__":
    serve("judge", JudgeDesk)
