"""A real HTTP server on loopback that speaks the OpenAI protocol out of a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

Said: TypeAlias = str | bytes | tuple[int, str] | None


class Scripted:
    """What the server answers, request by request (the last answer stays), and what it was asked.

    An answer is a text for the model to say, or a status and a body. `None` is never answered while the test runs;
    bytes are sent as they are, and then the connection is cut.
    """

    def __init__(self, *answers: Said) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.released = threading.Event()
        self.url = ""

    def next(self) -> Said:
        """The answer to the next request."""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def prompts(self) -> list[str]:
        """What the model was asked."""
        return [asked["messages"][0]["content"] for asked in self.asked]


@contextmanager
def serving(*answers: Said) -> Iterator[Scripted]:
    """A server with these answers while the block runs."""
    script = Scripted(*answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            script.asked.append(asked)
            script.headers.append({name.lower(): value for name, value in self.headers.items()})
            if self.path.endswith("/embeddings"):
                self._send(200, _vectors(asked["input"]))
                return
            answer = script.next()
            if answer is None:
                script.released.wait(20)
                return
            if isinstance(answer, bytes):
                self.wfile.write(answer)
                self.close_connection = True
                return
            status, body = answer if isinstance(answer, tuple) else (200, _said(answer))
            self._send(status, body)

        def _send(self, status: int, body: str) -> None:
            data = body.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield script
    finally:
        script.released.set()
        server.shutdown()
        server.server_close()


def _said(text: str) -> str:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return json.dumps(
        {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice]}
    )


def _vectors(texts: Sequence[str]) -> str:
    """Vectors that count letters."""
    rows = [
        {
            "object": "embedding",
            "index": at,
            "embedding": [float(text.count(letter)) + 0.1 for letter in "aeiorst"],
        }
        for at, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return json.dumps({"object": "list", "model": "scripted", "data": rows, "usage": usage})
