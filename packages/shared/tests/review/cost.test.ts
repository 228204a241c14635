import type { ScopeKey } from '@continuity/kernel/database';
import { createLogger } from '@continuity/kernel/telemetry';
import { newId } from '@continuity/kernel/text';
import { CursorCodec } from '@continuity/shared/handlers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { families } from '../../src/families/index.ts';
import { listInbox } from '../../src/review/inbox.ts';
import { listCandidates } from '../../src/review/list.ts';
import { ensureScope } from '../../src/scopes/index.ts';
import { PackageThreads } from '../../src/skills/index.ts';
import { openOwnDatabase } from '../support/database.ts';
import { addCandidate } from '../support/review.ts';
import { keepVacuumAway, readsOf } from '../support/table-reads.ts';

const { database, tenantId } = await openOwnDatabase('review-cost', 2);
const cursors = new CursorCodec(Buffer.alloc(32));
const packageThreads = new PackageThreads();
const scopeId = 'crowded';
let scopeKey: ScopeKey;

afterAll(() => packageThreads.close());

beforeAll(async () => {
  await keepVacuumAway(database.pool);
  scopeKey = await ensureScope(database.sql, tenantId, scopeId);
  await addCandidate(database, { tenantId, scopeKey });
});

/** Adds copies of the one Candidate. */
async function addCopies(count: number): Promise<void> {
  const ids = Array.from({ length: count }, newId);
  await database.pool.query(
    `WITH one AS MATERIALIZED (
       SELECT c.title, v.proposal, v.source_refs, v.artifact_refs FROM candidates c
       JOIN candidate_versions v USING (tenant_id, candidate_id) WHERE c.tenant_id = $1 LIMIT 1
     ), heads AS (
       INSERT INTO candidates (tenant_id, candidate_id, scope_key, family, origin, title, source_count, artifact_count,
         created_at, updated_at)
       SELECT $1, id, $2, 'experience', 'proposed', title, 1, 0, now(), now() FROM one CROSS JOIN unnest($3::uuid[]) AS id
     )
     INSERT INTO candidate_versions (tenant_id, candidate_id, version, proposal, source_refs, artifact_refs, created_at)
     SELECT $1, id, 1, proposal, source_refs, artifact_refs, now() FROM one CROSS JOIN unnest($3::uuid[]) AS id`,
    [tenantId, scopeKey, ids],
  );
}

/** Nothing here may fail, so nothing is logged. */
const logger = createLogger({ LOG_LEVEL: 'debug' }, 'test', {
  write: (line: string) => {
    throw new Error(line);
  },
});

const list = () =>
  listCandidates(database, cursors, tenantId, {
    scope_id: scopeId,
    status: 'pending',
    family: null,
    cursor: null,
    limit: 50,
  });

const inbox = (candidate_id: string | null = null) =>
  listInbox({ database, cursors, packageThreads, families, logger }, tenantId, {
    selection: { mode: 'all' },
    status: 'pending',
    family: null,
    origins: null,
    candidate_id,
    order: 'oldest',
    cursor: null,
    limit: 50,
  });

// `npm run bench -- review` measures the time at 100 and at 100,000.
test('a page of pending Candidates reads as much at 20,000 as at 2,000', async () => {
  await addCopies(2_000);
  const [item] = (await inbox()).items;
  const reads = async () => [
    await readsOf(database, 5, list),
    await readsOf(database, 5, () => inbox()),
    await readsOf(database, 5, () => inbox(item?.candidate_id)),
  ];
  const before = await reads();
  await addCopies(18_000);
  const after = await reads();
  for (const [index, reads] of after.entries()) {
    expect(reads.blocks).toBeLessThan((before[index]?.blocks ?? 0) * 1.3);
    expect(reads.scannedRows).toBe(0);
  }
});
