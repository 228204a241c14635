import type { SearchedFamily } from '@continuity/contract';
import {
  type ArtifactKey,
  column,
  deploymentStatement,
  isWritableHere,
  pick,
  type ScopeKey,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { newId } from '@continuity/kernel/text';
import { isWithoutPgvector } from '../search/index.ts';

/** A claim that is not extended for this time, in seconds, belongs to a worker that has died. */
const leaseSeconds = 60;

/** Limit of corpora that one query finds. */
const corporaAtOnce = 100;

/** Work on the texts that are searched together: terms of the Memory entries of a Scope, or of its documents of one Family; places and vectors of entries. */
export interface StaleCorpus {
  tenantId: TenantId;
  scopeId: string;
  scopeKey: ScopeKey;
  corpus: 'memory' | 'memory_places' | 'memory_vectors' | SearchedFamily;
}

/** The last text that was analyzed. `entryId` counts for Memory entries. */
export interface Position {
  artifactKey: ArtifactKey;
  entryId: string;
}

/** A corpus that this process analyzes. */
export interface ClaimedCorpus extends StaleCorpus {
  claim: string;
  after: Position;
}

/** Reads each row of the totals once in a pass. An index would slow each write down. */
const findStale = deploymentStatement(
  'find_stale_corpora',
  `SELECT t.tenant_id, t.scope_key, t.corpus, c.scope_id
   FROM (
     SELECT tenant_id, scope_key, 'memory' AS corpus FROM memory_totals
     WHERE (tenant_id, scope_key) >= ($1, $2) AND analyzed_v2 < entered
     UNION ALL
     SELECT tenant_id, scope_key, 'memory_places' FROM memory_totals
     WHERE (tenant_id, scope_key) >= ($1, $2) AND placed < active_entries + inactive_entries
     UNION ALL
     SELECT DISTINCT tenant_id, scope_key, 'memory_vectors' FROM memory_embedding_totals
     WHERE (tenant_id, scope_key) >= ($1, $2) AND NOT is_quantized AND embedded > 0 AND ${isWithoutPgvector}
     UNION ALL
     SELECT tenant_id, scope_key, family FROM document_totals
     WHERE (tenant_id, scope_key) >= ($1, $2) AND analyzed_v2 < entered
   ) AS t JOIN scopes c USING (tenant_id, scope_key)
   WHERE (t.tenant_id, t.scope_key, t.corpus) > ($1, $2, $3) AND ${isWritableHere('t.tenant_id')}
     AND NOT EXISTS (
       SELECT FROM reindexes r
       WHERE r.tenant_id = t.tenant_id AND r.scope_key = t.scope_key AND r.corpus = t.corpus AND r.claimed_until > now())
   ORDER BY tenant_id, scope_key, corpus LIMIT ${corporaAtOnce}`,
  {
    ...pick(tables.reindexes, 'tenant_id', 'scope_key'),
    corpus: column.text,
    scope_id: tables.scopes.scope_id,
  },
);

/** The next corpora with texts of an older analyzer that no other worker has. Without `after`, from the first one. */
export async function findStaleCorpora(sql: Sql, after: StaleCorpus | null): Promise<StaleCorpus[]> {
  const from = after === null ? [-(2 ** 31), 0, ''] : [after.tenantId, after.scopeKey, after.corpus];
  const rows = await sql.rows(findStale, from);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    scopeId: row.scope_id,
    scopeKey: row.scope_key,
    corpus: row.corpus as StaleCorpus['corpus'],
  }));
}

/** How many texts of a corpus the counters say are not up to date. */
const behind = `
  SELECT entered - analyzed_v2 AS behind FROM memory_totals WHERE tenant_id = $1 AND scope_key = $2 AND $3 = 'memory'
  UNION ALL
  SELECT active_entries + inactive_entries - placed FROM memory_totals
  WHERE tenant_id = $1 AND scope_key = $2 AND $3 = 'memory_places'
  UNION ALL
  SELECT sum(embedded)::bigint FROM memory_embedding_totals
  WHERE tenant_id = $1 AND scope_key = $2 AND NOT is_quantized AND $3 = 'memory_vectors'
  UNION ALL
  SELECT entered - analyzed_v2 FROM document_totals WHERE tenant_id = $1 AND scope_key = $2 AND family = $3`;

