"""Checks answers against their types, for tests. Needs ``pip install continuity-client[check]``."""

from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from . import _types


def check_answer(operation_id: str, body: Any) -> None:
    """Raises ``pydantic.ValidationError`` for an answer that breaks its type. For ``check_answer`` of a client."""
    _adapter(operation_id).validate_python(body, strict=True)


@lru_cache(maxsize=None)
def _adapter(operation_id: str) -> "TypeAdapter[Any]":
    name = "".join(part.capitalize() for part in operation_id.split("_"))
    return TypeAdapter(getattr(_types, f"{name}Answer"))
