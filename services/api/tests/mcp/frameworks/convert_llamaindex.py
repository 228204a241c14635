"""Prints what LlamaIndex makes of the schemas of all tools, for each address: [{library: {tool: schema}}]."""

import asyncio
import json
import sys

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def convert(url):
    tools = await McpToolSpec(client=BasicMCPClient(url)).to_tool_list_async()
    schemas = {tool.metadata.name: tool.metadata.to_openai_tool()["function"]["parameters"] for tool in tools}
    return {"LlamaIndex": schemas}


async def main(urls):
    print(json.dumps([await convert(url) for url in urls]))


asyncio.run(main(sys.argv[1:]))
