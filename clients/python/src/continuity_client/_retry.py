import random
from typing import Optional

from ._errors import ConnectionFailed, ServiceError, UnexpectedAnswer
from ._operation import Operation

_FIRST_DELAY = 0.1
_MAX_DELAY = 5.0
#: A longer ``Retry-After`` is raised, so that the caller decides.
_MAX_WAIT = 60

#: Codes of what an operator has switched off: a repeat gets the same answer.
_SWITCHED_OFF = {"generation_unavailable", "handoff_generation_unavailable", "external_skill_registry_unavailable"}

#: Codes that say that nothing was done.
_REFUSED_BEFORE_WORK = {"rate_limited", "runtime_not_ready", "worker_unavailable"}


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
    if failure.code in _SWITCHED_OFF:
        return False
    if failure.code in _REFUSED_BEFORE_WORK:
        return True
    # A job that was stored runs later: its result is waited for instead.
    if failure.code == "job_timeout":
        return False
    if failure.code == "queue_unavailable":
        return "job_id" not in failure.details
    return is_safe and failure.status == 503


def job_of(error: ServiceError) -> Optional[str]:
    """The job that goes on although its operation was answered with an error."""
    if error.code in ("job_timeout", "queue_unavailable"):
        return error.details.get("job_id")
    return None
