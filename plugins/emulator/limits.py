"""The limits of a GPU that a launch is held to, those of sm_90 (CUDA C++ Programming Guide, technical specifications)."""

from __future__ import annotations

from workbench.plugin_api import Failure, Fault, ResolvedLaunch, message

MAX_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_STATIC_SHARED = 48 * 1024
MAX_SHARED = 227 * 1024
"""Static and dynamic together, with opt-in."""


def _refused(sentence: str, **numbers: str | int) -> Fault:
    return Fault(Failure("LaunchRefused", message(sentence, **numbers)))


def check_launch(launch: ResolvedLaunch, static_shared: int, launch_bound: int | None) -> None:
    """Raise Fault(LaunchRefused) for a launch that a GPU would refuse."""
    threads = launch.threads_per_block
    if threads > MAX_THREADS:
        raise _refused("The launch asks for {asked} threads per block; the limit is {limit}.", asked=threads, limit=MAX_THREADS)
    if launch_bound is not None and threads > launch_bound:
        raise _refused(
            "The launch asks for {asked} threads per block; the kernel's __launch_bounds__ allows {limit}.",
            asked=threads,
            limit=launch_bound,
        )
    for axis, asked, limit in zip("xyz", launch.block, MAX_BLOCK, strict=True):
        if asked > limit:
            raise _refused(
                "The launch asks for a block of {asked} in {axis}; the limit is {limit}.", asked=asked, axis=axis, limit=limit
            )
    for axis, asked, limit in zip("xyz", launch.grid, MAX_GRID, strict=True):
        if asked > limit:
            raise _refused(
                "The launch asks for a grid of {asked} in {axis}; the limit is {limit}.", asked=asked, axis=axis, limit=limit
            )
    if static_shared > MAX_STATIC_SHARED:
        raise _refused(
            "The kernel declares {asked} bytes of static shared memory; the limit is {limit} (use dynamic shared "
            "memory for more).",
            asked=static_shared, limit=MAX_STATIC_SHARED,
        )  # fmt: skip
    total = static_shared + launch.shared_bytes
    if total > MAX_SHARED:
        raise _refused(
            "The launch needs {asked} bytes of shared memory per block; the limit is {limit}.", asked=total, limit=MAX_SHARED
        )
