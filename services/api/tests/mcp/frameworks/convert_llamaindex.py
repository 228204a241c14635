"""Prints what LlamaIndex makes of the schemas of all tools: {library: {tool: schema}}."""

import asyncio
import json
import sys

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def main(url):
    tools = await McpToolSpec(client=BasicMCPClient(url)).to_tool_list_async()
    schemas = {tool.metadata.name: tool.metadata.to_openai_tool()["function"]["parameters"] for tool in tools}
    print(json.dumps({"LlamaIndex": schemas}))


asyncio.run(main(sys.argv[1]))
