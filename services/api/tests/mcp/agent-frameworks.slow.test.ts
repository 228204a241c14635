import { afterAll, beforeAll, expect, test } from 'vitest';
import { frameworkPythons, runNode, runPython } from '../support/frameworks.ts';
import { startService, type TestService } from '../support/service.ts';
import { startWordModel } from '../support/word-model.ts';

const pythons = await frameworkPythons();

let service: TestService;
let model: Awaited<ReturnType<typeof startWordModel>>;

beforeAll(async () => {
  [service, model] = await Promise.all([startService(), startWordModel()]);
});

afterAll(async () => {
  model.stop();
  await service.stop();
});

/** Runs an agent that is given the address of MCP alone. */
async function runAgent(framework: string, scope: string, prompts: string[]): Promise<string[]> {
  const mcpUrl = `${service.url}/mcp?scope=${scope}`;
  const answers =
    framework === 'ai-sdk'
      ? await runNode('agent.mjs', mcpUrl, model.url, ...prompts)
      : await runPython(pythons?.mcp1 ?? '', 'run_agent.py', framework, mcpUrl, model.url, ...prompts);
  return answers as string[];
}

const frameworks = [
  'ai-sdk',
  ...(pythons === undefined ? [] : ['openai-agents', 'langgraph', 'pydantic-ai']),
];

test.each(frameworks)(
  'an agent of %s that has the address of MCP alone remembers, finds, hands over and continues',
  async (framework) => {
    const scope = `project:${framework}`;
    const [remembered, found, prepared, handed] = await runAgent(framework, scope, [
      'Remember this decision in Memory: "Deploy on Tuesdays."',
      'Search the Memory entries: "when do we deploy"',
      'Prepare the context of the next turn: "deploy the shop"',
      'Record a handoff of the current work, so that others can continue: "Write the runbook."',
    ]);
    expect(remembered).toContain('Deploy on Tuesdays.');
    expect(found).toContain('Deploy on Tuesdays.');
    expect(prepared).toContain('Deploy on Tuesdays.');
    expect(handed).toMatch(/committed.*"revision\\*":1/);
    // The next session is of another framework.
    const next = frameworks[(frameworks.indexOf(framework) + 1) % frameworks.length] ?? framework;
    const [continued] = await runAgent(next, scope, ['Continue from the latest handoff: take it over.']);
    expect(continued).toContain('Write the runbook.');
  },
);
