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

test('the prompt is the prepared context as one user message, and empty where nothing is known', async () => {
  const client = await connectMcp(service.url, { tenant: 'acme' });
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('prepared_context');
  const scope_id = 'prompted';
  const ask = (args: Record<string, string>) =>
    client.getPrompt({ name: 'prepared_context', arguments: args });
  expect(await ask({ scope_id, query: 'deploy' })).toMatchObject({
    messages: [],
    description:
      'The Scope "prompted" has no Memory: nothing is remembered in it, or the id of the Scope is wrong.',
  });
  await client.callTool({
    name: 'remember_memory',
    arguments: { scope_id, kind: 'decision', text: 'Deploy on Tuesdays.' },
  });
  const { messages } = await ask({ scope_id, query: 'deploy', max_bytes: '2000' });
  expect(messages).toEqual([
    {
      role: 'user',
      content: { type: 'text', text: expect.stringMatching(/_CONTEXT_V2\n.*Deploy on Tuesdays\./) },
    },
  ]);
  await expect(ask({ scope_id, query: 'deploy', max_bytes: 'many' })).rejects.toMatchObject({
    code: -32602,
    data: { error: { code: 'invalid_request', details: { issues: [{ path: 'max_bytes' }] } } },
  });
  await expect(client.getPrompt({ name: 'other' })).rejects.toMatchObject({ code: -32602 });
});

test('the Memory of a Scope is a resource, as Markdown that no entry can forge', async () => {
  const client = await connectMcp(service.url, { tenant: 'acme' });
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
    'continuity://scopes/{scope_id}/memory',
  );
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri });
    return (contents[0] as { text: string }).text;
  };
  expect(await read('continuity://scopes/none/memory')).toMatch(/^The Scope .*none.* has no Memory/);
  for (const text of ['Plain words.', '# Not a heading\n- nor an item <b>']) {
    await client.callTool({ name: 'remember_memory', arguments: { scope_id: 'a/b', kind: 'fact', text } });
  }
  const items = (await read('continuity://scopes/a%2Fb/memory')).trimEnd().split('\n');
  expect(items.sort()).toEqual(['- Plain words\\.', '- \\# Not a heading \\- nor an item &lt;b&gt;'].sort());
  for (const uri of ['continuity://scopes/a', 'continuity://scopes/%zz/memory', 'file:///etc/passwd']) {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  }
});

test('the Memory resource has the newest entries, whole, in at most 64 KiB, and says that there are more', async () => {
  const client = await connectMcp(service.url, { tenant: 'acme' });
  const scope_id = 'large';
  for (let count = 0; count < 10; count += 1) {
    const text = `${count} ${'x'.repeat(8_000)}`;
    await client.callTool({ name: 'remember_memory', arguments: { scope_id, kind: 'fact', text } });
  }
  const { contents } = await client.readResource({ uri: `continuity://scopes/${scope_id}/memory` });
  const { text } = contents[0] as { text: string };
  const items = text.split('\n').filter((line) => line.startsWith('- '));
  expect(items.map((item) => item.slice(2, 3))).toEqual([...'98765432']);
  expect(text.trimEnd().split('\n').at(-1)).toMatch(/^These are the 8 newest entries\\\. There are more/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
});
