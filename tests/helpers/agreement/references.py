"""What NumPy says about the kernels of the agreement set, worked out independently of their code, in float64."""

from __future__ import annotations

from collections.abc import Mapping

from tests.helpers.agreement.references_algebra import ALGEBRA
from tests.helpers.agreement.references_basic import BASIC, Reference
from tests.helpers.agreement.references_codes import CODES
from tests.helpers.agreement.references_fields import FIELDS
from tests.helpers.agreement.references_learning import LEARNING

REFERENCES: Mapping[str, Reference] = {**BASIC, **ALGEBRA, **LEARNING, **FIELDS, **CODES}
"""Kernel name -> (arguments by name -> results by name)."""
