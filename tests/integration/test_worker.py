"""The worker as a process: greeting, limits, cancel, death, replacement."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import sys
from pathlib import Path

import pytest

from tests.helpers.projects import SAXPY, bench, make_project
from workbench.engine import engine
from workbench.errors import Unavailable
from workbench.model.device import DeviceInfo
from workbench.model.project_file import code_of
from workbench.model.source import SourceText
from workbench.worker import protocol
from workbench.worker.client import CallFailed, Child
from workbench.worker.priority import NICE

HANG = SAXPY.replace("out[i] = a * x[i] + y[i];", "volatile float* p = out; while (p[0] != 1234.5f) { }")


async def test_a_judge_greets_and_ends_without_a_trace() -> None:
    child = await Child("judge").start()
    assert child.hello is not None
    assert child.hello.role == "judge"
    arena, pid = child.arena, child.pid
    await child.end()
    assert not arena.exists()
    assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_child_of_another_protocol_is_refused_with_both_numbers(tmp_path: Path) -> None:
    script = tmp_path / "old-worker"
    hello = "p.frame(p.Hello(99, 1, 'device', '3.0'))"
    body = f"import sys; from workbench.worker import protocol as p; sys.stdout.buffer.write({hello})"
    script.write_text(f"{body}\n")
    wrapper = tmp_path / "python"
    wrapper.write_text(f'#!/bin/sh\nPYTHONPATH="{os.pathsep.join(sys.path)}" exec "{sys.executable}" "{script}"\n')
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IEXEC)
    with pytest.raises(Unavailable, match=r".*") as refused:
        await Child("judge", str(wrapper)).start()
    assert "99" in str(refused.value)
    assert str(protocol.PROTOCOL) in str(refused.value)


async def test_an_interpreter_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(Unavailable, match="cannot be started"):
        await Child("judge", "/nowhere/python").start()


async def test_a_child_that_is_killed_in_a_call_is_crashed_and_a_new_one_works(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p")
    async with bench(project) as on:
        device = on.context.plugins.find_device("emulator")
        request = protocol.Compile(code_of(project, SourceText(SAXPY)), str(tmp_path / "c"), "kernel.cu")
        async with on.context.pool.worker(device) as worker:
            call = asyncio.create_task(worker.child.call(request, protocol.Binary, limit=60, step="compile"))
            await asyncio.sleep(0.05)
            assert worker.child.pid is not None
            os.kill(worker.child.pid, signal.SIGKILL)
            with pytest.raises(CallFailed) as ended:
                await call
            assert ended.value.failure.kind == "Crashed"
            assert "SIGKILL" in str(ended.value.failure.message)
        async with on.context.pool.worker(device) as worker:
            binary = await worker.child.call(request, protocol.Binary, limit=60, step="compile")
        assert binary.symbol


async def test_a_hung_kernel_is_ended_at_its_limit_and_the_next_run_works(tmp_path: Path) -> None:
    toml = make_project(tmp_path / "p").folder.joinpath("ledger.toml").read_text() + "[limits]\nlaunch = 1.5\n"
    project = make_project(tmp_path / "p", toml=toml)
    async with bench(project) as on:
        await on.run(None, "compile", "verify")
        hung = await on.run(HANG, "compile", "verify")
        assert hung.failure is not None
        assert hung.failure.kind == "TimedOut"
        assert "1.5 s" in str(hung.failure.message)
        after = await on.run(SAXPY.replace("a * x[i]", "x[i] * a"), "compile", "verify")
        assert after.failure is None


async def test_a_cancelled_run_ends_its_worker_at_once(tmp_path: Path) -> None:
    project = make_project(tmp_path / "p")
    async with bench(project) as on:
        await on.run(None, "compile", "verify")
        task = asyncio.create_task(on.run(HANG, "compile", "verify"))
        await on.said("Verifying candidate")
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        after = await on.run(None, "compile", "verify")
        assert after.failure is None


async def test_children_that_were_foreseen_are_taken_and_failed_starts_are_not(tmp_path: Path) -> None:
    async with engine() as context:
        first, second = await asyncio.gather(*context.pool.foresee_judges(count=2))
        async with context.pool.judge(None) as taken:
            assert taken is first
        again = context.pool.foresee_judges(count=2)
        assert again[0].result() is second
        for task in again:
            task.cancel()
        await asyncio.wait(again)
        assert len(context.pool.foresee_judges()) == 1
        (bad,) = context.pool.foresee_judges(str(tmp_path / "nowhere"))
        await asyncio.wait([bad])
        with pytest.raises(Unavailable, match="cannot be started"):
            async with context.pool.judge(str(tmp_path / "nowhere")):
                pass
    assert not second.alive


async def test_behind_a_window_judges_and_emulator_workers_stand_back_but_a_gpu_worker_does_not() -> None:
    gpu, emulator = DeviceInfo("cuda:0", "a GPU", "cuda"), DeviceInfo("emulator", "the emulator", "emulator")
    async with engine() as context:
        alone = await context.pool.foresee_judges()[0]
        assert _steps_below(alone) == 0, "without a window nothing is lowered"
        context.pool.behind_window = True
        for task in (*context.pool.foresee_judges(), *context.pool.foresee_workers(emulator, 1)):
            child = await task
            assert _steps_below(child) == NICE
            assert child.pid is not None
            assert os.getsid(child.pid) == os.getsid(0), "a priority counts inside one session only"
            assert os.getpgid(child.pid) == child.pid, "what it starts ends with it"
        timed = await context.pool.foresee_workers(gpu, 1)[0]
        assert _steps_below(timed) == 0


def _steps_below(child: Child) -> int:
    assert child.pid is not None
    return os.getpriority(os.PRIO_PROCESS, child.pid) - os.getpriority(os.PRIO_PROCESS, 0)
