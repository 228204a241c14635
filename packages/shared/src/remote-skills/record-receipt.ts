import type { TenantId, Transaction } from '@continuity/kernel/database';
import type { ServiceError } from '@continuity/kernel/errors';
import type { RemoteTarget } from '@continuity/shared/handlers';
import { recordContact } from './contact.ts';
import type { RemoteSkillDeps } from './deps.ts';
import { findPublication } from './find-publication.ts';
import { type PublicationRow, presentPublication } from './publication.ts';
import { publicationNotFound } from './publication-conflicts.ts';
import { checkReceipt, compareReceipt, type Receipt } from './receipt-rules.ts';
import { commitObserved } from './store-observed.ts';

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
