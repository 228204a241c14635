import type { Citation } from '@continuity/contract';
import { distinctCitations } from '@continuity/contract/evidence';
import type { Sql } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { type EvidencePlace, findEvidence } from './find-evidence.ts';

/**
 * Throws 404 `handoff_evidence_not_found` with all missing Citations, each once and in order. If none is missing, throws 422
 * `source_not_eligible` with the first Source that is lineage only (spec 30 §1.4, §1.5, §8.4).
 */
export async function requireEvidence(
  sql: Sql,
  place: EvidencePlace,
  citations: Iterable<Citation>,
): Promise<void> {
  const cited = distinctCitations(citations);
  if (cited.length === 0) return;
  const found = await findEvidence(sql, place, cited);
  const missing = cited.filter((one) => !found.isReadable(one) && !found.isLineageOnly(one));
  if (missing.length > 0) {
    throw serviceError('handoff_evidence_not_found', { details: { citations: missing } });
  }
  for (const one of cited) {
    if (one.kind === 'source' && found.isLineageOnly(one)) {
      throw serviceError('source_not_eligible', { details: { source_ref: one.source_ref } });
    }
  }
}
