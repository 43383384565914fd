"""From the driver's codes to failures: decided by the number, never by the words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cupy.cuda import driver, runtime

from workbench.plugin_api import Failure, Fault, Message, message

INVALID_VALUE = 1
OUT_OF_MEMORY = 2
INVALID_CONFIGURATION = 9
ILLEGAL_ADDRESS = 700
OUT_OF_RESOURCES = 701
LAUNCH_TIMEOUT = 702
ASSERT = 710
MISALIGNED = 716
INVALID_ADDRESS_SPACE = 717
"""What a wild global index reports when it lands in the window of shared or local memory (seen on an H200)."""
_REFUSED = {INVALID_VALUE, INVALID_CONFIGURATION, OUT_OF_RESOURCES}
_BINARY = {200, 209, 218, 222, 500}
"""CUDA_ERROR_INVALID_IMAGE, NO_BINARY_FOR_GPU, INVALID_PTX, UNSUPPORTED_PTX_VERSION, NOT_FOUND."""


def failure_of(code: int, detail: str) -> Failure:
    """Return the failure that a CUresult or cudaError_t stands for (the numbers are the same since CUDA 10.1)."""
    if code in _REFUSED:
        text = message(
            "The driver refused the launch (code {code}): grid, block, registers or shared memory are more than this GPU gives; "
            "make the block or the shared memory smaller.",
            code=code,
        )
        return Failure("LaunchRefused", text, detail=detail)
    if code in (ILLEGAL_ADDRESS, INVALID_ADDRESS_SPACE):
        text = message("The kernel touched an address outside every allocation; check its indices against the sizes.")
        return Failure("OutOfBounds", text, detail=detail)
    if code == LAUNCH_TIMEOUT:
        text = message("The driver ended the kernel because it ran longer than this GPU's display allows; make it shorter.")
        return Failure("TimedOut", text, detail=detail)
    if code in _BINARY:
        text = message("The driver cannot load this binary (code {code}); compile it for this GPU and this driver.", code=code)
        return Failure("NotSupported", text, detail=detail)
    return Failure("DeviceFault", _fault_text(code), detail=detail)


def _fault_text(code: int) -> Message:
    if code == MISALIGNED:
        return message(
            "The kernel used a misaligned address; a vector load or store needs an address that is a multiple of its width."
        )
    if code == ASSERT:
        return message("An assert in the kernel failed; the log holds its text.")
    if code == OUT_OF_MEMORY:
        return message("The GPU has no room for this; use smaller sizes or end other programs on it.")
    return message("The GPU reported error {code} and the worker that used it is replaced; the log holds its text.", code=code)


@contextmanager
def driver_faults() -> Iterator[None]:
    """Turn what the driver or the runtime reports inside into a Fault."""
    try:
        yield
    except (driver.CUDADriverError, runtime.CUDARuntimeError) as error:
        raise Fault(failure_of(error.status, str(error))) from error
