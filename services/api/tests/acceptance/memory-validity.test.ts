import { digestHex } from '@continuity/kernel/json';
import type { CallInput } from '@continuity/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { memoryContentOf } from '../support/artifacts.ts';
import {
  type Citation,
  countStatuses,
  freshScope,
  headOf,
  historyOf,
  race,
  remember,
  retire,
} from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });

afterAll(() => service.stop());

type Remember = NonNullable<CallInput<'remember_memory'>['body']>;
type Revise = NonNullable<CallInput<'revise_memory_entry'>['body']>;

const year = new Date().getUTCFullYear();
const lastYear = `${year - 1}-06-01T00:00:00.000Z`;
const nextYear = `${year + 1}-06-01T00:00:00.000Z`;

const tell = (body: Omit<Remember, 'kind'>) =>
  service.call('remember_memory', { body: { kind: 'fact', ...body } });
const revise = (body: Revise) => service.call('revise_memory_entry', { body });
const get = async (scope_id: string, citation: Citation) =>
  (await service.call('get_memory_entry', { body: { scope_id, citation } })).body;
const listed = async (scope_id: string, more: { as_of?: string; include_inactive?: boolean } = {}) =>
  (await service.call('list_memory_entries', { body: { scope_id, ...more } })).body.entries;

async function found(scope_id: string, query: string, more: { as_of?: string } = {}): Promise<string[]> {
  const { body } = await service.call('search_memory', { body: { scope_id, query, ...more } });
  return body.hits.map(({ text }) => text);
}

async function told(body: Omit<Remember, 'kind'>) {
  const { status, body: answer } = await tell(body);
  if (status !== 200 || answer.entry === null) throw new Error(`remember answered ${status}`);
  return answer.entry;
}

test('spec 26 scenario 36: a superseding remember is one revision that ends the other entry, and every citation answers as before', async () => {
  const scope_id = freshScope();
  const acme = await told({ scope_id, text: 'Anna works at Acme' });
  const before = await get(scope_id, acme.citation);
  const { body } = await tell({
    scope_id,
    text: 'Anna works at Globex',
    supersedes: [acme.citation],
    reason: 'she moved',
  });
  const globex = body.entry;
  expect(body.memory.revision).toBe(2);
  const start = globex?.valid_from ?? '';
  expect(Date.parse(start)).toBeGreaterThan(Date.now() - 60_000);
  const [, made] = await historyOf(service, scope_id);
  expect(made?.changes.map(({ op, reason }) => [op, reason]).sort()).toEqual([
    ['add', 'she moved'],
    ['revise', 'she moved'],
  ]);
  expect(await get(scope_id, acme.citation)).toEqual(before);
  const entries = await listed(scope_id);
  expect(entries).toHaveLength(2);
  const [old, current] = entries;
  expect(old).toMatchObject({
    version: 2,
    valid_until: start,
    superseded_by: globex?.citation.entry_id,
    state: 'active',
  });
  expect(current).toEqual(globex);
  expect(await get(scope_id, old?.citation ?? acme.citation)).toEqual(old);

  const asOf = new Date(Date.parse(start) - 1_000).toISOString();
  expect(await found(scope_id, 'where does Anna work')).toEqual(['Anna works at Globex']);
  expect(await found(scope_id, 'where does Anna work', { as_of: asOf })).toEqual(['Anna works at Acme']);
  expect(await found(scope_id, 'where does Anna work', { as_of: start })).toEqual(['Anna works at Globex']);
  expect((await listed(scope_id, { as_of: asOf })).map(({ text }) => text)).toEqual(['Anna works at Acme']);
  const prepared = await service.call('prepare_context', {
    body: { scope_id, query: 'where does Anna work' },
  });
  expect(prepared.body.content).toContain('Globex');
  expect(prepared.body.content).not.toContain('Acme');
});

