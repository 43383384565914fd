from typing import Any

import numpy.typing as npt
from scipy.sparse import coo_array, csr_array

Array = npt.NDArray[Any]

def connected_components(csgraph: Array | coo_array | csr_array, directed: bool = ...) -> tuple[int, Array]: ...
def shortest_path(
    csgraph: Array | coo_array | csr_array, *, unweighted: bool = ..., indices: int = ..., return_predecessors: bool = ...
) -> Any: ...
