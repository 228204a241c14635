import type { SearchedFamily } from '@continuity/contract';
import { type CorpusId, firstBatchTerm } from '../search/index.ts';

/** The corpus of one Family in a Scope: each Family has statistics of its own. */
export function documentCorpus(tenantId: number, scopeId: string, family: SearchedFamily): CorpusId {
  return { tenantId, scopeId, kind: family };
}

/** Above every hashed term. */
const termLimit = 2 ** 52;

/** The term of a document's batch 0. Batch terms are below every hashed term, so they sort before them. */
export function firstDocumentBatch(corpus: CorpusId): number {
  return firstBatchTerm(corpus) - 2 * termLimit;
}
