import type { RemoteTarget, ServiceError, TenantId, Transaction } from '@continuity/shared/kernel';
import { recordContact } from './contact.ts';
import type { RemoteSkillDeps } from './deps.ts';
import { findPublication } from './find-publication.ts';
import { type PublicationRow, presentPublication } from './publication.ts';
import { publicationNotFound } from './publication-conflicts.ts';
import { checkReceipt, judgeReceipt, type Receipt } from './receipt-rules.ts';
import { commitObserved } from './store-observed.ts';

type Settled = { error: ServiceError } | { isStale: boolean; row: PublicationRow };

/**
 * Records how an action of a Receiver ended. Throws 404 `remote_publication_not_found` and 409 `remote_publication_conflict`; both
 * count as contact.
 */
export async function recordReceipt(
  { database }: RemoteSkillDeps,
  tenantId: TenantId,
  target: RemoteTarget,
  receipt: Receipt,
) {
  checkReceipt(receipt);
  const settled = await database.transaction((sql) => settle(sql, tenantId, target, receipt));
  // After the commit, which has stored the contact.
  if ('error' in settled) throw settled.error;
  const { isStale, row } = settled;
  return { accepted: !isStale, stale: isStale, publication: presentPublication(row, target.scopeId) };
}

async function settle(
  sql: Transaction,
  tenantId: TenantId,
  target: RemoteTarget,
  receipt: Receipt,
): Promise<Settled> {
  const key = await recordContact(sql, tenantId, target, receipt);
  const { artifact_id } = receipt.artifact;
  const row = await findPublication(sql, key, artifact_id);
  if (row === undefined) return { error: publicationNotFound() };
  const verdict = judgeReceipt(row, receipt);
  if ('error' in verdict) return verdict;
  if (verdict.isStale || verdict.observed === null) return { isStale: verdict.isStale, row };
  const observed_at = await commitObserved(sql, key, { artifact_id, ...verdict.observed });
  return { isStale: false, row: { ...row, ...verdict.observed, observed_at } };
}
