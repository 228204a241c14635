"""Drives the adapters of the Python client in their frameworks, and prints what they returned."""

import asyncio
import json
import sys

from continuity_client import AsyncClient, Client


def store(url):
    from continuity_client.langgraph import ContinuityStore

    with Client(url) as client:
        own = ContinuityStore(client, prefix="notes")
        own.put(("users", "a/b"), "food", {"likes": "pizza", "stars": 3})
        own.put(("users", "a/b"), "k" * 200, {"likes": "long keys", "stars": 5})
        own.put(("users", "c"), "food", {"likes": "soup", "stars": 1})
        first = own.get(("users", "a/b"), "food")
        own.put(("users", "a/b"), "food", {"likes": "pasta", "stars": 4})
        second = own.get(("users", "a/b"), "food")
        own.put(("users", "c"), "gone", {"likes": "nothing"})
        own.delete(("users", "c"), "gone")
        own.put(("users", "c"), "back", {"likes": "tea"})
        own.delete(("users", "c"), "back")
        own.put(("users", "c"), "back", {"likes": "tea"})
        refused = []
        for options in ({"ttl": 5}, {"index": ["likes"]}):
            try:
                own.put(("users", "c"), "food", {"likes": "x"}, **options)
            except (ValueError, NotImplementedError) as error:
                refused.append(type(error).__name__)
        return {
            "first": first.value,
            "second": second.value,
            "times": second.created_at == first.created_at and second.updated_at >= first.updated_at,
            "long": own.get(("users", "a/b"), "k" * 200).value,
            "missing": [own.get(("users", "a/b"), "no"), own.get(("nobody",), "no"), own.get(("users", "c"), "gone")],
            "back": own.get(("users", "c"), "back").value,
            "all": sorted(item.key[:4] for item in own.search(("users",))),
            "starred": [item.value for item in own.search(("users",), filter={"stars": {"$gte": 4}}, limit=1)],
            "asked": [item.value["likes"] for item in own.search(("users",), query="soup")],
            "namespaces": own.list_namespaces(prefix=("users",)),
            "async": asyncio.run(own.aget(("users", "c"), "food")).value,
            "refused": refused,
        }


def race(url, name):
    """One of several processes that put one key, again and again."""
    from continuity_client.langgraph import ContinuityStore

    with Client(url) as client:
        own = ContinuityStore(client)
        for number in range(10):
            own.put(("race",), "key", {"by": name, "number": number})
        return own.get(("race",), "key").value


def race_result(url):
    from continuity_client.langgraph import ContinuityStore

    with Client(url) as client:
        own = ContinuityStore(client)
        return [item.value for item in own.search(("race",))]


async def session(url):
    from continuity_client.openai_agents import ContinuitySession

    async with AsyncClient(url) as client:
        one = ContinuitySession("talk", client, "project:agents")
        empty = [await one.get_items(), await one.pop_item()]
        for number in range(100):
            await one.add_items(
                [{"role": "user", "content": f"Question {number}\0"}, {"role": "assistant", "content": f"Answer {number}"}]
            )
        popped = await one.pop_item()
        await one.add_items([{"type": "function_call_output", "call_id": "c", "output": "tools say much"}])
        # Elsewhere, at the same time.
        others = [ContinuitySession("talk", client, "project:agents") for _ in range(4)]
        await asyncio.gather(*(other.add_items([{"role": "user", "content": "same"}]) for other in others))
        resumed = ContinuitySession("talk", client, "project:agents")
        items = await resumed.get_items()
        latest = await resumed.get_items(2)
        pops = await asyncio.gather(*(other.pop_item() for other in others))
        left = len(await resumed.get_items())
        await resumed.clear_session()
        return {
            "empty": empty,
            "popped": popped,
            "count": len(items),
            "first": items[0],
            "latest": latest,
            "pops": len([pop for pop in pops if pop["content"] == "same"]),
            "left": left,
            "cleared": await one.get_items(),
        }


async def runner(url, model_url):
    """The session in the runner of the framework: the second run is given what was said in the first."""
    from agents import Agent, OpenAIChatCompletionsModel, Runner
    from continuity_client.openai_agents import ContinuitySession
    from openai import AsyncOpenAI

    model = OpenAIChatCompletionsModel("stub", AsyncOpenAI(base_url=model_url, api_key="none"))
    async with AsyncClient(url) as client:
        for prompt in ("Hello", "Once more"):
            own = ContinuitySession("run", client, "project:agents")
            await Runner.run(Agent(name="agent", model=model), prompt, session=own)
        return [item["role"] for item in await own.get_items()]


command, *arguments = sys.argv[1:]
result = globals()[command](*arguments)
print(json.dumps(asyncio.run(result) if asyncio.iscoroutine(result) else result))
