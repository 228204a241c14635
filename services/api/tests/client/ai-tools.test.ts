import { createClient } from '@continuity/client';
import { continuityTools } from '@continuity/client/ai';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

const toolsOf = (scopeId: string) =>
  continuityTools({ client: createClient({ baseUrl: service.url }), scopeId });

/** Runs an agent whose model calls the tools in this order, each with these arguments, and resolves to their results. */
async function runAgent(scopeId: string, calls: [toolName: string, input: object][]): Promise<unknown[]> {
  const results: unknown[] = [];
  let step = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      const call = calls[step];
      step += 1;
      return {
        content:
          call === undefined
            ? [{ type: 'text' as const, text: 'done' }]
            : [
                {
                  type: 'tool-call' as const,
                  toolCallId: `call-${step}`,
                  toolName: call[0],
                  input: JSON.stringify(call[1]),
                },
              ],
        finishReason: {
          unified: call === undefined ? ('stop' as const) : ('tool-calls' as const),
          raw: undefined,
        },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
  const { steps } = await generateText({
    model,
    tools: toolsOf(scopeId),
    prompt: 'go',
    stopWhen: stepCountIs(calls.length + 1),
  });
  for (const { toolResults } of steps) results.push(...toolResults.map(({ output }) => output));
  return results;
}

test('spec 70 scenario 34: a model calls each tool, with null for what is optional', async () => {
  const handoff = {
    objective: 'Ship the shop.',
    state: [{ text: 'The runbook is missing.', basis: null, evidence: null }],
    disposition: 'continuable',
    next_action: null,
    omissions: null,
  };
  const [remembered, found, prepared, handed, continued] = await runAgent('project:shop', [
    ['remember_memory', { kind: 'decision', text: 'Deploy on Tuesdays.', reason: null, source_refs: null }],
    ['search_memory', { query: 'when do we deploy', limit: null, mode: null }],
    ['prepare_context', { query: 'deploy the shop', max_bytes: null, format: null }],
    ['handoff_current_work', { source_id: 'session-1', handoff, commit: true }],
    ['continue_handoff', { selection: 'latest', revision: null }],
  ]);
  expect(remembered).toMatchObject({ entry: { text: 'Deploy on Tuesdays.' } });
  expect(found).toMatchObject({ hits: [{ text: 'Deploy on Tuesdays.' }] });
  expect(JSON.stringify(prepared)).toContain('Deploy on Tuesdays.');
  expect(prepared).toMatchObject({ schema: 'service.prepared-context.v2' });
  expect(handed).toMatchObject({ committed: { family: 'handoff', revision: 1 } });
  expect(JSON.stringify(continued)).toContain('The runbook is missing.');
});

test('a refusal is the result of the tool, and only the chosen tools are offered', async () => {
  const [refused] = await runAgent('project:refused', [['search_memory', { query: 'a', limit: 0 }]]);
  expect(refused).toMatchObject({
    error: { code: 'invalid_request', details: { issues: [{ path: 'limit' }] } },
  });
  const only = continuityTools({
    client: createClient({ baseUrl: service.url }),
    scopeId: 'project:shop',
    only: ['search_memory'],
  });
  expect(Object.keys(only)).toEqual(['search_memory']);
});
