"""Against the service in CONTINUITY_URL, with the token in CONTINUITY_TOKEN."""

import asyncio
import os
import uuid

import pytest

from continuity_client import AsyncClient, Client, ServiceError
from continuity_client.check import check_answer

URL = os.environ.get("CONTINUITY_URL", "")
TOKEN = os.environ.get("CONTINUITY_TOKEN")

pytestmark = pytest.mark.skipif(URL == "", reason="CONTINUITY_URL names no service.")


@pytest.fixture
def scope_id() -> str:
    return f"python-{uuid.uuid4()}"


def test_an_agent_remembers_searches_and_prepares_its_context(scope_id: str) -> None:
    with Client(URL, token=TOKEN, check_answer=check_answer) as client:
        remembered = client.remember_memory({"scope_id": scope_id, "kind": "decision", "text": "Deploy on Tuesdays."})
        found = client.search_memory({"scope_id": scope_id, "query": "when do we deploy"})
        prepared = client.prepare_context({"scope_id": scope_id, "query": "deploy"})
        entries = list(client.each_list_memory_entries({"scope_id": scope_id, "limit": 1}))
    assert remembered["entry"] is not None
    assert found["hits"][0]["citation"] == remembered["entry"]["citation"]
    assert prepared["content"] is not None and "Deploy on Tuesdays." in prepared["content"]
    assert [entry["text"] for entry in entries] == ["Deploy on Tuesdays."]


def test_a_flush_is_waited_for(scope_id: str) -> None:
    with Client(URL, token=TOKEN, check_answer=check_answer) as client:
        client.capture_content_source(
            {"scope_id": scope_id, "source_id": "one", "content": "We decided to use Postgres 18."}
        )
        assert client.flush_memory({"scope_id": scope_id})["status"] == "processed"
        job = client.enqueue("flush_memory", {"scope_id": scope_id})
        assert client.wait_for_job(job["job_id"])["status"] == "idle"


def test_a_refusal_is_a_service_error(scope_id: str) -> None:
    with Client(URL, token=TOKEN) as client, pytest.raises(ServiceError) as caught:
        client.get_scope({"scope_id": scope_id})
    assert (caught.value.code, caught.value.status) == ("scope_not_found", 404)


def test_the_async_client(scope_id: str) -> None:
    async def run() -> int:
        async with AsyncClient(URL, token=TOKEN, check_answer=check_answer) as client:
            texts = [f"Fact {place}." for place in range(5)]
            await asyncio.gather(
                *(client.remember_memory({"scope_id": scope_id, "kind": "fact", "text": text}) for text in texts)
            )
            return len([entry async for entry in client.each_list_memory_entries({"scope_id": scope_id})])

    assert asyncio.run(run()) == 5
