import type { ExperienceContent } from '@continuity/contract/experience';
import type { Sql, TenantId } from '@continuity/kernel/database';
import {
  type DocumentHit,
  documentCorpus,
  documentsOfScope,
  explainDocuments,
  languagesOfDocuments,
  searchDocuments,
} from '../documents/index.ts';
import type { Proposed } from '../review/index.ts';
import type { CorpusCache, CorpusId, LexicalQuery, SegmentMatch } from '../search/index.ts';

/** Returns the text of an Experience that lexical search reads (spec 20 P3). */
export function searchedText({ situation, action, outcome, lesson }: ExperienceContent): string {
  return [situation, action, outcome, lesson].join('\n');
}

/** Makes the proposal of a Candidate. */
export function proposedExperience(content: ExperienceContent): Proposed {
  return { family: 'experience', content, title: content.lesson, package: null, store: async () => {} };
}

/** Returns the text of an Experience as evidence: its fields with their labels. */
export function labeledText({ situation, action, outcome, lesson }: ExperienceContent): string {
  return `Situation: ${situation}\n\nAction: ${action}\n\nOutcome: ${outcome}\n\nLesson: ${lesson}`;
}

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

/** What Experiences of a Scope hold of the segments of a query, by `artifact_id` (`explainDocuments`). */
export function explainExperiences(
  sql: Sql,
  cache: CorpusCache,
  query: Omit<LexicalQuery, 'limit'>,
  artifactIds: readonly string[],
): Promise<Map<string, SegmentMatch[]>> {
  return explainDocuments(sql, cache, 'experience', query, artifactIds);
}
