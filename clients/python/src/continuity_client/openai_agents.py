"""A session of OpenAI Agents that keeps its items as observations. It needs the extra ``openai-agents``."""

import asyncio
import hashlib
import json
import uuid
from typing import Any, Dict, List, Optional

from agents.memory.session import SessionABC

from ._async_client import AsyncClient
from ._errors import ServiceError

_TYPE = "agents-session"
_TEXT_EVIDENCE = {"name": "service.builtin.text-evidence", "version": "1"}
#: Longest text of an observation, in characters.
_MAX_TEXT = 200_000
#: Observations that are read at once.
_BATCH = 32


def _manifest(version: str, projections: List[Any]) -> Dict[str, Any]:
    fields = {"name": _TYPE, "version": version, "source_schema": {"type": "object"}, "projections": projections}
    canonical = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return {**fields, "fingerprint": f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"}


#: An observation has exactly the projections of its definition, so one without a text has a definition of its own.
_WITH_TEXT = _manifest("1", [{"key": _TEXT_EVIDENCE, "schema": {"type": "object"}}])
_WITHOUT_TEXT = _manifest("1-without-text", [])


class ContinuitySession(SessionABC):
    """The history of a session, which any process with its id can go on with.

    Each change is an observation ``<session_id>/<n>``: items that were added, an item that was popped, a clearing. So nothing is lost, and
    the service extracts Memory from what was said.
    """

    def __init__(self, session_id: str, client: AsyncClient, scope_id: str) -> None:
        self.session_id = session_id
        self.session_settings = None
        self._client = client
        self._scope = scope_id

    async def get_items(self, limit: Optional[int] = None) -> List[Any]:
        items = _replay(await self._read())
        return items if limit is None else items[len(items) - min(limit, len(items)) :]

    async def add_items(self, items: List[Any]) -> None:
        if items:
            await self._append({"change": "add", "items": items})

    async def pop_item(self) -> Optional[Any]:
        while True:
            changes = await self._read()
            items = _replay(changes)
            if not items:
                return None
            # If somebody else was first, another item is the last one.
            if await self._try({"change": "pop", "items": []}, len(changes) + 1):
                return items[-1]

    async def clear_session(self) -> None:
        await self._append({"change": "clear", "items": []})

    async def _read(self) -> List[Dict[str, Any]]:
        """All changes in their order: their numbers have no gap."""
        changes: List[Dict[str, Any]] = []
        while True:
            numbers = range(len(changes) + 1, len(changes) + 1 + _BATCH)
            batch = await asyncio.gather(*(self._get(number) for number in numbers))
            changes += [change for change in batch if change is not None]
            if batch[-1] is None:
                return changes

    async def _get(self, number: int) -> Optional[Dict[str, Any]]:
        request: Any = {
            "scope_id": self._scope,
            "source_type": _TYPE,
            "source_id": f"{self.session_id}/{number}",
        }
        try:
            record: Any = await self._client.get_source(request)
        except ServiceError as error:
            # In a tenant without any session, the type is not registered.
            is_unregistered = [one["path"] for one in error.details.get("issues", [])] == ["source_type"]
            if is_unregistered or error.code in ("source_not_found", "scope_not_found"):
                return None
            raise
        content: Dict[str, Any] = record["content"]
        return content

    async def _append(self, change: Dict[str, Any]) -> None:
        number = await self._last() + 1
        while not await self._try(change, number):
            number += 1

    async def _last(self) -> int:
        """The number of the last change, in a logarithmic number of requests: numbers have no gap."""
        beyond = 1
        while await self._get(beyond) is not None:
            beyond *= 2
        last = beyond // 2
        while last + 1 < beyond:
            middle = (last + beyond) // 2
            last, beyond = (last, middle) if await self._get(middle) is None else (middle, beyond)
        return last

    async def _try(self, change: Dict[str, Any], number: int) -> bool:
        """Writes a change under a number; False if it is taken. An id of its own keeps equal changes of two writers apart."""
        name = f"{self.session_id}/{number}"
        text = "\n\n".join(filter(None, map(_text_of, change["items"])))[:_MAX_TEXT]
        manifest = _WITH_TEXT if text.strip() else _WITHOUT_TEXT
        envelope = {
            "name": name,
            "definition_version": manifest["version"],
            "materialization": "captured",
            "description": None,
        }
        evidence = {"source_type": _TYPE, "source_id": name, "content": text, "metadata": {}}
        observation = {
            **envelope,
            "source_type": _TYPE,
            "definition_fingerprint": manifest["fingerprint"],
            "payload": {**envelope, "id": str(uuid.uuid4()), **change},
            "projections": [{"key": one["key"], "value": evidence} for one in manifest["projections"]],
        }
        try:
            await self._submit(manifest, {"scope_id": self._scope, "observation": _storable(observation)})
            return True
        except ServiceError as error:
            if error.code == "source_conflict":
                return False
            raise

    async def _submit(self, manifest: Any, request: Any) -> None:
        try:
            await self._client.submit_source_observation(request)
        except ServiceError as error:
            if error.code != "source_definition_not_found":
                raise
            await self._client.register_source_definition({"manifest": manifest})
            await self._client.submit_source_observation(request)


def _replay(changes: List[Dict[str, Any]]) -> List[Any]:
    items: List[Any] = []
    for change in changes:
        if change["change"] == "add":
            items += change["items"]
        else:
            items = items[:-1] if change["change"] == "pop" else []
    return items


def _text_of(item: Any) -> str:
    """What a person or a model said in an item; empty for calls and outputs of tools."""
    if not isinstance(item, dict) or item.get("role") not in ("user", "assistant"):
        return ""
    content = item.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))


def _storable(value: Any) -> Any:
    """The value with U+FFFD for what no Source can hold: NUL and lone surrogates."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_storable(key): _storable(one) for key, one in value.items()}
    return [_storable(one) for one in value] if isinstance(value, list) else value
