import type { Database, TenantId } from '@continuity/kernel/database';
import { addRevision } from '../../src/memory/commit-revision.ts';
import { addEntry } from '../../src/memory/entry-writes.ts';
import { ensureLockedMemory } from '../../src/memory/head.ts';
import { withPendingTerms } from './pending-terms.ts';

/** Entries of one revision. Their analysis runs inside its transaction, which may not be idle for long. */
const batchSize = 200;

/** Vectors are copies of this many, because computing one takes longer than storing it. */
const vectors = 1_009;

/** Statements that store the vectors, so that none reaches the time limit of a statement. */
const parts = 20;

const longAgo = new Date('2020-01-01T00:00:00Z');

/** Words that many entries hold, in other combinations in each. */
const names = ['invoice', 'server', 'release', 'customer', 'meeting', 'backup', 'contract', 'printer'];
const states = ['late', 'green', 'broken', 'signed', 'approved', 'moved', 'empty'];

function textAt(place: number): string {
  return `The ${names[place % names.length]} of team ${place % 97} was ${states[place % states.length]} in week ${place % 53}, note ${place}`;
}

/**
 * Fills the Memory of a Scope with entries that hold, then with entries that ended long ago, and gives all of them a vector. The
 * vectors are stored by SQL, because a worker takes minutes for 100,000.
 */
export async function fillWithEnded(
  database: Database,
  { tenantId, scopeId, profileKey }: { tenantId: TenantId; scopeId: string; profileKey: number },
  { holding, ended }: { holding: number; ended: number },
  dimension: number,
): Promise<void> {
  await withPendingTerms(database.pool, async () => {
    for (const [count, holds_until] of [
      [holding, null],
      [ended, longAgo],
    ] as const) {
      for (let first = 0; first < count; first += batchSize) {
        const size = Math.min(batchSize, count - first);
        const entries = Array.from({ length: size }, (_, index) =>
          addEntry({ kind: 'fact', text: textAt(first + index), holds_until }, null),
        );
        await database.transaction(async (sql) => {
          await addRevision(sql, await ensureLockedMemory(sql, tenantId, scopeId), entries);
        });
      }
    }
  });
  const place = [tenantId, scopeId, profileKey];
  for (let part = 0; part < parts; part += 1)
    await database.pool.query(addVectors, [...place, dimension, vectors, part, parts]);
  await database.pool.query(countVectors, place);
}

/** Any vectors: a search compares each with the query, whatever it holds. */
const addVectors = `
  WITH made AS MATERIALIZED (
    SELECT place, ARRAY(SELECT (1 + sin(hashtext(place || '/' || n))) / sqrt($4::int)::real FROM generate_series(1, $4) AS n)
             AS embedding
    FROM generate_series(0, $5::int - 1) AS place
  )
  INSERT INTO memory_embeddings (tenant_id, scope_key, profile_key, artifact_key, entry_id, embedding)
  SELECT s.tenant_id, s.scope_key, CASE WHEN s.ended THEN -$3::int ELSE $3 END, s.artifact_key, s.entry_id, made.embedding
  FROM memory_states s JOIN scopes c USING (tenant_id, scope_key)
  JOIN made ON made.place = abs(hashtext(s.entry_id::text) % $5)
  WHERE c.tenant_id = $1 AND c.scope_id = $2 AND s.valid_to IS NULL AND s.active
    AND abs(hashtext('part' || s.entry_id) % $7::int) = $6::int`;

const countVectors = `
  INSERT INTO memory_embedding_totals (tenant_id, scope_key, profile_key, embedded)
  SELECT e.tenant_id, e.scope_key, e.profile_key, count(*)
  FROM memory_embeddings e JOIN scopes c USING (tenant_id, scope_key)
  WHERE c.tenant_id = $1 AND c.scope_id = $2 AND e.profile_key IN ($3::int, -$3::int) GROUP BY 1, 2, 3`;
