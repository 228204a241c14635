import { randomUUID } from 'node:crypto';
import { openDatabase } from '@continuity/kernel/database';
import { CursorCodec } from '@continuity/shared/handlers';
import { ensureTenant } from '@continuity/shared/tenants';
import { createDatabase } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { findRevision } from '../../src/artifacts/store.ts';
import { getEntry } from '../../src/memory/get-entry.ts';
import { listChanges } from '../../src/memory/list-changes.ts';
import { listEntries } from '../../src/memory/list-entries.ts';
import { searchLexically } from '../../src/memory/search/index.ts';
import { AnalyzedQuery, CorpusCache } from '../../src/search/index.ts';
import { findSource } from '../../src/sources/find.ts';
import { captureContent, prepareCapture } from '../../src/sources/index.ts';
import { addOtherScopes, rememberFact } from '../support/memory.ts';
import { keepVacuumAway, readsOf } from '../support/table-reads.ts';

const source = await createDatabase();
const database = openDatabase({ url: source.url, size: 1, name: 'many', onIdleError: () => undefined });
const tenantId = await ensureTenant(database, 'default');
const scopeId = 'one-of-many';
const cursors = new CursorCodec(Buffer.alloc(32));
const cache = new CorpusCache();
const query = new AnalyzedQuery('first entry');

afterAll(async () => {
  await database.close();
  await source.drop();
});

const rememberText = (text: string) => rememberFact(database, { tenantId, scopeId }, text);

const capture = (sourceId: string) =>
  captureContent(
    database,
    tenantId,
    prepareCapture({ scope_id: scopeId, source_id: sourceId, content: 'said' }),
    null,
  );

const { entry } = await rememberText('The first entry.');
if (entry === null) throw new Error('Nothing was remembered.');
const { citation } = entry;
await capture('first');

const operations: [string, () => Promise<unknown>][] = [
  ['remember', () => rememberText(`new ${randomUUID()}`)],
  ['remember of an equal entry', () => rememberText('The first entry.')],
  ['get', () => getEntry(database.sql, tenantId, scopeId, citation)],
  ['search', () => searchLexically(database.sql, cache, { tenantId, scopeId, query, limit: 10 })],
  [
    'list',
    () =>
      listEntries(database.sql, cursors, {
        tenantId,
        scopeId,
        includeInactive: false,
        limit: 1,
        cursor: null,
      }),
  ],
  [
    'changes',
    () => listChanges(database.sql, cursors, { tenantId, scopeId, sinceRevision: 0, limit: 1, cursor: null }),
  ],
  ['capture', () => capture(randomUUID())],
  ['capture again', () => capture('first')],
  ['find of a Source', () => findSource(database.sql, tenantId, scopeId, 'content', 'first')],
  [
    'find of an Artifact',
    () => findRevision(database, { tenantId, scopeId, family: 'memory', artifactId: 'memory' }, null),
  ],
];

/** By operation, after as many runs as a session needs to settle on a plan. */
async function costs(): Promise<Map<string, number>> {
  const blocks = new Map<string, number>();
  for (const [name, operation] of operations) {
    for (let run = 0; run < 8; run += 1) await operation();
    blocks.set(name, (await readsOf(database, 10, operation)).blocks);
  }
  return blocks;
}

test('what an operation reads does not grow with the Scopes of the tenant, though the server has no statistics of them', async () => {
  await keepVacuumAway(database.pool);
  const few = await costs();
  await addOtherScopes(database.pool, tenantId);
  const many = await costs();
  for (const [name, blocks] of many) expect(blocks, name).toBeLessThan((few.get(name) ?? 0) * 1.5 + 10);
});
