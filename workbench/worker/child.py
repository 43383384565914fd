"""What both kinds of child do: take the stream away from prints, greet, answer one call after another."""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import sys
import traceback
from collections.abc import Callable
from typing import BinaryIO, Protocol

from workbench.errors import LedgerError, WrongInput
from workbench.model.failure import Failure
from workbench.texts import Message, message
from workbench.worker import protocol
from workbench.worker.parent_watch import watch_parent


class Carries(Protocol):
    """An exception that holds the failure to report (`workbench.plugin_api.Fault`)."""

    failure: Failure


ProgressCall = Callable[[Message, int, int], None]


class Desk(Protocol):
    """Answers the requests of one role."""

    def answer(self, request: protocol.Request, progress: ProgressCall) -> object:
        """Return the result; raises Fault or LedgerError for what can go wrong."""


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep stdin and stdout for the protocol and point the public ones elsewhere: kernels and projects print."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return incoming, outgoing


def _refuse_terminal() -> None:
    """Let a project that asks on the terminal get an error: it would stop for ever, as a job in the background does."""
    if sys.platform != "win32":
        for name in (signal.SIGTTIN, signal.SIGTTOU):
            signal.signal(name, signal.SIG_IGN)


def _failure(error: BaseException) -> Failure:
    carried = getattr(error, "failure", None)
    if isinstance(carried, Failure):
        return carried
    detail = "".join(traceback.format_exception(error))
    if isinstance(error, LedgerError):
        return Failure("WrongInput" if isinstance(error, WrongInput) else "NotSupported", error.message, detail=detail)
    if isinstance(error, MemoryError):
        return Failure("Crashed", message("The worker ran out of memory; use smaller sizes for this device."), detail=detail)
    if isinstance(error, OSError) and error.strerror:
        text = message("The worker cannot use {file}: {reason}; check the space and the permissions there.",
                       file=str(error.filename or "its files"), reason=error.strerror)  # fmt: skip
        return Failure("Crashed", text, detail=detail)
    text = message(
        "The worker stopped on {error}: {text}; the log has its traceback.",
        error=type(error).__name__,
        text=str(error) or "no further words",
    )
    return Failure("Crashed", text, detail=detail)


def serve(role: str, make_desk: Callable[[], Desk]) -> None:
    """Serve until the stream ends. Never returns an exception to the program: failures are values."""
    incoming, outgoing = _private_streams()
    _refuse_terminal()
    leave = watch_parent(incoming.fileno())

    def send(value: protocol.FromChild) -> None:
        outgoing.write(protocol.frame(value))
        outgoing.flush()

    def progress(step: Message, done: int, total: int) -> None:
        send(protocol.Progress(step, done, total))

    # A killed program takes its end of both streams along: a write that finds nobody ends as the end of the requests does.
    with contextlib.suppress(BrokenPipeError):
        send(protocol.Hello(protocol.PROTOCOL, os.getpid(), role, platform.python_version()))
        desk = make_desk()
        while (request := protocol.read_request(incoming)) is not None:
            try:
                reply = protocol.result_of(desk.answer(request, progress))
            except BaseException as error:
                reply = protocol.Reply(failure=_failure(error))
            send(reply)
    sys.stderr.flush()
    leave()
    # A kernel's thread may still be spinning: do not wait for it.
    os._exit(0)
