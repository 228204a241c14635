import { defaultToolSets, toolTable } from '@continuity/contract/mcp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skill } from '../support/documents.ts';
import { connectMcp, refusalOf } from '../support/mcp.ts';
import { captureSources, reviewCalls } from '../support/review.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({
    environment: { AUTH_TOKENS_FILE: await writeTokens('acme', 'globex') },
    workers: true,
  });
});

afterAll(() => service.stop());

const acme = (options: { tools?: string; scope?: string; mode?: 'legacy' | 'auto' } = {}) =>
  connectMcp(service.url, { tenant: 'acme', ...options });

describe.each(['legacy', 'auto'] as const)('protocol negotiation %s', (mode) => {
  test('lists the tools of the contract, with their annotations', async () => {
    const { tools } = await (await acme({ mode })).listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      Object.entries(toolTable).flatMap(([name, { set }]) => (defaultToolSets.has(set) ? [name] : [])),
    );
    for (const { description, inputSchema, outputSchema, annotations } of tools) {
      expect(outputSchema).toBeUndefined();
      expect(description?.length).toBeLessThanOrEqual(600);
      expect(inputSchema.type).toBe('object');
      expect(annotations).toMatchObject({ openWorldHint: false, destructiveHint: expect.any(Boolean) });
    }
    const having = (hint: 'readOnlyHint' | 'destructiveHint') =>
      tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
    expect(having('destructiveHint')).toEqual(['retire_memory_entry']);
    expect(having('readOnlyHint')).toEqual([
      'search_memory',
      'list_memory_entries',
      'get_memory_entry',
      'prepare_context',
      'continue_handoff',
    ]);
  });

  test('a tool answers what HTTP answers', async () => {
    const client = await acme({ mode });
    const scope_id = `same-${mode}`;
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: { scope_id, ...args } });
      expect(result.isError ?? false).toBe(false);
      expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual(result.structuredContent);
      return result.structuredContent as Record<string, unknown>;
    };
    const { entry } = (await call('remember_memory', { kind: 'decision', text: 'Postgres 18 it is.' })) as {
      entry: { citation: unknown };
    };
    const { citation } = entry;
    const http = clientOf(service.url, 'acme');
    for (const [name, path, args] of [
      ['search_memory', '/v1/memory/search', { query: 'postgres' }],
      ['list_memory_entries', '/v1/memory/entries/list', {}],
      ['get_memory_entry', '/v1/memory/entries/get', { citation }],
      ['prepare_context', '/v1/context/prepare', { query: 'postgres', format: 'v1' }],
      ['prepare_context', '/v1/context/prepare', { query: 'postgres', format: 'compact' }],
    ] as const) {
      const direct = await http.send('POST', path, { scope_id, ...args });
      expect(await call(name, args)).toEqual(direct.json);
    }
    expect(await call('flush_memory', {})).toMatchObject({ status: 'idle' });
  });

  test('a refused call carries the envelope, and an unknown tool is a protocol error', async () => {
    const client = await acme({ mode });
    const refused = await client.callTool({
      name: 'search_memory',
      arguments: { scope_id: 's', query: 'a\u0000b' },
    });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.structuredContent).toBeUndefined();
    expect(refusalOf(refused)).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'query' }] },
    });
    const unknown = await client.callTool({
      name: 'search_memory',
      arguments: { scope_id: 's', query: 'a', x: 1 },
    });
    expect(refusalOf(unknown).details).toMatchObject({ issues: [{ path: 'x' }] });
    await expect(client.callTool({ name: 'delete_everything', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(
      client.callTool({ name: 'search_memory', arguments: 'all' as never }),
    ).rejects.toBeInstanceOf(Error);
  });

  test('arguments have the limit of the operation', async () => {
    const client = await acme({ mode });
    const large = { scope_id: 's', kind: 'fact', text: 'x'.repeat(300_000) };
    const refused = await client.callTool({ name: 'remember_memory', arguments: large });
    expect(refusalOf(refused)).toMatchObject({ code: 'body_too_large', details: { limit_bytes: 262_144 } });
  });

  test('another tenant sees nothing of it', async () => {
    const scope_id = `walls-${mode}`;
    const mine = await acme({ mode });
    const remembered = await mine.callTool({
      name: 'remember_memory',
      arguments: { scope_id, kind: 'fact', text: 'The vault opens at nine.' },
    });
    const { citation } = (remembered.structuredContent as { entry: { citation: unknown } }).entry;
    const other = await connectMcp(service.url, { tenant: 'globex', mode });
    const found = await other.callTool({ name: 'search_memory', arguments: { scope_id, query: 'vault' } });
    expect(found.structuredContent).toMatchObject({ hits: [] });
    const read = await other.callTool({ name: 'get_memory_entry', arguments: { scope_id, citation } });
    expect(refusalOf(read).code).toBe('memory_not_found');
  });

  test('a session goes on at another gateway', async () => {
    const client = await acme({ mode });
    await client.listTools();
    const second = await startSecondGateway(service);
    const moved = await connectMcp(second.url, { tenant: 'acme', mode });
    expect((await moved.listTools()).tools).toEqual((await client.listTools()).tools);
    await second.stop();
  });

  test('many clients call at once', async () => {
    const scope_id = `many-${mode}`;
    const [first, ...others] = await Promise.all([
      acme({ mode }),
      ...Array.from({ length: 19 }, () => acme({ mode })),
    ]);
    await Promise.all(
      [first, ...others].map((client, place) =>
        client.callTool({
          name: 'remember_memory',
          arguments: { scope_id, kind: 'fact', text: `Fact ${place}.` },
        }),
      ),
    );
    const listed = await first.callTool({ name: 'list_memory_entries', arguments: { scope_id } });
    expect((listed.structuredContent as { entries: unknown[] }).entries).toHaveLength(20);
  });
});

