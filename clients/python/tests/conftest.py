import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Optional, Any, Dict, Iterator, List

import pytest


class Scripted:
    """An HTTP server that answers its n-th request by the n-th step, and each further one by the last."""

    def __init__(self) -> None:
        self.steps: List[Dict[str, Any]] = []
        self.received: List[Dict[str, Any]] = []
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                scripted.received.append({"method": self.command, "path": self.path, "headers": headers, "body": body})
                step = scripted.steps[min(len(scripted.received), len(scripted.steps)) - 1]
                if step.get("cut"):
                    self.close_connection = True
                    self.connection.close()
                    return
                content = step.get("text", json.dumps(step.get("body", {}))).encode()
                self.send_response(step["status"])
                for name, value in step.get("headers", {}).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = answer

            def log_message(self, *_args: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    server = Scripted()
    yield server
    server.stop()


def refusal(status: int, code: str, details: Any = None, retry_after: Optional[int] = None) -> Dict[str, Any]:
    """An error answer of the service."""
    wait = {} if retry_after is None else {"retry-after": str(retry_after)}
    return {
        "status": status,
        "body": {"error": {"code": code, "message": f"{code}.", "details": details or {}}},
        "headers": {"x-service-request-id": "request-1", **wait},
    }
