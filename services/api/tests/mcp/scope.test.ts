import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectMcp } from '../support/mcp.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme') } });
});

afterAll(() => service.stop());

const acme = (scope?: string) =>
  connectMcp(service.url, { tenant: 'acme', ...(scope !== undefined && { scope }) });

test('spec 70 scenario 26: `?scope=` is the Scope of calls that name none, and an empty one is named', async () => {
  const scope = 'project:scoped';
  const client = await acme(scope);
  const call = async (name: string, args: Record<string, unknown>) => {
    const { structuredContent, content } = await client.callTool({ name, arguments: args });
    return {
      answer: structuredContent,
      words: (content as { text: string }[]).slice(1).map(({ text }) => text),
    };
  };
  expect((await call('search_memory', { query: 'tides' })).words).toEqual([
    expect.stringContaining(`"${scope}"`),
  ]);
  await call('remember_memory', { kind: 'fact', text: 'The tides turn at noon.', scope_id: null });
  const { answer } = await call('search_memory', { query: 'tides' });
  const http = clientOf(service.url, 'acme');
  expect(answer).toEqual(
    (await http.send('POST', '/v1/memory/search', { scope_id: scope, query: 'tides' })).json,
  );
  expect(answer).toMatchObject({ hits: [{ text: 'The tides turn at noon.' }] });
  // A Scope that a call names goes first.
  expect((await call('search_memory', { query: 'tides', scope_id: 'other' })).answer).toMatchObject({
    hits: [],
  });
  const { messages } = await client.getPrompt({ name: 'prepared_context', arguments: { query: 'tides' } });
  expect(messages).toHaveLength(1);
  expect(client.getInstructions()).toContain(`\`${scope}\``);
  const { tools } = await client.listTools();
  for (const { inputSchema } of tools) expect(inputSchema.required ?? []).not.toContain('scope_id');
});

test('the instructions name the tools to begin and end with, also for a Scope of the longest id', async () => {
  const scope = 'x'.repeat(256);
  for (const client of [await acme(), await acme(scope)]) {
    const instructions = client.getInstructions() ?? '';
    expect(instructions.length).toBeLessThanOrEqual(1_200);
    for (const name of ['prepare_context', 'remember_memory', 'handoff_current_work'])
      expect(instructions).toContain(name);
  }
  for (const wrong of ['', ' ', 'x'.repeat(257)]) {
    await expect(acme(wrong)).rejects.toThrow('invalid_request');
  }
});