test('the tools of review list, read, revise and decide as over HTTP', async () => {
  const scope_id = 'reviewed';
  const http = clientOf(service.url, 'acme');
  const calls = reviewCalls(http);
  const source_refs = await captureSources(http, scope_id, 1);
  const { candidate_id } = (await calls.proposeSkill(scope_id, { source_refs })).body;
  const lesson = (await calls.propose(scope_id, { source_refs })).body;
  const client = await acme({ tools: 'review' });
  const call = async (name: string, args: object) => {
    const answer = await client.callTool({ name, arguments: { scope_id, ...args } });
    return answer.structuredContent ?? refusalOf(answer);
  };
  const first = await call('list_artifact_candidates', { limit: 1 });
  expect(first).toEqual((await calls.list(scope_id, { limit: 1 })).body);
  const { next_cursor: cursor } = first as { next_cursor: string };
  expect(await call('list_artifact_candidates', { cursor })).toMatchObject({ candidates: [lesson] });
  expect(await call('get_artifact_candidate', { candidate_id })).toEqual(
    (await calls.get(scope_id, candidate_id)).body,
  );
  const file = { candidate_id, version: 1, path: 'SKILL.md' };
  expect(await call('get_candidate_package_manifest', { candidate_id, version: 1 })).toMatchObject({
    files: [{ path: 'SKILL.md', executable: false }],
  });
  expect(await call('read_candidate_package_file', file)).toMatchObject({
    text: expect.stringContaining('name: "openapi-change"'),
    next_offset: null,
  });
  const revision = {
    expected_version: 1,
    proposal: skill({ name: 'renamed' }),
    source_refs,
    artifact_refs: [],
  };
  expect(await call('revise_artifact_candidate', { candidate_id, ...revision })).toMatchObject({
    version: 2,
    proposal: { name: 'renamed' },
  });
  expect(await call('approve_artifact_candidate', { candidate_id, expected_version: 1 })).toMatchObject({
    code: 'candidate_conflict',
    details: { expected_version: 1, current_version: 2 },
  });
  expect(await call('approve_artifact_candidate', { candidate_id, expected_version: 2 })).toMatchObject({
    status: 'approved',
    result_artifact: { family: 'skill', revision: 1 },
  });
  const decision = { candidate_id: lesson.candidate_id, expected_version: 1, reason: 'It is known.' };
  expect(await call('reject_artifact_candidate', decision)).toMatchObject({
    decision_reason: 'It is known.',
  });
});

