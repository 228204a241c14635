// Runs an agent of the AI SDK on the tools of an MCP server, a run for each prompt, and prints its answers as a list.
import { createMCPClient } from '@ai-sdk/mcp';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs } from 'ai';

const [mcpUrl, modelUrl, ...prompts] = process.argv.slice(1);
const model = createOpenAICompatible({ name: 'stub', baseURL: modelUrl })('stub');
const client = await createMCPClient({ transport: { type: 'http', url: mcpUrl } });
const tools = await client.tools();
const answers = [];
for (const prompt of prompts) {
  const { text } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(4) });
  answers.push(text);
}
await client.close();
process.stdout.write(JSON.stringify(answers), () => process.exit());
