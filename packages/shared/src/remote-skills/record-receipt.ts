import {
  pick,
  type Sql,
  statement,
  type TenantId,
  type Transaction,
  tables,
} from '@continuity/kernel/database';
import type { ServiceError } from '@continuity/kernel/errors';
import type { RemoteTarget } from '@continuity/shared/handlers';
import type { RemoteSkillDeps } from './deps.ts';
import {
  findPublication,
  type PublicationRow,
  presentPublication,
  publicationNotFound,
} from './publication.ts';
import { checkReceipt, compareReceipt, type Observed, type Receipt } from './receipt-rules.ts';
import { recordContact, type TargetKey } from './target.ts';

type Recorded = { error: ServiceError } | { isStale: boolean; row: PublicationRow };

/**
 * Records how an action of a Receiver ended. Throws 404 `remote_publication_not_found` and 409 `remote_publication_conflict`. Both
 * record a contact.
 */
export async function recordReceipt(
  { database }: RemoteSkillDeps,
  tenantId: TenantId,
  target: RemoteTarget,
  receipt: Receipt,
) {
  checkReceipt(receipt);
  const recorded = await database.transaction((sql) => record(sql, tenantId, target, receipt));
  // After the commit, so that the contact is stored.
  if ('error' in recorded) throw recorded.error;
  const { isStale, row } = recorded;
  return { accepted: !isStale, stale: isStale, publication: presentPublication(row, target.scopeId) };
}

async function record(
  sql: Transaction,
  tenantId: TenantId,
  target: RemoteTarget,
  receipt: Receipt,
): Promise<Recorded> {
  const key = await recordContact(sql, tenantId, target, receipt);
  const { artifact_id } = receipt.artifact;
  const row = await findPublication(sql, key, artifact_id);
  if (row === undefined) return { error: publicationNotFound() };
  const result = compareReceipt(row, receipt);
  if ('error' in result) return result;
  if (result.isStale || result.observed === null) return { isStale: result.isStale, row };
  const observed_at = await commitObserved(sql, key, { artifact_id, ...result.observed });
  return { isStale: false, row: { ...row, ...result.observed, observed_at } };
}

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
