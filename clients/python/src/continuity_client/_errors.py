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
        #: Seconds of ``Retry-After``, bounded to 1 to 900; None where the answer has none.
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


#: Bounds of a delay that an answer asks for, in seconds: nobody can make a client spin or sleep for days.
_MIN_RETRY_AFTER = 1
_MAX_RETRY_AFTER = 900


def _seconds(text: Optional[str]) -> Optional[int]:
    """The service sends seconds. A date, which a proxy may send, is ignored."""
    if text is None or not (text.isascii() and text.isdecimal()):
        return None
    return _MAX_RETRY_AFTER if len(text) > 9 else min(_MAX_RETRY_AFTER, max(_MIN_RETRY_AFTER, int(text)))
