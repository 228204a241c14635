import random
from typing import Optional

from ._errors import ConnectionFailed, ServiceError, UnexpectedAnswer
from ._operation import Operation
from ._operations import ERROR_RETRIES

_FIRST_DELAY = 0.1
_MAX_DELAY = 5.0
#: A longer ``Retry-After`` is raised, so that the caller decides.
_MAX_WAIT = 60


def delay_before_retry(failure: Exception, attempt: int, operation: Operation) -> Optional[float]:
    """Seconds until the next attempt, or None if the failure is final.

    The delay is exponential with full jitter, and at least ``Retry-After``. ``attempt`` counts from one.
    """
    if not _may_repeat(failure, operation.repeat != "unsafe"):
        return None
    jittered = random.random() * min(_MAX_DELAY, _FIRST_DELAY * 2 ** (attempt - 1))
    retry_after = failure.retry_after_seconds or 0 if isinstance(failure, ServiceError) else 0
    return None if retry_after > _MAX_WAIT else retry_after + jittered


def _may_repeat(failure: Exception, is_safe: bool) -> bool:
    if isinstance(failure, ConnectionFailed):
        return is_safe
    if isinstance(failure, UnexpectedAnswer):
        return is_safe and failure.status in (502, 503, 504)
    if not isinstance(failure, ServiceError):
        return False
    rule = ERROR_RETRIES.get(failure.code)
    if rule == "always":
        return True
    if rule == "if_repeatable":
        return is_safe
    # A job that was stored runs later: its result is waited for instead.
    return rule == "unless_stored" and failure.details.get("job_id") is None


def job_of(error: ServiceError) -> Optional[str]:
    """The job that goes on although its operation was answered with an error."""
    if error.code in ("job_timeout", "queue_unavailable"):
        return error.details.get("job_id")
    return None
