"""Prints what each framework makes of the schemas of all tools, for each address: [{library: {tool: schema}}]."""

import asyncio
import copy
import json
import sys

from agents.strict_schema import ensure_strict_json_schema
from autogen_ext.tools.mcp import StreamableHttpServerParams, mcp_server_tools
from google.genai import _mcp_utils
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_mcp_adapters.client import MultiServerMCPClient
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer


async def list_tools(url):
    async with streamablehttp_client(url) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            return (await session.list_tools()).tools


async def convert(url):
    tools = await list_tools(url)
    langchain = await MultiServerMCPClient(
        {"continuity": {"transport": "streamable_http", "url": url}}
    ).get_tools()
    autogen = await mcp_server_tools(StreamableHttpServerParams(url=url))
    return {
        "OpenAI Agents": {
            tool.name: ensure_strict_json_schema(copy.deepcopy(tool.inputSchema)) for tool in tools
        },
        "Google GenAI": {
            tool.name: _mcp_utils.mcp_to_gemini_tool(tool)
            .function_declarations[0]
            .model_dump(mode="json", exclude_none=True)
            .get("parameters", tool.inputSchema)
            for tool in tools
        },
        "LangChain": {
            tool.name: convert_to_openai_tool(tool, strict=True)["function"]["parameters"] for tool in langchain
        },
        "AutoGen": {tool.schema["name"]: tool.schema["parameters"] for tool in autogen},
        "Pydantic AI": {
            tool.name: OpenAIJsonSchemaTransformer(copy.deepcopy(tool.inputSchema), strict=True).walk()
            for tool in tools
        },
    }


async def main(urls):
    print(json.dumps([await convert(url) for url in urls]))


asyncio.run(main(sys.argv[1:]))
