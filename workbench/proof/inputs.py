"""What a candidate is tried on: boundary shapes, distributions and seeds (requirements B2 and B3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from workbench.model.project import Argument, Project

Array = npt.NDArray[Any]
Distribution = Literal["declared", "zeros", "ones", "small", "near overflow", "denormal"]
Purpose = Literal["declared", "shape", "values", "second seed"]


class CasePlan(msgspec.Struct, frozen=True):
    """One case to verify; sizes, distribution and seed are enough to make the same inputs again.

    `declared` is the project's own sizes and values (controls are judged there), `second seed` the same with other values.
    """

    sizes: Mapping[str, int]
    distribution: Distribution
    seed: int
    purpose: Purpose
    label: str = ""
    """Why these sizes: `smallest`, `block − 1`, `prime` ... (English id, shown through `tr`)."""


def plan_cases(project: Project, device_kind: str, block: tuple[int, int, int], seed: int | None = None) -> tuple[CasePlan, ...]:
    """Return the cases of a verification, the declared one first. `seed` None draws a secret one from the OS."""
    raise NotImplementedError


def make_inputs(arguments: Sequence[Argument], sizes: Mapping[str, int], plan: CasePlan) -> dict[str, Array]:
    """Return the arrays of role input and inout by name, in the declared dtype (bfloat16 as uint16 bits)."""
    raise NotImplementedError


def scalar_value(argument: Argument, sizes: Mapping[str, int]) -> np.generic:
    """Return a scalar argument in its dtype (bfloat16 as uint16 bits). Raises WrongInput when it does not fit."""
    raise NotImplementedError
