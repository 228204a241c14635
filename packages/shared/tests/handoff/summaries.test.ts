import { readFile } from 'node:fs/promises';
import type { HandoffContent } from '@continuity/contract/handoff';
import { newId } from '@continuity/kernel/text';
import { expect, test } from 'vitest';
import { commitHandoff } from '../../src/handoff/commit.ts';
import { prepare } from '../../src/handoff/index.ts';
import { captureContent, prepareCapture } from '../../src/sources/index.ts';
import { openOwnDatabase } from '../support/database.ts';

const { database, tenantId } = await openOwnDatabase('summaries');

const migrationOf = (name: string) =>
  readFile(new URL(`../../../../prisma/migrations/${name}/migration.sql`, import.meta.url), 'utf8');

const white = ' \t\n\u000b\f\r\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
const citations = [{ kind: 'source' as const, source_ref: { name: 'content', source_id: 'seen' } }];

const contentOf = (objective: string, next: string | null, states: number): HandoffContent => ({
  schema: 'service.handoff.v1',
  objective,
  state: Array.from({ length: states }, (_, index) => ({ text: `${index}`, citations })),
  disposition: 'continuable',
  next_action: next === null ? null : { text: next, citations },
  omissions: states === 2 ? [{ text: 'left out', citation: null }] : [],
});

const contents = [
  contentOf('Plain.', null, 1),
  contentOf(`${white}a${white}b${white}`, `\u200b${white}c`, 2),
  contentOf('x'.repeat(240), 'y'.repeat(241), 64),
  contentOf('\u{1F9E0}'.repeat(240), '\u{1F9E0}'.repeat(8192), 1),
  contentOf(`${'e\u0301 '.repeat(400)}`, `"\\\u0001\u007f`, 1),
];

const summariesOf = async () =>
  (await database.pool.query('SELECT * FROM handoff_summaries ORDER BY artifact_key, revision')).rows;

test('the migrations summarize revisions as a commit does', async () => {
  const scopeId = newId();
  const capture = prepareCapture({ scope_id: scopeId, source_id: 'seen', content: 'seen' });
  await captureContent(database, tenantId, capture, null);
  for (const [base, content] of contents.entries()) {
    await commitHandoff(database, { tenantId, scopeId }, prepare(scopeId, base || undefined, content));
  }
  const written = await summariesOf();
  expect(
    written.map(({ revision, state_count, omission_count }) => [revision, state_count, omission_count]),
  ).toEqual([
    [1, 1, 0],
    [2, 2, 1],
    [3, 64, 0],
    [4, 1, 0],
    [5, 1, 0],
  ]);
  expect(written[1]).toMatchObject({ objective_excerpt: 'a b', next_action_excerpt: '\u200b c' });
  const times = await database.pool.query('SELECT created_at FROM artifact_revisions ORDER BY revision');
  expect(written.map(({ committed_at }) => committed_at)).toEqual(
    times.rows.map(({ created_at }) => created_at),
  );

  await database.pool.query('DELETE FROM handoff_summaries');
  const text = await migrationOf('20261122183100_work_records');
  await database.pool.query(text.slice(text.indexOf('INSERT INTO handoff_summaries')));
  const later = await migrationOf('20261127051500_handoff_boundaries');
  await database.pool.query(
    later.slice(later.indexOf('UPDATE handoff_summaries'), later.indexOf('CREATE INDEX')),
  );
  expect(await summariesOf()).toEqual(written);
});
