import type { ExperienceContent } from '@continuity/contract/experience';
import type { Sql, TenantId } from '@continuity/kernel/database';
import {
  type DocumentHit,
  documentCorpus,
  documentsOfScope,
  languagesOfDocuments,
  searchDocuments,
} from '../documents/index.ts';
import type { CorpusCache, CorpusId, LexicalQuery } from '../search/index.ts';

/** A head that matches a search. */
export type ExperienceHit = DocumentHit<ExperienceContent>;

/** SQL for the number of Experiences in the Scope of a row. */
export const experiencesOfScope = (scope: string): string => documentsOfScope(scope, 'experience');

/** SQL for the languages of the Experiences in the Scope of a row. */
export const languagesOfExperiences = (scope: string): string => languagesOfDocuments(scope, 'experience');

/** Returns the corpus of a Scope's Experiences. */
export const experienceCorpus = (tenantId: TenantId, scopeId: string): CorpusId =>
  documentCorpus(tenantId, scopeId, 'experience');

/** Searches the heads of a Scope's Experiences lexically (spec 20 S6 to S8, P3). */
export function searchExperiences(
  sql: Sql,
  cache: CorpusCache,
  query: LexicalQuery,
): Promise<ExperienceHit[]> {
  return searchDocuments(sql, cache, 'experience', query);
}