test('?tools= chooses sets', async () => {
  const { tools } = await (await acme({ tools: 'context,work' })).listTools();
  expect(tools.map(({ name }) => name)).toContain('prepare_context');
  expect(tools.map(({ name }) => name)).not.toContain('search_memory');
  const review = await (await acme({ tools: 'review' })).listTools();
  const destructive = review.tools.filter(({ annotations }) => annotations?.destructiveHint);
  expect(review.tools).toHaveLength(7);
  expect(destructive.map(({ name }) => name)).toEqual(['reject_artifact_candidate']);
  const client = await acme({ tools: 'context' });
  await expect(
    client.callTool({ name: 'search_memory', arguments: { scope_id: 's', query: 'a' } }),
  ).rejects.toMatchObject({ code: -32602 });
});

test('an Experience of a prepared context is read whole by its id', async () => {
  const client = await acme({ tools: 'context,experience' });
  const scope_id = 'lessons';
  const text = 'Paint the crane before the harbour opens.';
  const content = { situation: text, action: 'We painted it.', outcome: 'It lasts.', lesson: text };
  await clientOf(service.url, 'acme').call('create_artifact', {
    params: { scope_id },
    body: { family: 'experience', content },
  });
  const prepared = await client.callTool({
    name: 'prepare_context',
    arguments: { scope_id, query: 'When is the crane painted?' },
  });
  const { content: context } = prepared.structuredContent as { content: string };
  const { items } = JSON.parse(context.split('\n').find((line) => line.startsWith('{')) ?? '');
  expect(items).toEqual([expect.objectContaining({ kind: 'experience' })]);
  const read = await client.callTool({
    name: 'get_experience',
    arguments: { scope_id, short_id: items[0].id },
  });
  expect(read.structuredContent).toMatchObject({ content });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'prepare_context',
    'propose_experience',
    'generate_experience',
    'get_experience',
  ]);
  const proposed = await client.callTool({
    name: 'propose_experience',
    arguments: { scope_id, proposal: content, source_refs: [], artifact_refs: [] },
  });
  // A proposal needs evidence.
  expect(refusalOf(proposed)).toMatchObject({ code: 'invalid_request' });
});

test('spec 25 Q11: the tool prepares the compact format, whose ids another tool reads', async () => {
  const client = await acme();
  const scope_id = 'compact';
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: { scope_id, ...args } })).structuredContent as Record<
      string,
      string
    >;
  await call('remember_memory', { kind: 'decision', text: 'Deploy on Tuesdays.' });
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === 'prepare_context');
  expect(tool?.inputSchema.properties).toMatchObject({ format: { description: 'Default `compact`.' } });
  const prepared = await call('prepare_context', { query: 'when do we deploy' });
  expect(prepared['schema']).toBe('service.prepared-context.v2');
  const { items } = JSON.parse(prepared['content']?.split('\n')[3] ?? '') as { items: { id: string }[] };
  const read = await call('get_memory_entry', { short_id: items[0]?.id });
  expect(read['text']).toBe('Deploy on Tuesdays.');
});

test('spec 25 Q18: an answer without hits, entries or content says in words why, with the Scope', async () => {
  const client = await acme();
  const wordsOf = async (name: string, args: Record<string, unknown>) => {
    const { content, structuredContent } = await client.callTool({ name, arguments: args });
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
    return content.slice(1).map((part) => (part as { text: string }).text);
  };
  const empty = { scope_id: 'no-such-scope' };
  for (const [name, args] of [
    ['search_memory', { ...empty, query: 'x' }],
    ['prepare_context', { ...empty, query: 'x' }],
    ['list_memory_entries', empty],
  ] as const) {
    expect(await wordsOf(name, args)).toEqual([expect.stringContaining('"no-such-scope" has no Memory')]);
  }
  const scope_id = 'worded';
  const entry = { scope_id, kind: 'fact', text: 'A gazebo.' };
  await client.callTool({ name: 'remember_memory', arguments: entry });
  for (const name of ['search_memory', 'prepare_context']) {
    expect(await wordsOf(name, { scope_id, query: 'zebra' })).toEqual([
      expect.stringContaining('"worded" has Memory, but nothing'),
    ]);
    expect(await wordsOf(name, { scope_id, query: 'gazebo' })).toEqual([]);
  }
});

