import { firstBatchTerm, type TermSpace } from '../lexical/index.ts';

/** The Families whose content is one document. */
export type DocumentFamily = 'experience' | 'skill';

/** Terms of one Family of a Scope: each Family has statistics of its own. */
export function documentSpace(tenantId: number, scopeId: string, family: DocumentFamily): TermSpace {
  return { tenantId, scopeId, kind: family };
}

/** Above every hashed term. */
const termLimit = 2 ** 52;

/** The term of a document's batch 0; the others follow it. Below every hashed term, so that it is kept before them. */
export function firstDocumentBatch(space: TermSpace): number {
  return firstBatchTerm(space) - 2 * termLimit;
}
