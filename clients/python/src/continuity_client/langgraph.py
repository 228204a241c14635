"""A store of LangGraph that keeps its items as Memory entries. It needs the extra ``langgraph``."""

import asyncio
import hashlib
import json
import operator
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple
from urllib.parse import quote, unquote

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, MatchCondition, Op, PutOp, Result
from langgraph.store.base import SearchItem, SearchOp

from ._client import Client
from ._errors import ServiceError

#: Scopes below the prefix that a search reads at most, and hits of each.
_MAX_SCOPES = 16
_MAX_HITS = 50
_MAX_KIND = 128
_MAX_TEXT_BYTES = 8192
#: How often a write is tried again after somebody else has changed its entry.
_MAX_TRIES = 10


class ContinuityStore(BaseStore):
    """A namespace is the Scope ``<prefix>:a/b``, an item an entry of the kind ``lg:<key>``, with key and value as its text.

    An item has at most 8,192 bytes of JSON. ``ttl`` and ``index`` are refused: the service keeps entries until they are deleted, and
    indexes them whole. A search reads at most 16 namespaces below its prefix.
    """

    def __init__(self, client: Client, prefix: str = "langgraph") -> None:
        self._client = client
        self._prefix = prefix

    def batch(self, ops: Iterable[Op]) -> List[Result]:
        return [self._run(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> List[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _run(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            entry = self._find(self._scope_of(op.namespace), op.key)
            return None if entry is None else Item(**_fields(op.namespace, entry))
        if isinstance(op, PutOp):
            self._put(op)
            return None
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._list_namespaces(op)
        raise TypeError(f"{type(op).__name__} is no operation of a store.")

    def _scope_of(self, namespace: Tuple[str, ...]) -> str:
        return f"{self._prefix}:" + "/".join(quote(part, safe="") for part in namespace)

    def _namespace_of(self, scope: str) -> Tuple[str, ...]:
        return tuple(unquote(part) for part in scope[len(self._prefix) + 1 :].split("/"))

    def _entries(self, scope: str, kind: Optional[str] = None) -> Iterator[Dict[str, Any]]:
        """The active entries of items, the newest first; none for a Scope that nothing was put into."""
        request: Any = {"scope_id": scope, "kind": kind, "order": "newest"}
        try:
            for entry in self._client.each_list_memory_entries(request):
                if entry["kind"].startswith("lg:"):
                    yield entry
        except ServiceError as error:
            if error.code != "scope_not_found":
                raise

    def _find(self, scope: str, key: str) -> Optional[Dict[str, Any]]:
        found = (entry for entry in self._entries(scope, _kind_of(key)) if _content(entry)["key"] == key)
        return next(found, None)

    def _put(self, op: PutOp) -> None:
        if op.index not in (None, False) or op.ttl is not None:
            raise ValueError("A ContinuityStore has neither ttl nor index.")
        scope, kind = self._scope_of(op.namespace), _kind_of(op.key)
        for _ in range(_MAX_TRIES):
            entry = None if op.value is None else self._find(scope, op.key)
            try:
                if op.value is not None:
                    return self._write(scope, kind, entry, _text_of(op.key, op.value))
                return self._delete(scope, op.key)
            except ServiceError as error:
                # Somebody else has written the entry since: the last write wins.
                if error.code not in ("revision_conflict", "memory_entry_inactive"):
                    raise
        raise RuntimeError(f"Others change {op.key!r} all the time.")

    def _write(self, scope: str, kind: str, entry: Optional[Dict[str, Any]], text: str) -> None:
        if entry is None:
            self._client.remember_memory({"scope_id": scope, "kind": kind, "text": text})
            # Of two writers that found nothing, the later one stays.
            for older in list(self._entries(scope, kind))[1:]:
                if _content(older)["key"] == json.loads(text)["key"]:
                    self._retire(scope, older)
        elif entry["text"] != text:
            change: Any = {"scope_id": scope, "citation": entry["citation"], "kind": kind, "text": text}
            self._client.revise_memory_entry(change)

    def _delete(self, scope: str, key: str) -> None:
        for entry in list(self._entries(scope, _kind_of(key))):
            if _content(entry)["key"] == key:
                self._retire(scope, entry)

    def _retire(self, scope: str, entry: Dict[str, Any]) -> None:
        request: Any = {"scope_id": scope, "citation": entry["citation"]}
        try:
            self._client.retire_memory_entry(request)
        except ServiceError as error:
            if error.code != "memory_entry_inactive":
                raise

    def _search(self, op: SearchOp) -> List[SearchItem]:
        found: List[SearchItem] = []
        for scope in self._scopes(op.namespace_prefix)[:_MAX_SCOPES]:
            namespace = self._namespace_of(scope)
            if op.query:
                request: Any = {"scope_id": scope, "query": op.query, "limit": _MAX_HITS}
                hits: Iterable[Any] = self._client.search_memory(request)["hits"]
            else:
                hits = self._entries(scope)
            items = [SearchItem(**_fields(namespace, hit), score=hit.get("score")) for hit in hits if _is_item(hit)]
            found += [item for item in items if _matches(item.value, op.filter)]
        found.sort(key=lambda item: (-(item.score or 0), -item.updated_at.timestamp()))
        return found[op.offset : op.offset + op.limit]

    def _scopes(self, prefix: Tuple[str, ...] = ()) -> List[str]:
        start = self._scope_of(prefix)
        below = start if not prefix else f"{start}/"
        scopes = (scope["scope_id"] for scope in self._client.each_list_scopes({"search": start}))
        return [scope for scope in scopes if scope == start or scope.startswith(below)]

    def _list_namespaces(self, op: ListNamespacesOp) -> List[Tuple[str, ...]]:
        used = [scope for scope in self._scopes() if next(self._entries(scope), None) is not None]
        namespaces = (self._namespace_of(scope) for scope in used)
        matching = (one for one in namespaces if all(_has(one, condition) for condition in op.match_conditions or ()))
        cut = sorted({one[: op.max_depth] if op.max_depth else one for one in matching})
        return cut[op.offset : op.offset + op.limit]


def _kind_of(key: str) -> str:
    kind = f"lg:{key}"
    return kind if len(kind) <= _MAX_KIND else f"lg:{hashlib.sha256(key.encode()).hexdigest()}"


def _text_of(key: str, value: Dict[str, Any]) -> str:
    text = json.dumps({"key": key, "value": value}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if len(text.encode()) > _MAX_TEXT_BYTES:
        raise ValueError(f"An item has at most {_MAX_TEXT_BYTES} bytes of JSON; {key!r} has more.")
    return text


def _content(entry: Dict[str, Any]) -> Dict[str, Any]:
    content: Dict[str, Any] = json.loads(entry["text"])
    return content


def _is_item(hit: Dict[str, Any]) -> bool:
    """Whether a hit is an item: a Scope can have other entries too, whose kind a hit does not show."""
    try:
        return set(json.loads(hit["text"])) == {"key", "value"}
    except (TypeError, ValueError):
        return False


def _fields(namespace: Tuple[str, ...], entry: Dict[str, Any]) -> Dict[str, Any]:
    citation = entry["citation"]
    times = {"created_at": _time_of(citation["entry_id"]), "updated_at": _time_of(citation["entry_version_id"])}
    return {"namespace": namespace, **_content(entry), **times}


def _time_of(uuid7: str) -> datetime:
    return datetime.fromtimestamp(int(uuid7.replace("-", "")[:12], 16) / 1000, timezone.utc)


_COMPARISONS: Dict[str, Callable[[Any, Any], bool]] = {f"${name}": getattr(operator, name) for name in ("eq", "ne", "gt", "lt")}
_COMPARISONS.update({"$gte": operator.ge, "$lte": operator.le})


def _matches(value: Dict[str, Any], conditions: Optional[Dict[str, Any]]) -> bool:
    for field, wanted in (conditions or {}).items():
        is_operator = isinstance(wanted, dict) and any(name.startswith("$") for name in wanted)
        for name, other in (wanted if is_operator else {"$eq": wanted}).items():
            if name not in _COMPARISONS:
                raise ValueError(f"{name} is no operator of a filter.")
            if name not in ("$eq", "$ne") and value.get(field) is None:
                return False
            if not _COMPARISONS[name](value.get(field), other):
                return False
    return True


def _has(namespace: Tuple[str, ...], condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return len(part) == len(path) and all(wanted in ("*", own) for own, wanted in zip(part, path))
