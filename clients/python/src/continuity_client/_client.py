import dataclasses
import time
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Type, Union

import httpx

from ._errors import ConnectionFailed, ServiceError
from ._operation import Operation
from ._operations import OPERATIONS, SyncOperations
from ._request import (
    DEFAULT_ATTEMPTS,
    DEFAULT_TIMEOUT,
    Options,
    PreparedRequest,
    has_ended,
    job_result,
    prepare_request,
    read_answer,
    with_token,
)
from ._retry import delay_before_retry, job_of

_FIRST_POLL = 0.2
_MAX_POLL = 5.0


class Client(SyncOperations):
    """A client of one service and one tenant. Use it as a context manager, or close it."""

    def __init__(
        self,
        base_url: str,
        *,
        token: Union[str, Callable[[], str], None] = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_attempts: int = DEFAULT_ATTEMPTS,
        headers: Optional[Mapping[str, str]] = None,
        check_answer: Optional[Callable[[str, Any], None]] = None,
    ) -> None:
        self._options = Options(
            base_url=base_url,
            token=token,
            timeout=timeout,
            max_attempts=max_attempts,
            headers=headers or {},
            check_answer=check_answer,
        )
        self._http = httpx.Client()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def with_options(self, **changes: Any) -> "Client":
        """The same client with other options, such as ``timeout``, ``if_match`` or ``idempotency_key``."""
        other = object.__new__(Client)
        other._options = dataclasses.replace(self._options, **changes)
        other._http = self._http
        return other

    def enqueue(self, operation_id: str, request: Mapping[str, Any]) -> Dict[str, Any]:
        """Starts a queued operation, and returns its job at once. ``wait_for_job`` returns its result."""
        waiting = self.with_options(headers={**self._options.headers, "prefer": "respond-async"})
        answer: Dict[str, Any] = waiting._send(OPERATIONS[operation_id], request, waiting._deadline())
        return answer

    def wait_for_job(self, job_id: str) -> Any:
        """Polls a job until it ends, and returns its result."""
        return self._wait_for_job(job_id, self._deadline())

    def _call(self, operation: Operation, request: Any) -> Any:
        deadline = self._deadline()
        try:
            return self._send(operation, request, deadline)
        except ServiceError as failure:
            job_id = job_of(failure)
            if job_id is None:
                raise
            return self._wait_for_job(job_id, deadline)

    def _each(self, operation: Operation, request: Any) -> Iterator[Any]:
        cursor: Any = None
        while True:
            page = self._call(operation, request if cursor is None else {**request, "cursor": cursor})
            yield from page[operation.items]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def _deadline(self) -> float:
        return time.monotonic() + self._options.timeout

    def _wait_for_job(self, job_id: str, deadline: float) -> Any:
        poll = _FIRST_POLL
        while True:
            job = self._send(OPERATIONS["get_job"], {"job_id": job_id}, deadline)
            if has_ended(job):
                return job_result(job)
            _sleep(poll, deadline)
            poll = min(_MAX_POLL, poll * 2)

    def _send(self, operation: Operation, request: Mapping[str, Any], deadline: float) -> Any:
        prepared = prepare_request(self._options, operation, request)
        attempt = 1
        while True:
            try:
                return read_answer(self._options, operation, self._attempt(prepared, deadline))
            except Exception as failure:
                last = attempt >= self._options.max_attempts
                delay = None if last else delay_before_retry(failure, attempt, operation)
                if delay is None:
                    raise
                _sleep(delay, deadline)
                attempt += 1

    def _attempt(self, prepared: PreparedRequest, deadline: float) -> httpx.Response:
        try:
            return self._http.request(
                prepared.method,
                prepared.url,
                headers=with_token(prepared.headers, self._options.bearer()),
                content=prepared.content,
                timeout=max(0.001, deadline - time.monotonic()),
            )
        except httpx.TransportError as cause:
            if time.monotonic() >= deadline:
                raise TimeoutError("The service did not answer in time.") from cause
            raise ConnectionFailed("The service did not answer.") from cause


def _sleep(seconds: float, deadline: float) -> None:
    if time.monotonic() + seconds > deadline:
        raise TimeoutError("The service did not answer in time.")
    time.sleep(seconds)
