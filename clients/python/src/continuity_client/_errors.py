from typing import Any, Dict, Optional

import httpx


class ServiceError(Exception):
    """A refusal of the service."""

    def __init__(self, error: Dict[str, Any], status: Optional[int], headers: httpx.Headers) -> None:
        super().__init__(f"{error['message']} ({error['code']})")
        #: Code of the contract, such as ``revision_conflict``.
        self.code: str = error["code"]
        self.message: str = error["message"]
        self.details: Dict[str, Any] = error.get("details") or {}
        #: HTTP status; None for the error of a job.
        self.status = status
        #: ``X-Service-Request-ID`` of the answer, for the operator of the service.
        self.request_id = headers.get("x-service-request-id")
        #: Seconds of ``Retry-After``, where the answer has it.
        self.retry_after_seconds = _seconds(headers.get("retry-after"))


class ConnectionFailed(Exception):
    """No answer came: the connection failed, broke or timed out."""


class UnexpectedAnswer(Exception):
    """An answer that is not of the service, such as the page of a proxy."""

    def __init__(self, status: int) -> None:
        super().__init__(
            f"HTTP {status} without an answer of the service. Check the base URL and proxies in between."
        )
        self.status = status


def _seconds(text: Optional[str]) -> Optional[int]:
    return int(text) if text is not None and text.isdecimal() and len(text) < 10 else None
