"""Runs an agent of one framework on the tools of an MCP server, a run for each prompt, and prints its answers as a list."""

import asyncio
import json
import sys


async def openai_agents(mcp_url, model_url, prompts):
    from agents import Agent, OpenAIChatCompletionsModel, Runner
    from agents.mcp import MCPServerStreamableHttp
    from openai import AsyncOpenAI

    model = OpenAIChatCompletionsModel("stub", AsyncOpenAI(base_url=model_url, api_key="none"))
    answers = []
    async with MCPServerStreamableHttp(params={"url": mcp_url}) as server:
        for prompt in prompts:
            agent = Agent(name="agent", model=model, mcp_servers=[server])
            answers.append((await Runner.run(agent, prompt)).final_output)
    return answers


async def langgraph(mcp_url, model_url, prompts):
    from langchain.agents import create_agent
    from langchain_mcp_adapters.client import MultiServerMCPClient
    from langchain_openai import ChatOpenAI

    tools = await MultiServerMCPClient(
        {"continuity": {"transport": "streamable_http", "url": mcp_url}}
    ).get_tools()
    agent = create_agent(ChatOpenAI(model="stub", base_url=model_url, api_key="none"), tools)
    answers = []
    for prompt in prompts:
        state = await agent.ainvoke({"messages": [{"role": "user", "content": prompt}]})
        answers.append(state["messages"][-1].content)
    return answers


async def pydantic_ai(mcp_url, model_url, prompts):
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel("stub", provider=OpenAIProvider(base_url=model_url, api_key="none"))
    agent = Agent(model, toolsets=[MCPToolset(mcp_url)])
    async with agent:
        return [(await agent.run(prompt)).output for prompt in prompts]


frameworks = {"openai-agents": openai_agents, "langgraph": langgraph, "pydantic-ai": pydantic_ai}
name, mcp_url, model_url, *prompts = sys.argv[1:]
print(json.dumps(asyncio.run(frameworks[name](mcp_url, model_url, prompts))))
