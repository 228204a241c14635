"""Client of the Context Continuity Service."""

from ._async_client import AsyncClient
from ._client import Client
from ._errors import ConnectionFailed, ServiceError, UnexpectedAnswer

__all__ = ["AsyncClient", "Client", "ConnectionFailed", "ServiceError", "UnexpectedAnswer"]
