from typing import Any

import numpy.typing as npt

def erf(x: npt.ArrayLike) -> npt.NDArray[Any]: ...
