"""The program's side of a child: start it, call it within a limit, end it, and know how it ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TypedDict, TypeVar

import msgspec

from workbench.errors import Unavailable
from workbench.model.failure import Failure
from workbench.paths import cache_folder
from workbench.texts import Message
from workbench.worker import outcome, protocol
from workbench.worker.arena import Arena
from workbench.worker.import_root import import_root
from workbench.worker.priority import stand_back

Role = Literal["device", "judge"]
T = TypeVar("T")
ProgressCall = Callable[[Message, int, int], None]

_MODULES: dict[Role, str] = {"device": "workbench.worker", "judge": "workbench.worker.judge"}
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TMPDIR", "HOME", "LD_LIBRARY_PATH", "SYSTEMROOT", "CXX", "CUDA_PATH", "CUDA_HOME",
                   "CUDA_VISIBLE_DEVICES", "XDG_CACHE_HOME", "KERNEL_LEDGER_CACHE")  # fmt: skip
"""What a child sees of the user's environment: no keys, no tokens."""
START_LIMIT = 60.0
BREATH = 0.005
"""Seconds that the loop gets for other things before a process is made."""
LOG_LINES = 200
EXIT_WAIT = 1.0
"""Seconds a child gets to write down why it ends."""
LOG_WAIT = 2.0
"""Seconds to wait for the last words of a child that ended."""


class CallFailed(Exception):
    """A call ended with a failure instead of a result."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(str(failure.message))


class Child:
    """One child process. `alive` turns false for good once it died, was ended, or met a fault.

    One that `stands_back` has a lower priority than the window, with all that it starts.
    """

    def __init__(self, role: Role, interpreter: str | None = None, *, stands_back: bool = False) -> None:
        self.role = role
        self.alive = False
        self._stands_back = stands_back
        self.hello: protocol.Hello | None = None
        self._interpreter = interpreter
        self._arena: Arena | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._log: deque[str] = deque(maxlen=LOG_LINES)
        self._drain: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process id, None before it started."""
        return self._process.pid if self._process else None

    @property
    def log(self) -> str:
        """The last lines the child (or a kernel in it) printed."""
        return "\n".join(self._log)

    @property
    def arena(self) -> Path:
        """The folder for arrays, the child's working folder."""
        assert self._arena is not None
        return self._arena.path

    @property
    def fault_file(self) -> Path:
        """Where a dying child writes what happened."""
        return self.arena / "fault"

    async def start(self, turn: asyncio.Lock | None = None) -> Child:
        """Start the process and read its greeting. Raises Unavailable in one sentence.

        Children that share a `turn` are made one after the other, and the loop gets a breath before each: it stands still
        until a new process runs its own program.
        """
        interpreter = self._interpreter or sys.executable
        try:
            async with turn or contextlib.nullcontext():
                if turn is not None:
                    await asyncio.sleep(BREATH)
                self._arena = _make_arena()
                self._process = await asyncio.create_subprocess_exec(
                    interpreter, "-P", "-m", _MODULES[self.role],
                    stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
                    env=_environment(self._interpreter, self.fault_file), cwd=self.arena,
                    limit=2**20, **_apart(self._stands_back),
                )  # fmt: skip
        except OSError as error:
            self._remove_arena()
            raise Unavailable("The interpreter {path} cannot be started: {reason}; check [python] interpreter in ledger.toml.",
                              path=interpreter, reason=error.strerror or str(error)) from error  # fmt: skip
        except BaseException:
            self._remove_arena()
            raise
        self._drain = asyncio.create_task(self._read_log())
        if self._stands_back:
            stand_back(self._process.pid)
        try:
            async with asyncio.timeout(START_LIMIT):
                self.hello = protocol.check_hello(await self._receive(), Path(interpreter))
        except (TimeoutError, EOFError, ValueError, msgspec.MsgspecError) as error:
            await self.end()
            raise self._did_not_start(_last_line(self.log) or str(error)) from error
        except BaseException:
            await self.end()
            raise
        self.alive = True
        return self

    async def call(
        self, request: protocol.Request, kind: type[T], *, limit: float, step: str, progress: ProgressCall | None = None
    ) -> T:
        """Send a request and return its result.

        Raises CallFailed with TimedOut, Crashed or the child's own failure. The process is ended when it did not answer
        within `limit` seconds, died, or the caller was cancelled; it lives on after a failure that left the device sound.
        """
        try:
            async with asyncio.timeout(limit):
                reply = await self._exchange(request, progress)
        except TimeoutError:
            await self.end()
            raise CallFailed(outcome.timed_out(limit, step, self.role)) from None
        except (EOFError, ConnectionError, ValueError, msgspec.MsgspecError):
            await self._wait_for_exit()
            code = self._process.returncode if self._process else None
            failure = outcome.died(code, self.fault_file, self.log, self.role)
            await self.end()
            raise CallFailed(failure) from None
        except BaseException:
            await self.end()
            raise
        if reply.failure is not None:
            if reply.failure.kind in ("DeviceFault", "Crashed", "OutOfBounds"):
                await self.end()
            raise CallFailed(reply.failure)
        return protocol.decode_result(reply, kind)

    async def end(self) -> None:
        """End the process at once and remove its arena. Safe to call twice."""
        self.alive = False
        process = self._process
        if process is not None and process.returncode is None:
            _kill_group(process.pid)
            await process.wait()
        if self._drain is not None:
            # A program that the project left running may hold the log open.
            await asyncio.wait([self._drain], timeout=LOG_WAIT)
            self._drain.cancel()
            self._drain = None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            with contextlib.suppress(OSError):
                await process.stdin.wait_closed()
        self._remove_arena()

    def _did_not_start(self, reason: str) -> Unavailable:
        if self._interpreter is None:
            return Unavailable("A worker process did not start: {reason}.", reason=reason)
        return Unavailable(
            "The interpreter {path} of [python] cannot run the project's own Python: {reason}; it needs numpy and msgspec.",
            path=self._interpreter,
            reason=reason,
        )

    async def _exchange(self, request: protocol.Request, progress: ProgressCall | None) -> protocol.Reply:
        process = self._process
        if process is None or process.stdin is None or not self.alive:
            raise EOFError
        process.stdin.write(protocol.frame(request))
        await process.stdin.drain()
        while True:
            said = await self._receive()
            if isinstance(said, protocol.Reply):
                return said
            if isinstance(said, protocol.Progress) and progress is not None:
                progress(said.step, said.done, said.total)

    async def _receive(self) -> protocol.FromChild:
        assert self._process is not None
        assert self._process.stdout is not None
        header = await self._process.stdout.readexactly(protocol.HEADER)
        return protocol.decode_from_child(await self._process.stdout.readexactly(protocol.frame_length(header)))

    async def _read_log(self) -> None:
        assert self._process is not None
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(2**16):
            self._log.extend(chunk.decode("utf-8", "replace").splitlines())

    async def _wait_for_exit(self) -> None:
        """Wait for a child that closed its stream; what it left behind, a compiler for example, is ended then."""
        if self._process is not None:
            await self._exited(EXIT_WAIT)
            _kill_group(self._process.pid)
            await self._exited(5 * EXIT_WAIT)

    async def _exited(self, seconds: float) -> None:
        """Wait until the process and all that holds its pipes have ended, for this long at most."""
        assert self._process is not None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._process.wait()

    def _remove_arena(self) -> None:
        if self._arena is not None:
            self._arena.remove()


