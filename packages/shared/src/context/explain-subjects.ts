import type { ExplainedItem, ExplainSubject, SubjectResult } from '@continuity/contract/context';
import {
  type ArtifactKey,
  column,
  optimizationFence,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { isServerId } from '@continuity/kernel/text';
import { type ChannelScores, hasNotEnded, holdsAt, keyOf, type VersionedHit } from '../memory/index.ts';
import { chooseSegment, confidenceOf, type LexicalMatch, partOf } from '../search/index.ts';
import { bestExperience, type ExplainedHits, explainChannels, type QueryTerms } from './explain-items.ts';

/** A subject that exists, with the key of its Artifact. */
export interface FoundSubject {
  artifactKey: ArtifactKey;
  /** False for a retired entry. */
  isActive: boolean;
  /** True for an entry that the search leaves out for its validity (spec 26 S1). */
  isEnded: boolean;
}

/** Looks each subject up by its whole key. No row for an unknown one. */
const findStatement = statement(
  'find_explained_subjects',
  `SELECT i.n, a.artifact_key, coalesce(s.active, true) AS active, coalesce(NOT s.holds, false) AS ended
   FROM unnest($2::text[], $3::text[], $4::text[], $5::uuid[]) WITH ORDINALITY AS i(scope_id, family, artifact_id, entry_id, n)
   CROSS JOIN LATERAL (
     SELECT c.scope_key FROM scopes c WHERE c.tenant_id = $1 AND c.scope_id = i.scope_id ${optimizationFence}
   ) AS c
   CROSS JOIN LATERAL (
     SELECT a.artifact_key FROM artifacts a
     WHERE a.tenant_id = $1 AND a.scope_key = c.scope_key AND a.family = i.family AND a.artifact_id = i.artifact_id
       AND a.head_revision > 0
     ${optimizationFence}
   ) AS a
   LEFT JOIN LATERAL (
     SELECT s.active, CASE WHEN $6::timestamptz IS NULL THEN ${hasNotEnded('s')} ELSE ${holdsAt('s', '$6')} END AS holds
     FROM memory_states s
     WHERE s.tenant_id = $1 AND s.artifact_key = a.artifact_key AND s.entry_id = i.entry_id AND s.valid_to IS NULL
     ${optimizationFence}
   ) AS s ON true
   WHERE i.family = 'experience' OR s.active IS NOT NULL`,
  {
    n: column.bigint,
    artifact_key: tables.artifacts.artifact_key,
    active: column.boolean,
    ended: column.boolean,
  },
);

/** Finds subjects; undefined for an unknown one. */
export async function findSubjects(
  sql: Sql,
  tenantId: TenantId,
  subjects: readonly ExplainSubject[],
  asOf: string | null,
): Promise<(FoundSubject | undefined)[]> {
  if (subjects.length === 0) return [];
  const rows = await sql.rows(findStatement, [
    tenantId,
    subjects.map(({ scope_id }) => scope_id),
    subjects.map(({ kind }) => kind),
    subjects.map(({ artifact_id }) => artifact_id),
    subjects.map((subject) =>
      subject.kind === 'memory' && isServerId(subject.entry_id) ? subject.entry_id : null,
    ),
    asOf,
  ]);
  const found = new Map(rows.map((row) => [row.n, row]));
  return subjects.map((_, index) => {
    const row = found.get(index + 1);
    return row && { artifactKey: row.artifact_key, isActive: row.active, isEnded: row.ended };
  });
}

/** Says of a subject what became of it (spec 60 §3.2.6). `scope` is undefined for a Scope that was not read. */
export function explainSubject(
  subject: ExplainSubject,
  found: FoundSubject | undefined,
  scope: ExplainedHits | undefined,
  items: readonly ExplainedItem[],
  terms: QueryTerms,
): SubjectResult {
  const nothing = { subject, item: null, score: null, last_score: null, channels: null };
  if (found === undefined) return { ...nothing, outcome: 'unknown' };
  if (scope === undefined) return { ...nothing, outcome: 'scope_not_read' };
  if (!found.isActive) return { ...nothing, outcome: 'inactive' };
  if (found.isEnded) return { ...nothing, outcome: 'ended' };
  const place = items.findIndex((item) => isItemOf(item, subject));
  const item = items[place];
  if (item !== undefined) {
    const { score, channels } = item;
    return { ...nothing, outcome: 'listed', item: place, score, channels };
  }
  const { score, channels, isAdmitted, lastScore } =
    subject.kind === 'memory'
      ? explainEntry(keyOf({ artifact_key: found.artifactKey, entry_id: subject.entry_id }), scope, terms)
      : explainExperience(subject.artifact_id, scope, terms);
  if (!isAdmitted) return { ...nothing, outcome: 'not_admitted', score, channels };
  return { ...nothing, outcome: 'outranked', score, last_score: lastScore, channels };
}

function isItemOf(item: ExplainedItem, subject: ExplainSubject): boolean {
  if (item.scope_id !== subject.scope_id || item.family !== subject.kind) return false;
  if (subject.kind === 'experience') return item.artifact_ref?.artifact_id === subject.artifact_id;
  return (
    item.citation?.entry_id === subject.entry_id &&
    item.citation.memory_ref.artifact_id === subject.artifact_id
  );
}

function explainEntry(key: string, { hits, ranked, matches }: ExplainedHits, terms: QueryTerms) {
  const found = hits.memory.hits.find((hit) => keyOfHit(hit) === key);
  const { scale } = hits.memory;
  const isHybrid = scale !== null && hits.memory.mode === 'hybrid';
  const match = chooseSegment(matches.entries.get(key) ?? [], isHybrid);
  const confidence = isHybrid ? confidenceOf(match.coverage) : 1;
  const lexical = found?.channels.fts?.share ?? confidence * shareOf(match, hits.memory.hits);
  const similarity = found?.channels.vector?.score ?? matches.similarities.get(key) ?? 0;
  const vectorShare =
    found?.channels.vector?.share ??
    partOf(similarity, bestOf(hits.memory.hits, 'vector'), scale?.baseline ?? 0);
  const vector = isHybrid ? { similarity, share: vectorShare, scale } : null;
  // An entry that is no candidate has no neighbors (spec 26 S15).
  const alone = vector === null ? lexical : (lexical + vectorShare) / 2;
  const score = found?.score ?? hits.memory.candidates.get(key) ?? partOf(alone, hits.memory.largestScore, 0);
  const last = ranked.memory.at(-1);
  return {
    score,
    channels: explainChannels(terms, match, lexical, vector),
    isAdmitted: found !== undefined || match.isAdmitted || (isHybrid && similarity >= scale.minSimilarity),
    lastScore:
      hits.memory.hits.find(({ citation }) => citation.entry_id === last?.origin.entry?.entry_id)?.score ??
      null,
  };
}

function explainExperience(
  artifactId: string,
  { hits: { experiences }, ranked, matches }: ExplainedHits,
  terms: QueryTerms,
) {
  const best = bestExperience(experiences);
  const match = chooseSegment(matches.experiences.get(artifactId) ?? [], false);
  const last = ranked.experiences.at(-1)?.origin.artifact.artifact_id;
  const lastHit = experiences.find(({ artifact_id }) => artifact_id === last);
  const score = partOf(match.score, best, 0);
  return {
    score,
    channels: explainChannels(terms, match, score, null),
    isAdmitted: match.isAdmitted,
    lastScore: lastHit === undefined ? null : partOf(lastHit.score, best, 0),
  };
}

function keyOfHit({ artifactKey, citation }: VersionedHit): string {
  return keyOf({ artifact_key: artifactKey, entry_id: citation.entry_id });
}

/** The part of the best lexical score. The bounded search of a large Memory may have missed a better text, which counts as 1. */
function shareOf({ score }: LexicalMatch, hits: readonly VersionedHit[]): number {
  return partOf(score, bestOf(hits, 'fts'), 0);
}

/** The best score of a channel in a search; 0 without hits. */
function bestOf([hit]: readonly VersionedHit[], channel: keyof ChannelScores): number {
  return hit?.channels[channel]?.best ?? 0;
}