const claimStatement = statement(
  'claim_stale_corpus',
  `INSERT INTO reindexes AS r (tenant_id, scope_key, corpus, claim, claimed_until, behind)
   SELECT $1, $2, $3, $4, now() + interval '${leaseSeconds} s', behind FROM (${behind}) AS totals WHERE behind > 0
   ON CONFLICT (tenant_id, scope_key, corpus) DO UPDATE SET claim = excluded.claim, claimed_until = excluded.claimed_until
   WHERE r.claimed_until <= now()
   RETURNING artifact_key, entry_id`,
  pick(tables.reindexes, 'artifact_key', 'entry_id'),
);

/**
 * Counts again, under the claim, how far a corpus is behind before its first batch. The count of the claim itself can be from before
 * another worker finished the corpus, and `finishCorpus` would add it a second time.
 */
const countBehind = statement(
  'count_stale_texts',
  `UPDATE reindexes SET behind = (SELECT coalesce(sum(totals.behind), 0) FROM (${behind}) AS totals)
   WHERE tenant_id = $1 AND scope_key = $2 AND corpus = $3 AND claim = $4 AND artifact_key = 0`,
);

/** Claims a corpus, at the place where its last worker stopped; undefined if another worker has it, or it is done. */
export async function claimCorpus(sql: Sql, stale: StaleCorpus): Promise<ClaimedCorpus | undefined> {
  const claim = newId();
  const values = [stale.tenantId, stale.scopeKey, stale.corpus, claim];
  const row = await sql.first(claimStatement, values);
  if (row === undefined) return undefined;
  await sql.rows(countBehind, values);
  return { ...stale, claim, after: { artifactKey: row.artifact_key, entryId: row.entry_id } };
}

/** Moves the position, and extends the claim. */
export const savePosition = statement(
  'save_reindex_position',
  `UPDATE reindexes SET artifact_key = $5, entry_id = $6, claimed_until = now() + interval '${leaseSeconds} s'
   WHERE tenant_id = $1 AND scope_key = $2 AND corpus = $3 AND claim = $4`,
);

/** Values of `savePosition`. */
export function positionValues(claimed: ClaimedCorpus, { artifactKey, entryId }: Position): unknown[] {
  return [claimed.tenantId, claimed.scopeKey, claimed.corpus, claimed.claim, artifactKey, entryId];
}

/** Now rounded to milliseconds can be later. */
const release = statement(
  'release_stale_corpus',
  `UPDATE reindexes SET claimed_until = now() - interval '1 ms' WHERE tenant_id = $1 AND scope_key = $2 AND corpus = $3 AND claim = $4`,
);

/** Lets any worker continue at the saved position. */
export async function releaseCorpus(sql: Sql, claimed: ClaimedCorpus): Promise<void> {
  await sql.rows(release, [claimed.tenantId, claimed.scopeKey, claimed.corpus, claimed.claim]);
}

const finish = statement(
  'finish_reindex',
  `WITH done AS (
     DELETE FROM reindexes WHERE tenant_id = $1 AND scope_key = $2 AND corpus = $3 AND claim = $4 RETURNING behind
   ), documents AS (
     UPDATE document_totals t SET analyzed_v2 = t.analyzed_v2 + done.behind FROM done
     WHERE t.tenant_id = $1 AND t.scope_key = $2 AND t.family = $3
   ), vectors AS (
     UPDATE memory_embedding_totals t SET is_quantized = true FROM done
     WHERE t.tenant_id = $1 AND t.scope_key = $2 AND NOT t.is_quantized AND $3 = 'memory_vectors'
   )
   UPDATE memory_totals t SET analyzed_v2 = t.analyzed_v2 + done.behind FROM done
   WHERE t.tenant_id = $1 AND t.scope_key = $2 AND $3 = 'memory'`,
);

/** Records that all texts which the counter was behind at the beginning are analyzed. Places are counted as they are given. */
export async function finishCorpus(sql: Sql, claimed: ClaimedCorpus): Promise<void> {
  await sql.rows(finish, [claimed.tenantId, claimed.scopeKey, claimed.corpus, claimed.claim]);
}
