import asyncio
import json
from typing import Any

import pytest
from conftest import Scripted, refusal

from continuity_client import AsyncClient, Client, ConnectionFailed, ServiceError, UnexpectedAnswer

OK = {"status": 200, "body": {"hits": []}}
SEARCH = {"scope_id": "s", "query": "q"}
APPROVE: Any = {"scope_id": "s", "candidate_id": "c", "expected_version": 1}


def test_a_request_is_distributed_over_path_query_and_body(scripted: Scripted) -> None:
    scripted.steps = [{"status": 200, "body": {}}]
    with Client(f"{scripted.url}/proxied/", token="t") as client:
        client.get_source({"scope_id": "a/b", "source_type": "content", "source_id": "ü"})
        client.list_scopes({"limit": "5"})
        client.with_options(idempotency_key="k").create_source({"scope_id": "s", "content": {"a": 1}})
    assert [(one["method"], one["path"], one["body"]) for one in scripted.received] == [
        ("GET", "/proxied/v1/scopes/a%2Fb/sources/content/%C3%BC", ""),
        ("GET", "/proxied/v1/scopes?limit=5", ""),
        ("POST", "/proxied/v1/scopes/s/sources", '{"content": {"a": 1}}'),
    ]
    assert scripted.received[2]["headers"]["idempotency-key"] == "k"
    assert scripted.received[0]["headers"]["authorization"] == "Bearer t"


@pytest.mark.parametrize("scope_id", ["", ".", ".."])
def test_an_id_that_no_url_carries_is_refused(scripted: Scripted, scope_id: str) -> None:
    with Client(scripted.url) as client, pytest.raises(ValueError):
        client.get_scope({"scope_id": scope_id})


def test_a_refusal_has_code_details_and_request_id(scripted: Scripted) -> None:
    scripted.steps = [refusal(422, "invalid_request", {"issues": [{"path": "query", "message": "is blank"}]})]
    with Client(scripted.url) as client, pytest.raises(ServiceError) as caught:
        client.search_memory(SEARCH)
    error = caught.value
    assert (error.code, error.status, error.request_id) == ("invalid_request", 422, "request-1")
    assert error.details["issues"][0]["path"] == "query"
    assert len(scripted.received) == 1


def test_a_safe_call_survives_a_cut_and_a_503(scripted: Scripted) -> None:
    scripted.steps = [{"cut": True}, refusal(503, "database_unavailable"), {"status": 502, "text": "<html>"}, OK]
    with Client(scripted.url) as client:
        assert client.search_memory(SEARCH) == {"hits": []}
    assert len(scripted.received) == 4


def test_an_unsafe_call_is_sent_once(scripted: Scripted) -> None:
    scripted.steps = [{"cut": True}]
    with Client(scripted.url) as client, pytest.raises(ConnectionFailed):
        client.approve_artifact_candidate(APPROVE)
    assert len(scripted.received) == 1


def test_an_unsafe_call_that_was_refused_before_work_is_repeated(scripted: Scripted) -> None:
    scripted.steps = [refusal(429, "rate_limited"), OK]
    with Client(scripted.url) as client:
        client.approve_artifact_candidate(APPROVE)
    assert len(scripted.received) == 2


def test_a_create_repeats_with_one_key(scripted: Scripted) -> None:
    scripted.steps = [{"cut": True}, {"status": 201, "body": {}}]
    with Client(scripted.url) as client:
        client.create_source({"scope_id": "s", "content": 1})
    first, second = (one["headers"]["idempotency-key"] for one in scripted.received)
    assert first == second


def test_a_retry_after_of_over_a_minute_is_raised(scripted: Scripted) -> None:
    scripted.steps = [refusal(429, "rate_limited", retry_after=61), OK]
    with Client(scripted.url) as client, pytest.raises(ServiceError) as caught:
        client.search_memory(SEARCH)
    assert caught.value.retry_after_seconds == 61


@pytest.mark.parametrize(("sent", "seconds"), [(0, 1), (2_000_000, 900), (10**40, 900)])
def test_a_retry_after_counts_between_a_second_and_15_minutes(scripted: Scripted, sent: int, seconds: int) -> None:
    scripted.steps = [refusal(404, "not_found", retry_after=sent)]
    with Client(scripted.url) as client, pytest.raises(ServiceError) as caught:
        client.search_memory(SEARCH)
    assert caught.value.retry_after_seconds == seconds


def test_the_time_limit_covers_all_attempts(scripted: Scripted) -> None:
    scripted.steps = [refusal(503, "runtime_not_ready", retry_after=30)]
    with Client(scripted.url, timeout=0.5) as client, pytest.raises(TimeoutError):
        client.search_memory(SEARCH)


def test_the_page_of_a_proxy_is_unexpected(scripted: Scripted) -> None:
    scripted.steps = [{"status": 404, "text": "<html>"}]
    with Client(scripted.url) as client, pytest.raises(UnexpectedAnswer):
        client.search_memory(SEARCH)


def test_an_iterator_yields_the_items_of_all_pages(scripted: Scripted) -> None:
    pages = [{"memory": None, "entries": [1, 2], "next_cursor": "c"}, {"memory": None, "entries": [3], "next_cursor": None}]
    scripted.steps = [{"status": 200, "body": page} for page in pages]
    with Client(scripted.url) as client:
        assert list(client.each_list_memory_entries({"scope_id": "s"})) == [1, 2, 3]
    assert json.loads(scripted.received[1]["body"]) == {"scope_id": "s", "cursor": "c"}


def test_what_the_operator_switched_off_is_final(scripted: Scripted) -> None:
    scripted.steps = [refusal(503, "generation_unavailable", {"family": "skill"})]
    with Client(scripted.url) as client, pytest.raises(ServiceError) as caught:
        client.search_memory(SEARCH)
    assert caught.value.code == "generation_unavailable"
    assert len(scripted.received) == 1


def test_a_job_that_outlasts_the_gateway_is_waited_for(scripted: Scripted) -> None:
    job = {"job_id": "j", "result": None, "error": None}
    scripted.steps = [
        refusal(503, "job_timeout", {"job_id": "j"}),
        {"status": 200, "body": {**job, "status": "running"}},
        {"status": 200, "body": {**job, "status": "succeeded", "result": {"status": "idle"}}},
    ]
    with Client(scripted.url) as client:
        assert client.flush_memory({"scope_id": "s"}) == {"status": "idle"}


def test_a_job_that_failed_raises_its_error(scripted: Scripted) -> None:
    error = {"code": "inference_unavailable", "message": "Down.", "details": {}}
    job = {"job_id": "j", "status": "failed", "result": None, "error": error}
    scripted.steps = [{"status": 200, "body": job}]
    with Client(scripted.url) as client, pytest.raises(ServiceError) as caught:
        client.wait_for_job("j")
    assert caught.value.code == "inference_unavailable"


def test_the_async_client_repeats_and_iterates(scripted: Scripted) -> None:
    pages = [{"entries": [1], "next_cursor": "c"}, {"entries": [2], "next_cursor": None}]
    scripted.steps = [{"cut": True}, *({"status": 200, "body": page} for page in pages)]

    async def run() -> list[Any]:
        async with AsyncClient(scripted.url, token=lambda: "t") as client:
            return [item async for item in client.each_list_memory_entries({"scope_id": "s"})]

    assert asyncio.run(run()) == [1, 2]
    assert scripted.received[0]["headers"]["authorization"] == "Bearer t"
