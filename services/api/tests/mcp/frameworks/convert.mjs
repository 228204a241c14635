// Prints what each SDK makes of the schemas of all tools: `{ library: { tool: schema } }`.
import { createMCPClient } from '@ai-sdk/mcp';
import { mcpToTool } from '@google/genai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Agent, getAllMcpTools, MCPServerStreamableHttp, RunContext } from '@openai/agents';
import { asSchema } from 'ai';

const [url] = process.argv.slice(1);

async function openAiAgents() {
  const server = new MCPServerStreamableHttp({ url, name: 'continuity' });
  await server.connect();
  const tools = await getAllMcpTools({
    mcpServers: [server],
    convertSchemasToStrict: true,
    runContext: new RunContext({}),
    agent: new Agent({ name: 'test' }),
  });
  await server.close();
  const lax = tools.filter(({ strict }) => !strict).map(({ name }) => name);
  if (lax.length > 0) throw new Error(`Not strict: ${lax}`);
  return Object.fromEntries(tools.map(({ name, parameters }) => [name, parameters]));
}

async function aiSdk() {
  const client = await createMCPClient({ transport: { type: 'http', url } });
  const tools = Object.entries(await client.tools());
  await client.close();
  const schemas = tools.map(async ([name, { inputSchema }]) => [
    name,
    await asSchema(inputSchema).jsonSchema,
  ]);
  return Object.fromEntries(await Promise.all(schemas));
}

async function googleGenAi() {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { functionDeclarations } = await mcpToTool(client).tool();
  await client.close();
  return Object.fromEntries(
    functionDeclarations.map(({ name, parameters, parametersJsonSchema }) => [
      name,
      parametersJsonSchema ?? parameters,
    ]),
  );
}

const converted = {
  'OpenAI Agents': await openAiAgents(),
  'AI SDK': await aiSdk(),
  'Google GenAI': await googleGenAi(),
};
process.stdout.write(JSON.stringify(converted), () => process.exit());