class _Apart(TypedDict, total=False):
    start_new_session: bool
    process_group: int


def _apart(stands_back: bool) -> _Apart:
    """Keep the terminal's keys from a child, and let it be ended together with what it started.

    A child that stands back stays in the window's session: with sched_autogroup_enabled Linux gives every session the same
    share, and a priority counts inside one only (man 7 sched, "The autogroup feature").
    """
    return {"process_group": 0} if stands_back else {"start_new_session": True}


def _make_arena() -> Arena:
    try:
        return Arena()
    except OSError as error:
        raise Unavailable(
            "No worker can start, because no temporary folder can be made ({reason}); free some space or set TMPDIR.",
            reason=error.strerror or str(error),
        ) from error


def _kill_group(pid: int) -> None:
    """Kill a child with what it started: a compiler, or programs of the project."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)


def _environment(interpreter: str | None, fault_file: Path) -> Mapping[str, str]:
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    kept["KERNEL_LEDGER_FAULT_FILE"] = str(fault_file)
    # The project's folder stays as it is, and imports are quick all the same.
    kept["PYTHONPYCACHEPREFIX"] = str(cache_folder() / "pycache")
    # Modules are loaded on the first use otherwise, inside a timed round.
    kept["CUDA_MODULE_LOADING"] = "EAGER"
    kept["PYTHONPATH"] = str(import_root()) if interpreter else os.pathsep.join(path for path in sys.path if path)
    return kept


def _last_line(log: str) -> str:
    lines = [line for line in log.splitlines() if line.strip()]
    return lines[-1] if lines else ""
