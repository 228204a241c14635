import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectMcp, postMcp } from '../support/mcp.ts';
import { startService, type TestService } from '../support/service.ts';
import { archiveOf, skillCalls, skillFile } from '../support/skills.ts';
import { clientOf, tokenOf, writeTokens } from '../support/tenants.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme', 'globex') } });
});

afterAll(() => service.stop());

const scope = 'project:port/one';
const base = `continuity://scopes/${encodeURIComponent(scope)}`;

const connect = (tenant = 'acme', scoped: string | undefined = scope) =>
  connectMcp(service.url, { tenant, tools: 'all', ...(scoped !== undefined && { scope: scoped }) });

async function handOver(objective: string): Promise<void> {
  const client = await connect();
  const answer = await client.callTool({
    name: 'handoff_current_work',
    arguments: {
      source_id: objective,
      commit: true,
      handoff: {
        objective,
        state: [{ text: 'The quay is measured.', basis: null, evidence: null }],
        disposition: 'continuable',
        next_action: { text: 'Order the steel.' },
        omissions: null,
      },
    },
  });
  expect(answer.structuredContent).toMatchObject({ committed: { family: 'handoff' } });
}

test('spec 70 scenario 31: a new agent continues from the latest Handoff, by prompt and by resource', async () => {
  const client = await connect();
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
    'prepared_context',
    'continue_work',
    'hand_over',
  ]);
  const before = await client.getPrompt({ name: 'continue_work' });
  expect(before).toMatchObject({ messages: [], description: 'The Scope has no Handoff yet.' });
  await handOver('Build the quay.');
  await handOver('Build the quay, second draft.');
  const { messages } = await client.getPrompt({ name: 'continue_work' });
  expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.any(String) } }]);
  const [text = ''] = messages.map(({ content }) => (content as { text: string }).text);
  expect(JSON.parse(text.split('\n')[3] ?? '')).toMatchObject({
    trust: 'untrusted_history',
    revision: 2,
    committed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    objective: 'Build the quay, second draft.',
    state: ['The quay is measured.'],
    next_action: 'Order the steel.',
    unavailable: 0,
  });
  const { contents } = await client.readResource({ uri: `${base}/handoff` });
  expect(contents).toEqual([{ uri: `${base}/handoff`, mimeType: 'text/plain', text }]);
  const asked = await client.getPrompt({ name: 'hand_over' });
  expect(JSON.stringify(asked.messages)).toMatch(/handoff_current_work.*commit: true.*project:port\/one/);
  // Another tenant's Scope of the same name has none.
  const other = await connect('globex');
  expect((await other.getPrompt({ name: 'continue_work' })).messages).toEqual([]);
});

test('spec 70 scenario 31: text files of a Skill are resources, and a binary file, `../` and a retired Skill are refused', async () => {
  const skills = skillCalls(clientOf(service.url, 'acme'));
  const files = [
    skillFile('tide-table'),
    { name: 'references/a b.md', content: 'High water at noon.\n' },
    { name: 'logo.bin', content: Buffer.from([0, 255, 254, 0]) },
    { name: 'long.txt', content: 'x'.repeat(131_073) },
  ];
  const { artifact_id } = await skills.approved(scope, archiveOf(...files));
  const client = await connect();
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    `${base}/memory`,
    `${base}/handoff`,
    `${base}/skills/${artifact_id}/SKILL.md`,
  ]);
  const read = async (path: string, from = client) =>
    (await from.readResource({ uri: `${base}/skills/${artifact_id}/${path}` })).contents[0];
  expect(await read('SKILL.md')).toMatchObject({
    mimeType: 'text/markdown',
    text: expect.stringContaining('Do it.'),
  });
  expect(await read('references/a%20b.md')).toMatchObject({ text: 'High water at noon.\n' });
  const refused = { code: -32602 };
  for (const path of ['logo.bin', 'long.txt', '../SKILL.md', '%2e%2e/SKILL.md', 'none.md', '%zz', 'a\u0000b'])
    await expect(read(path), path).rejects.toMatchObject(refused);
  await expect(read('SKILL.md', await connect('globex'))).rejects.toMatchObject(refused);
  expect((await (await connect('globex')).listResources()).resources).toHaveLength(2);
  const { governance } = (await skills.library(scope)).body.skills[0] ?? {};
  await skills.lifecycle(scope, { artifact_id }, governance?.governance_generation ?? -1, 'retired');
  await expect(read('SKILL.md')).rejects.toMatchObject(refused);
  expect((await client.listResources()).resources).toHaveLength(2);
  // Without `?scope=` there is no list, and templates tell how to read.
  const unscoped = await connectMcp(service.url, { tenant: 'acme' });
  expect((await unscoped.listResources()).resources).toEqual([]);
  expect((await unscoped.listResourceTemplates()).resourceTemplates).toHaveLength(3);
});

test('spec 70 scenario 29: without a token, discovery ends with 404, and the 401 names the header and the bridge', async () => {
  for (const path of [
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/x',
  ]) {
    const answer = await fetch(service.url + path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
  }
  const refused = await postMcp(service.url, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  expect(refused.text).toMatch(/Authorization: Bearer.*continuity mcp/);
  const given = await postMcp(
    service.url,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { headers: { authorization: `Bearer ${tokenOf('acme')}`, 'mcp-session-id': 'foreign' } },
  );
  expect(given.status).toBe(200);
});
