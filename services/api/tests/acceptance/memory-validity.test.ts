import { digestHex } from '@continuity/kernel/json';
import type { CallInput } from '@continuity/testing';
import { afterAll, describe, expect, test } from 'vitest';
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

async function told(body: Omit<Remember, 'kind'>) {
  const { status, body: answer } = await tell(body);
  if (status !== 200 || answer.entry === null) throw new Error(`remember answered ${status}`);
  return answer.entry;
}

/** Expects 422 with issues at exactly these paths. */
function expectFaults({ status, error }: { status: number; error: unknown }, paths: string[]): void {
  expect({ status, error }).toMatchObject({ status: 422, error: { code: 'invalid_request' } });
  const { details } = error as { details: { issues: { path: string }[] } };
  expect([...new Set(details.issues.map(({ path }) => path))]).toEqual(paths);
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

describe('spec 26 scenario 39', () => {
  const scope_id = freshScope();
  const at = '2026-09-01T00:00:00Z';

  test.each([
    ['an end that is the start', { valid_from: at, valid_until: at }, 'valid_until'],
    ['an end before the start', { valid_from: at, valid_until: '2026-08-01T00:00:00Z' }, 'valid_until'],
    ['a date alone', { valid_from: '2026-09-01' }, 'valid_from'],
    ['24:00', { valid_until: '2026-09-01T24:00:00Z' }, 'valid_until'],
    ['an offset of 25 hours', { valid_from: '2026-09-01T02:00:00+25:00' }, 'valid_from'],
    ['nine digits of a second', { valid_from: '2026-09-01T02:00:00.123456789Z' }, 'valid_from'],
    ['the year 10000', { valid_until: '10000-01-01T00:00:00Z' }, 'valid_until'],
    ['the year 0', { valid_from: '0000-06-01T00:00:00Z' }, 'valid_from'],
    ['no offset', { valid_from: '2026-09-01T02:00:00' }, 'valid_from'],
  ])('%s is 422 at the field', async (_what, times, path) => {
    const text = 'Never stored.';
    expectFaults(await tell({ scope_id, text, ...times }), [path]);
    const entry = await told({ scope_id, text: 'Stored.' });
    expectFaults(await revise({ scope_id, citation: entry.citation, kind: 'fact', text, ...times }), [path]);
    const command = { kind: 'fact', text, ...times };
    const created = await service.call('create_artifact', {
      params: { scope_id },
      body: { family: 'memory', content: { entries: [command] } },
    });
    expectFaults(created, [`content.entries[0].${path}`]);
  });

  test.each([
    ['2026-09-01T02:00:00+02:00', '2026-09-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-09-01t02:00:00.5z', '2026-09-01T02:00:00.500Z'],
  ])('%s reads back as %s', async (sent, read) => {
    const { valid_from, citation } = await told({ scope_id, text: `Since ${sent}`, valid_from: sent });
    expect(valid_from).toBe(read);
    expect((await get(scope_id, citation)).valid_from).toBe(read);
  });

  test('an entry twice, 17 citations and one that began later are 422, unknown ones 404, inactive and stale ones 409', async () => {
    const mine = freshScope();
    const { citation } = await told({ scope_id: mine, text: 'The first.' });
    const later = await told({ scope_id: mine, text: 'The plan.', valid_from: nextYear });
    const gone = await told({ scope_id: mine, text: 'The retired one.' });
    await retire(service, mine, gone.citation);
    const { body } = await revise({
      scope_id: mine,
      citation: {
        ...citation,
        memory_ref: { ...citation.memory_ref, revision: await headOf(service, mine) },
      },
      kind: 'fact',
      text: 'The first, revised.',
    });
    const current = body.entry?.citation ?? citation;
    const elsewhere = await told({ scope_id: freshScope(), text: 'Elsewhere.' });
    const tried = (...supersedes: Citation[]) => tell({ scope_id: mine, text: 'The second.', supersedes });
    const head = await headOf(service, mine);

    expectFaults(await tried(current, current), ['supersedes[1]']);
    expectFaults(await tried(...Array.from({ length: 17 }, () => current)), ['supersedes']);
    expectFaults(await tried(later.citation), ['supersedes[0]']);
    expectFaults(await tell({ scope_id: mine, text: 'The first, revised.', supersedes: [current] }), [
      'supersedes[0]',
    ]);
    for (const unknown of [
      elsewhere.citation,
      { ...current, entry_version_id: citation.entry_id },
      { ...current, memory_ref: { ...current.memory_ref, revision: head + 1 } },
    ])
      expect((await tried(unknown)).error?.code).toBe('memory_not_found');
    expect((await tried(gone.citation)).error?.code).toBe('memory_entry_inactive');
    const stale = await tried(citation);
    expect(stale.error?.code).toBe('revision_conflict');
    expect(stale.error?.details).toMatchObject({ current_citation: current });
    expect((await tell({ scope_id: freshScope(), text: 'x', supersedes: [current] })).error?.code).toBe(
      'memory_not_found',
    );
    expect(await headOf(service, mine)).toBe(head);
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
  const params = { scope_id, family: 'memory', artifact_id: 'memory' };
  const read = await service.call('get_artifact', { params });
  return memoryContentOf(read).manifest.entries.map(({ entry_content_hash }) => entry_content_hash);
}
