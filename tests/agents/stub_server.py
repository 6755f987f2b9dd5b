"""A local HTTP server that answers chat requests as a test tells it to, and keeps what it was sent."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """What the server sends: a status, headers, and a body (bytes as they are, other values as JSON)."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0

    def encoded(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


def chat(text: Any = "", *, calls: Any = None, finish: str = "stop", **message: Any) -> Answer:
    """Return an ordinary answer."""
    said = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {}), **message}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return Answer({"choices": [{"index": 0, "message": said, "finish_reason": finish}], "usage": usage})


class StubServer:
    """Serves on a port of its own until ``close``.

    Args:
        script: Answers in turn, the last one for ever; or a function of the request's body.
    """

    def __init__(self, *script: Answer | Callable[[dict[str, Any]], Answer]) -> None:
        self.script = list(script)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.under_way = self.most_under_way = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer.handle(self)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self._lock:
            self.requests.append(body)
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        if not isinstance(answer, Answer):
            answer = answer(body)
        time.sleep(answer.delay)
        with self._lock:
            self.under_way -= 1
        data = answer.encoded()
        try:
            handler.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                handler.send_header(name, value)
            if "Content-Length" not in answer.headers:
                handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data)
        except OSError:  # the client has left
            pass
        if "Content-Length" in answer.headers:
            handler.close_connection = True

    def close(self) -> None:
        if not self._thread.is_alive():
            return
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
