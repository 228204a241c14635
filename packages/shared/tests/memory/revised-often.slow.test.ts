import type { MemoryEntry } from '@continuity/contract/memory';
import { openDatabase, type TenantId } from '@continuity/kernel/database';
import { ensureTenant } from '@continuity/shared/tenants';
import { createDatabase } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retireEntry, reviseEntry } from '../../src/memory/change-entry.ts';
import { getEntry } from '../../src/memory/get-entry.ts';
import { addOtherScopes, rememberFact } from '../support/memory.ts';
import { keepVacuumAway, readsOf, waitForOtherSnapshots } from '../support/table-reads.ts';

const source = await createDatabase();
const database = openDatabase({ url: source.url, size: 1, name: 'revised', onIdleError: () => undefined });
let tenantId: TenantId;

beforeAll(async () => {
  tenantId = await ensureTenant(database, 'default');
  await keepVacuumAway(database.pool);
  // Other Scopes, so that no table is small enough to be read from end to end.
  await addOtherScopes(database.pool, tenantId);
});

afterAll(async () => {
  await database.close();
  await source.drop();
});

const requireEntry = (entry: MemoryEntry | null): MemoryEntry => {
  if (entry === null) throw new Error('There is no entry.');
  return entry;
};

const revise = async (scopeId: string, { citation, version }: MemoryEntry): Promise<MemoryEntry> => {
  const content = { kind: 'fact', text: `The status is ${version}.` };
  const { entry } = await reviseEntry(database, { tenantId, scopeId, citation, content, reason: null });
  return requireEntry(entry);
};

/** An entry of a Scope of its own, in its `revisions`-th version. */
async function revisedEntry(scopeId: string, revisions: number): Promise<MemoryEntry> {
  const { entry } = await rememberFact(database, { tenantId, scopeId }, 'The status is unknown.');
  let latest = requireEntry(entry);
  while (latest.version < revisions - 1) latest = await revise(scopeId, latest);
  // The last revision passes over the rows that the snapshot of another session has kept.
  await waitForOtherSnapshots(database.pool);
  return await revise(scopeId, latest);
}

test('spec 20 M20: what an operation reads does not grow with the revisions of its entry', async () => {
  const costs = async (scopeId: string, revisions: number) => {
    let entry = await revisedEntry(scopeId, revisions);
    const get = () => getEntry(database.sql, tenantId, scopeId, entry.citation);
    const reads = async (run: () => Promise<unknown>) => (await readsOf(database, 1, run)).blocks;
    return {
      get: await reads(get),
      equal: await reads(() =>
        rememberFact(database, { tenantId, scopeId }, `The status is ${revisions - 1}.`),
      ),
      revise: await reads(async () => {
        entry = await revise(scopeId, entry);
      }),
      retire: await reads(() =>
        retireEntry(database, { tenantId, scopeId, citation: entry.citation, reason: null }),
      ),
    };
  };
  const few = await costs('few', 20);
  const many = await costs('many', 800);
  for (const [name, blocks] of Object.entries(few)) {
    expect(many[name as keyof typeof many], name).toBeLessThan(blocks * 1.5 + 10);
  }
});
