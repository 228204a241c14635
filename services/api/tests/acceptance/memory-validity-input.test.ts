import type { CallInput } from '@continuity/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { type Citation, freshScope, headOf, retire } from '../support/memory.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterAll(() => service.stop());

type Remember = NonNullable<CallInput<'remember_memory'>['body']>;
type Revise = NonNullable<CallInput<'revise_memory_entry'>['body']>;

const nextYear = `${new Date().getUTCFullYear() + 1}-06-01T00:00:00.000Z`;

const tell = (body: Omit<Remember, 'kind'>) =>
  service.call('remember_memory', { body: { kind: 'fact', ...body } });
const revise = (body: Revise) => service.call('revise_memory_entry', { body });
const get = async (scope_id: string, citation: Citation) =>
  (await service.call('get_memory_entry', { body: { scope_id, citation } })).body;

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
