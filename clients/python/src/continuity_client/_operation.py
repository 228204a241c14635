from dataclasses import dataclass
from typing import Literal, Optional, Tuple


@dataclass(frozen=True)
class Operation:
    """What the client needs to know of an operation."""

    id: str
    method: str
    #: With ``{name}`` for path parameters.
    path: str
    #: Whether a repeat after a lost answer is safe: always, with an ``Idempotency-Key``, or never.
    repeat: Literal["safe", "keyed", "unsafe"]
    #: Names of query parameters.
    query: Tuple[str, ...] = ()
    #: The list in an answer with a cursor.
    items: Optional[str] = None
    #: A worker runs it.
    is_queued: bool = False
