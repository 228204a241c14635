import { pick, type Sql, statement, type Transaction, tables } from '@continuity/kernel/database';
import type { Observed } from './receipt-rules.ts';
import type { TargetKey } from './target.ts';

/** The observed state of one publication. */
export interface ObservedPublication extends Observed {
  artifact_id: string;
}

const storeStatement = statement(
  'store_remote_observations',
  `UPDATE remote_skill_publications p SET state = seen.state, observed_revision = seen.observed_revision,
     observed_tree_digest = seen.observed_tree_digest, observed_generation = seen.observed_generation,
     last_error_code = seen.last_error_code, observed_at = now()
   FROM unnest($4::text[], $5::text[], $6::int[], $7::text[], $8::int[], $9::text[])
     AS seen (artifact_id, state, observed_revision, observed_tree_digest, observed_generation, last_error_code)
   WHERE p.tenant_id = $1 AND p.scope_key = $2 AND p.target_id = $3 AND p.artifact_id = seen.artifact_id
   RETURNING p.observed_at`,
  pick(tables.remote_skill_publications, 'observed_at'),
);

const columnsOf = (rows: readonly ObservedPublication[]) => [
  rows.map(({ artifact_id }) => artifact_id),
  rows.map(({ state }) => state),
  rows.map(({ observed_revision }) => observed_revision),
  rows.map(({ observed_tree_digest }) => observed_tree_digest),
  rows.map(({ observed_generation }) => observed_generation),
  rows.map(({ last_error_code }) => last_error_code),
];

/** Stores the observed states of publications in one statement. The caller has locked their target. */
export async function storeObserved(
  sql: Sql,
  key: TargetKey,
  rows: readonly ObservedPublication[],
): Promise<void> {
  await sql.rows(storeStatement, valuesOf(key, rows));
}

/** Stores the observed state of one publication, and commits in the same round trip. Returns `observed_at`. */
export async function commitObserved(
  sql: Transaction,
  key: TargetKey,
  row: ObservedPublication,
): Promise<Date> {
  const [stored] = await sql.commitWith(storeStatement, valuesOf(key, [row]));
  if (stored?.observed_at == null) throw new Error('A publication that was just read does not exist.');
  return stored.observed_at;
}

function valuesOf(
  { tenantId, scopeKey, targetId }: TargetKey,
  rows: readonly ObservedPublication[],
): unknown[] {
  return [tenantId, scopeKey, targetId, ...columnsOf(rows)];
}
