"""A server on this machine that speaks OpenAI's streaming protocol, with the faults that real ones have."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PIECES = ("Hypothesis: fewer loads.\n", "Metric: dram__bytes_read.sum\n", "done")
STATUS = {"wrong-key": 401, "quota": 429, "broken": 500, "unknown": 404, "too-long": 400}


class Server(ThreadingHTTPServer):
    """Answers by the model's name; keeps what it was sent, and can be held in the middle of an answer."""

    daemon_threads = False
    block_on_close = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[Mapping[str, str], dict[str, Any]]] = []
        self.go_on = threading.Event()
        self.left = threading.Event()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(({name.lower(): value for name, value in self.headers.items()}, body))
        model = body["model"]
        if model in STATUS:
            self._refuse(STATUS[model])
        elif model == "no-protocol":
            self._whole(200, "text/html", b"<html>a proxy's own page</html>")
        else:
            self._stream(model)

    def _refuse(self, status: int) -> None:
        key = self.headers.get("Authorization", "").removeprefix("Bearer ")
        error = {"error": {"message": f"said no to key {key}", "type": "x", "code": "x"}}
        self._whole(status, "application/json", json.dumps(error).encode())

    def _whole(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("x-should-retry", "false")
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, model: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for index, piece in enumerate(PIECES):
            if model == "held" and index == 1:
                self._wait_for_client_to_leave()
                return
            if model == "cut" and index == 2:
                self.close_connection = True
                self.connection.close()
                return
            self._event(self._chunk(piece, None))
        endings = {"long": "length", "filtered": "content_filter", "silent": None}
        reason = endings.get(model, "stop")
        if reason is not None:
            self._event(self._chunk("", reason))
        if model != "no-usage":
            usage = {"prompt_tokens": 12, "completion_tokens": 7, "total_tokens": 19}
            self._event({**self._chunk("", None), "choices": [], "usage": usage})
        if model != "silent":
            self._send(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _wait_for_client_to_leave(self) -> None:
        self.server.go_on.set()
        if self.connection.recv(1) == b"":
            self.server.left.set()
        self.close_connection = True

    def _chunk(self, text: str, reason: str | None) -> dict[str, Any]:
        delta = {"role": "assistant", "content": text}
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    def _event(self, value: Mapping[str, Any]) -> None:
        self._send(b"data: " + json.dumps(value).encode() + b"\n\n")

    def _send(self, content: bytes) -> None:
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()


@contextmanager
def openai_server() -> Iterator[Server]:
    """Run the server in a thread and end it."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