test('spec 70 scenario 28: null arguments are no arguments, and null for an optional one is as left out', async () => {
  const client = await acme({ tools: 'all' });
  const refused = await client.callTool({ name: 'flush_memory', arguments: null as never });
  expect(refusalOf(refused)).toMatchObject({ details: { issues: [{ path: 'scope_id' }] } });
  const found = await client.callTool({
    name: 'search_memory',
    arguments: { scope_id: 'nulls', query: 'a', limit: null, mode: null },
  });
  expect(found.isError ?? false).toBe(false);
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(Object.keys(toolTable).length);
});

test('the tools of Sources and Skills answer what HTTP answers', async () => {
  const client = await acme({ tools: 'sources,skills,reports' });
  const scope_id = 'evidence';
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent;
  const source = { scope_id, source_id: 'm1', content: 'The crane was inspected.', occurred_at: null };
  expect(
    await call('capture_content_source', { ...source, metadata: { deep: { kept: null } } }),
  ).toMatchObject({
    status: 'accepted',
  });
  const read = await call('get_source', { scope_id, source_type: 'content', source_id: 'm1' });
  const http = await clientOf(service.url, 'acme').send('GET', `/v1/scopes/${scope_id}/sources/content/m1`);
  expect(read).toEqual(http.json);
  expect(await call('list_managed_skills', { scope_id, query: null })).toEqual({ skills: [] });
  expect(await call('get_stats', { selection: { mode: 'all' }, by_scope: false })).toMatchObject({
    scope_ids: [],
  });
  const extra = await client.callTool({
    name: 'get_source',
    arguments: { scope_id, source_type: 'content', source_id: 'm1', more: 1 },
  });
  expect(refusalOf(extra)).toMatchObject({ details: { issues: [{ path: 'more' }] } });
});

test('an acknowledgement, whose request is a union, is a tool with a plain object as its schema', async () => {
  const { tools } = await (await acme()).listTools();
  const tool = tools.find(({ name }) => name === 'acknowledge_handoff');
  expect(tool?.inputSchema).toMatchObject({ type: 'object' });
  const refused = await (await acme()).callTool({
    name: 'acknowledge_handoff',
    arguments: { scope_id: 's' },
  });
  expect(refusalOf(refused).code).toBe('invalid_request');
});

test('a list of entries says what it leaves out', async () => {
  const client = await acme();
  const http = clientOf(service.url, 'acme');
  const scope_id = 'listed';
  const wordsOf = async (args: object) => {
    const answer = await client.callTool({ name: 'list_memory_entries', arguments: { scope_id, ...args } });
    return { words: (answer.content as { text: string }[])[1]?.text, body: answer.structuredContent };
  };
  for (const text of ['One.', 'Two.']) {
    await client.callTool({ name: 'remember_memory', arguments: { scope_id, kind: 'fact', text } });
  }
  expect((await wordsOf({})).words).toBeUndefined();
  const first = await wordsOf({ limit: 1 });
  expect(first.words).toContain('more follow: pass its `next_cursor`');
  const { next_cursor: cursor } = first.body as { next_cursor: string };
  expect((await wordsOf({ limit: 1, cursor })).words).toBeUndefined();
  expect((await wordsOf({ kind: 'decision' })).words).toBe('No entry of this kind follows.');
  const content = { entries: [{ kind: 'fact', text: 'Imported.' }] };
  await http.send('POST', `/v1/scopes/${scope_id}/artifacts`, { family: 'memory', content });
  const { words, body } = await wordsOf({});
  expect(words).toContain('1 other Memory Artifact,');
  expect(body).toMatchObject({ other_memories: 1, entries: [{ text: 'One.' }, { text: 'Two.' }] });
  const { contents } = await client.readResource({ uri: `continuity://scopes/${scope_id}/memory` });
  expect((contents[0] as { text: string }).text).toContain('1 other Memory Artifact,');
});
