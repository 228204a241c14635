"""Building requests and reading answers, for the sync and the async client alike."""

import json
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, Optional, Union
from urllib.parse import quote, urlencode

import httpx

from ._errors import ServiceError, UnexpectedAnswer
from ._operation import Operation

DEFAULT_TIMEOUT = 60.0
DEFAULT_ATTEMPTS = 4


@dataclass(frozen=True)
class Options:
    """Options of a client; ``with_options`` changes some of them."""

    base_url: str
    token: Union[str, Callable[[], str], None] = None
    #: Seconds for a call with all its attempts and waits.
    timeout: float = DEFAULT_TIMEOUT
    #: Attempts of a call that is safe to repeat.
    max_attempts: int = DEFAULT_ATTEMPTS
    #: Headers of each attempt, such as W3C trace context.
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Entity tag: the write happens only if nobody changed the Artifact since.
    if_match: Optional[str] = None
    #: Key of a create that has no identity of its own. Default: a random one for each call.
    idempotency_key: Optional[str] = None
    #: Raises for an answer that breaks its type. ``continuity_client.check.check_answer`` is one.
    check_answer: Optional[Callable[[str, Any], None]] = None

    def bearer(self) -> Optional[str]:
        return self.token() if callable(self.token) else self.token


@dataclass(frozen=True)
class PreparedRequest:
    """A request that can be sent several times."""

    method: str
    url: str
    headers: Dict[str, str]
    content: Optional[bytes]


def prepare_request(options: Options, operation: Operation, request: Mapping[str, Any]) -> PreparedRequest:
    """Distributes the fields of a request over path, query and body."""
    rest = dict(request)
    segments = []
    for part in operation.path.split("/"):
        is_parameter = part.startswith("{")
        segments.append(_segment(part[1:-1], rest.pop(part[1:-1], None)) if is_parameter else part)
    query = {name: rest.pop(name) for name in operation.query if rest.get(name) is not None}
    url = options.base_url.rstrip("/") + "/".join(segments)
    if query:
        url = f"{url}?{urlencode(query)}"
    has_body = operation.method != "GET"
    headers = dict(options.headers)
    if has_body:
        headers["content-type"] = "application/json"
    if options.if_match is not None:
        headers["if-match"] = options.if_match
    if operation.repeat == "keyed":
        headers["idempotency-key"] = options.idempotency_key or str(uuid.uuid4())
    content = json.dumps(rest, ensure_ascii=False, allow_nan=False).encode() if has_body else None
    return PreparedRequest(operation.method, url, headers, content)


def with_token(headers: Mapping[str, str], token: Optional[str]) -> Dict[str, str]:
    return dict(headers) if token is None else {**headers, "authorization": f"Bearer {token}"}


def read_answer(options: Options, operation: Operation, response: httpx.Response) -> Any:
    """The body of a success. Raises ``ServiceError`` or ``UnexpectedAnswer``."""
    try:
        body = response.json()
    except ValueError:
        raise UnexpectedAnswer(response.status_code) from None
    if response.is_success:
        if options.check_answer is not None and response.status_code != 202:
            options.check_answer(operation.id, body)
        return body
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and isinstance(error.get("code"), str):
        raise ServiceError(error, response.status_code, response.headers)
    # Readiness answers 503 with its success shape.
    if operation.id == "get_readiness" and isinstance(body, dict):
        return body
    raise UnexpectedAnswer(response.status_code)


def job_result(job: Dict[str, Any]) -> Any:
    """The result of a job that has ended. Raises ``ServiceError`` with the error of one that failed."""
    if job["status"] == "succeeded":
        return job["result"]
    error = job["error"] or {"code": "job_cancelled", "message": f"The job ended as {job['status']}."}
    raise ServiceError(error, None, httpx.Headers())


def has_ended(job: Dict[str, Any]) -> bool:
    return job["status"] not in ("queued", "running")


def _segment(name: str, value: Any) -> str:
    text = "" if value is None else str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"{name}: {text!r} cannot be part of a path.")
    return quote(text, safe="")