describe('spec 26 scenario 37', () => {
  test('of 20 concurrent remembers that supersede one entry by 20 texts, one succeeds', async () => {
    const scope_id = freshScope();
    const { citation } = await told({ scope_id, text: 'The build takes ten minutes.' });
    const replies = await race(20, (n) =>
      tell({ scope_id, text: `The build takes ${n + 11} minutes.`, supersedes: [citation] }),
    );
    expect(countStatuses(replies)).toEqual({ 200: 1, 409: 19 });
    for (const { error } of replies.filter(({ status }) => status === 409)) {
      expect(error?.code).toBe('revision_conflict');
      expect(error?.details).toMatchObject({ current_citation: { entry_id: citation.entry_id } });
    }
    expect(await listed(scope_id, { include_inactive: true })).toHaveLength(2);
    expect(await headOf(service, scope_id)).toBe(2);
  });

  test.each([
    ['without a start', {}],
    ['with a start', { valid_from: `${year - 2}-01-01T00:00:00Z` }],
    ['with an end alone', { valid_until: nextYear }],
  ])('a repeat whose answer was lost changes nothing, %s', async (_what, times) => {
    const scope_id = freshScope();
    const { citation } = await told({ scope_id, text: 'The office is in Bern.' });
    const request = { scope_id, text: 'The office is in Basel.', supersedes: [citation], ...times };
    const first = await told(request);
    const repeated = await tell(request);
    expect(repeated.status).toBe(200);
    expect(repeated.body.entry).toEqual(first);
    expect(await headOf(service, scope_id)).toBe(2);
  });
});

test('spec 26 scenario 40: what was true twice is stored twice, and a repeated statement is not', async () => {
  const scope_id = freshScope();
  const text = 'Alex is on Payments.';
  const first = await told({ scope_id, text, valid_until: '2026-03-01T00:00:00Z' });
  const second = await told({ scope_id, text });
  expect(second.citation.entry_id).not.toBe(first.citation.entry_id);
  expect(await told({ scope_id, text })).toEqual(second);
  expect(await told({ scope_id, text, valid_until: '2026-03-01T01:00:00+01:00' })).toMatchObject({
    citation: { entry_id: first.citation.entry_id },
  });
  expect(await listed(scope_id)).toHaveLength(2);

  await service.call('capture_content_source', { body: { scope_id, source_id: 'standup', content: text } });
  await service.call('flush_memory', { body: { scope_id } });
  const entries = await listed(scope_id);
  expect(entries.map(({ source_refs }) => source_refs)).toEqual([
    [],
    [{ name: 'content', source_id: 'standup' }],
  ]);
  expect(entries[1]).toMatchObject({ version: 2, citation: { entry_id: second.citation.entry_id } });
});

test('spec 26 M12, R9: a revise keeps validity unless it says otherwise, and another end clears the successor', async () => {
  const scope_id = freshScope();
  const old = await told({ scope_id, text: 'The API is at v1.', valid_from: lastYear });
  const next = await told({ scope_id, text: 'The API is at v2.', supersedes: [old.citation] });
  const [ended] = await listed(scope_id);
  const citation = ended?.citation ?? old.citation;
  const worded = await revise({ scope_id, citation, kind: 'fact', text: 'The API was at v1.' });
  expect(worded.body.entry).toMatchObject({
    valid_from: lastYear,
    valid_until: ended?.valid_until,
    superseded_by: next.citation.entry_id,
  });
  await retire(service, scope_id, next.citation);
  const [stillEnded] = await listed(scope_id);
  expect(stillEnded?.superseded_by).toBe(next.citation.entry_id);
  const open = await revise({
    scope_id,
    citation: stillEnded?.citation ?? citation,
    kind: 'fact',
    text: 'The API was at v1.',
    valid_until: null,
  });
  expect(open.body.entry).not.toHaveProperty('valid_until');
  expect(open.body.entry).not.toHaveProperty('superseded_by');
  expect(open.body.entry?.valid_from).toBe(lastYear);
});

test('spec 26 V2: a revise that changes validity alone makes a version, and its repeat answers as the first', async () => {
  const scope_id = freshScope();
  const { citation } = await told({ scope_id, text: 'Freeze until the audit.' });
  const end = { scope_id, citation, kind: 'fact', text: 'Freeze until the audit.', valid_until: lastYear };
  const first = await revise(end);
  expect(first.body.entry).toMatchObject({ version: 2, valid_until: lastYear });
  await remember(service, scope_id, 'Something else.');
  const repeated = await revise(end);
  expect(repeated.body).toEqual(first.body);
  const other = await revise({ ...end, valid_until: nextYear });
  expect(other.error?.code).toBe('revision_conflict');
  const current = first.body.entry?.citation ?? citation;
  const head = await headOf(service, scope_id);
  const same = await revise({
    ...end,
    citation: { ...current, memory_ref: { ...current.memory_ref, revision: head } },
  });
  expect(same.body.entry).toMatchObject({ version: 2 });
  expect(await headOf(service, scope_id)).toBe(head);
});

