import type { SearchedFamily } from '@continuity/contract';
import type { TenantId } from '@continuity/kernel/database';
import { type CorpusId, firstBatchTerm } from '../search/index.ts';

/** Returns the corpus of one Family in a Scope. Each Family has its own statistics. */
export function documentCorpus(tenantId: TenantId, scopeId: string, family: SearchedFamily): CorpusId {
  return { tenantId, scopeId, kind: family };
}

/** Upper bound of hashed terms. */
const termLimit = 2 ** 52;

/** Returns the term of batch 0. Batch terms are smaller than hashed terms, so that they sort before them. */
export function firstDocumentBatch(corpus: CorpusId): number {
  return firstBatchTerm(corpus) - 2 * termLimit;
}