test('spec 26 M13: the commands of an Artifact take validity, and the digests of other entries stay', async () => {
  const scope_id = freshScope();
  const commands = [
    { kind: 'fact', text: 'Maria leads.', valid_until: lastYear },
    { kind: 'fact', text: 'Maria leads.' },
    { kind: 'fact', text: 'Maria leads.', valid_until: lastYear },
  ];
  const created = await service.call('create_artifact', {
    params: { scope_id },
    body: { family: 'memory', content: { entries: commands } },
  });
  expect(created.status).toBe(201);
  const entries = await listed(scope_id);
  expect(entries.map(({ valid_until }) => valid_until)).toEqual([lastYear, undefined]);
  const hashes = await hashesOf(scope_id);
  expect(new Set(hashes).size).toBe(2);
  const other = freshScope();
  await remember(service, other, 'Maria leads.');
  const [plain] = await hashesOf(other);
  expect(hashes[1]).toBe(plain);
  expect(plain).toBe(digestHex({ kind: 'fact', text: 'Maria leads.', source_refs: [], artifact_refs: [] }));
});

async function hashesOf(scope_id: string): Promise<string[]> {
  const params = { scope_id, family: 'memory' as const, artifact_id: 'memory' };
  const read = await service.call('get_artifact', { params });
  return memoryContentOf(read).manifest.entries.map(({ entry_content_hash }) => entry_content_hash);
}

test('spec 26 L2: the cursor of a list pins its time', async () => {
  const scope_id = freshScope();
  for (const n of [1, 2, 3, 4, 5]) {
    await told({ scope_id, text: `Rule ${n}.`, ...(n % 2 === 0 && { valid_until: lastYear }) });
  }
  const list = (body: { as_of?: string; cursor?: string | null }) =>
    service.call('list_memory_entries', { body: { scope_id, limit: 1, ...body } });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({
      cursor,
      ...(cursor === null && { as_of: lastYear }),
    });
    seen.push(...page.body.entries.map(({ text }) => text));
    cursor = page.body.next_cursor;
    if (cursor !== null) {
      expect((await list({ cursor, as_of: nextYear })).error?.code).toBe('invalid_cursor');
      expect((await list({ cursor, as_of: lastYear })).status).toBe(200);
    }
  } while (cursor !== null);
  expect(seen).toEqual(['Rule 1.', 'Rule 3.', 'Rule 5.']);
});

test('spec 26 scenario 41: without a field of validity in a request, no answer has one', async () => {
  const scope_id = freshScope();
  const send = async (path: string, body: object) =>
    (await service.send('POST', `/v1/${path}`, { scope_id, ...body })).json as Record<string, unknown>;
  const first = memoryMutation.parse(await send('memory/remember', { kind: 'fact', text: 'Kettles boil.' }));
  const revised = memoryMutation.parse(
    await send('memory/entries/revise', {
      citation: first.entry.citation,
      kind: 'fact',
      text: 'Kettles boil water.',
    }),
  );
  z.strictObject({ memory: z.unknown(), entries: z.array(memoryEntry), next_cursor: z.null() }).parse(
    await send('memory/entries/list', { include_inactive: true }),
  );
  memoryEntry.parse(await send('memory/entries/get', { citation: first.entry.citation }));
  const found = z
    .strictObject({ memory: z.unknown(), mode: z.string(), hits: z.array(searchHit).min(1) })
    .parse(await send('memory/search', { query: 'kettles' }));
  expect(found.hits).toHaveLength(1);
  const prepared = await send('context/prepare', { query: 'kettles' });
  expect(prepared['content']).toMatch(/"truncated":false\}\]\}\n/);
  memoryMutation.parse(await send('memory/entries/retire', { citation: revised.entry.citation }));
  z.strictObject({
    memory: z.unknown(),
    events: z.array(z.looseObject({ entry: memoryEntry })),
    next_cursor: z.null(),
  }).parse(await send('memory/entries/history', { entry_id: first.entry.citation.entry_id }));
});

/** The closed shapes of the first contract: its clients refuse any other field. */
const memoryEntry = z.strictObject({
  citation: z.strictObject({ memory_ref: z.unknown(), entry_id: z.string(), entry_version_id: z.string() }),
  version: z.number(),
  kind: z.string(),
  text: z.string(),
  state: z.enum(['active', 'inactive']),
  source_refs: z.array(z.unknown()),
  artifact_refs: z.array(z.unknown()),
});
const memoryMutation = z.strictObject({ memory: z.unknown(), entry: memoryEntry });
const searchHit = z.strictObject({
  citation: z.unknown(),
  text: z.string(),
  score: z.number(),
  matched_by: z.array(z.string()),
});
