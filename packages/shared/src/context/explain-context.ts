import type { ContextExplanation, ExplainedScope, ExplainSubject } from '@continuity/contract/context';
import type { Sql } from '@continuity/kernel/database';
import { explainExperiences } from '../experience/index.ts';
import {
  countQuery,
  type EntryKey,
  explainEntries,
  findRareTerms,
  hasMemory,
  keyOf,
  measureSimilarities,
  parseQuery,
  type SearchDeps,
  type VersionedHit,
} from '../memory/index.ts';
import {
  type ExplainedHits,
  explainItems,
  explainTerms,
  type QueryTerms,
  type ScopeMatches,
} from './explain-items.ts';
import { explainSubject, type FoundSubject, findSubjects } from './explain-subjects.ts';
import { type ContextSearch, type FoundHits, findHits, relevantHits, type ScopeHits } from './find-hits.ts';
import { layoutOf } from './layout.ts';
import {
  type ContextRequest,
  fitFound,
  type PrepareDeps,
  present,
  reasonOf,
  withDates,
} from './prepare-context.ts';
import { findSkipped, type SkippedScope } from './referenced-scopes.ts';
import { maxExperiences, memoryHitsFor, untriedExperiences } from './trial-order.ts';

interface ExplainRequest extends ContextRequest {
  subjects: readonly ExplainSubject[];
}

/**
 * Explains a context (spec 60 §3.2): prepares it as `prepareContext` does, and says of each hit, and of each subject, what became
 * of it. Counts no recall.
 */
export async function explainContext(
  { database, searchDeps, logger, clock }: Omit<PrepareDeps, 'estimates'>,
  request: ExplainRequest,
): Promise<ContextExplanation> {
  const { tenantId, scopeId, format, maxBytes, maxItems, asOf, subjects } = request;
  const usageDeps = { sql: database.sql, logger };
  const embedder = searchDeps.embedder();
  const query = await parseQuery(embedder, { query: request.query, mode: 'auto' });
  const search: ContextSearch = {
    tenantId,
    currentScopeId: scopeId,
    query,
    asOf,
    memoryHits: memoryHitsFor(maxItems),
    experienceHits: maxExperiences,
  };
  const [reading] = await Promise.all([
    database.snapshot((sql) => read(sql, searchDeps, search, subjects)),
    query.vector && countQuery(usageDeps, { tenantId, scopeId }, query.vector.usage, clock.now()),
  ]);
  const analysis = query.words.analysisIn(searchDeps.corpusCache.get({ tenantId, scopeId }).languages);
  const terms = explainTerms(analysis, reading.rare);
  const layout = layoutOf(format, scopeId);
  const frame = {
    frame_bytes: layout.frameBytes,
    segments: analysis.segments.length,
    terms: terms.terms,
  };
  const { found } = reading;
  if (found === undefined) {
    const prepared = present(format, 'no_memory');
    return {
      prepared,
      ...frame,
      scopes: [],
      skipped: [],
      items: [],
      subjects: explainSubjects(subjects, reading, new Map(), [], terms),
    };
  }
  const size = { layout, maxBytes, maxItems };
  const { fitted, ranked, trials } = await fitFound(searchDeps, usageDeps, search, size, found);
  // Evidence is immutable, so its dates need no snapshot.
  const answer =
    fitted === undefined
      ? await reasonOf(found, trials, async () => reading.hasOwnMemory)
      : await withDates(database.sql, tenantId, fitted, format === 'v1' ? undefined : size);
  const prepared = present(format, answer);
  const scopes = new Map(
    found.scopes.flatMap((hits, index): [string, ExplainedHits][] => {
      const [own, matches] = [ranked[index], reading.matches[index]];
      return own === undefined || matches === undefined
        ? []
        : [[hits.scopeId, { hits, ranked: own, matches }]];
    }),
  );
  const untried = untriedExperiences(
    ranked,
    trials.map(({ hit }) => hit),
  );
  const items = explainItems(scopes, terms, trials, untried, keyOfHit);
  const isQueryEmbedded = embedder === null ? null : query.vector !== null;
  return {
    prepared,
    ...frame,
    scopes: [...scopes.values()].map((scope, index) => explainScope(scope, index, isQueryEmbedded)),
    skipped: reading.skipped,
    items,
    subjects: explainSubjects(subjects, reading, scopes, items, terms),
  };
}

/** What an explanation reads, on one snapshot. */
interface Reading {
  found: FoundHits | undefined;
  /** In the order of `found.scopes`. */
  matches: ScopeMatches[];
  /** Places of the rare terms. */
  rare: ReadonlySet<number>;
  skipped: SkippedScope[];
  /** Whether the current Scope has Memory or an Experience. */
  hasOwnMemory: boolean;
  /** In the order of the request. */
  subjects: (FoundSubject | undefined)[];
}

async function read(
  sql: Sql,
  searchDeps: SearchDeps,
  search: ContextSearch,
  asked: readonly ExplainSubject[],
): Promise<Reading> {
  const { tenantId, currentScopeId } = search;
  const [found, subjects, skipped, hasOwnMemory] = await Promise.all([
    findHits(sql, searchDeps, search),
    findSubjects(sql, tenantId, asked, search.asOf ?? null),
    findSkipped(sql, tenantId, currentScopeId),
    hasMemory(sql, tenantId, currentScopeId),
  ]);
  const others = { found, skipped, hasOwnMemory, subjects };
  if (found === undefined) return { ...others, matches: [], rare: new Set() };
  const [rare, ...matches] = await Promise.all([
    findRareTerms(sql, searchDeps, scopeSearch(search, currentScopeId), search.query),
    ...found.scopes.map((hits) =>
      readMatches(
        sql,
        searchDeps,
        search,
        hits,
        asked.flatMap((subject, index) => {
          const known = subjects[index];
          return subject.scope_id === hits.scopeId && known?.isActive ? [{ subject, known }] : [];
        }),
      ),
    ),
  ]);
  return { ...others, rare, matches };
}

/** Reads what the hits of a Scope, and its subjects, hold of the query. */
async function readMatches(
  sql: Sql,
  searchDeps: SearchDeps,
  search: ContextSearch,
  { scopeId, memory, experiences }: ScopeHits,
  subjects: readonly { subject: ExplainSubject; known: FoundSubject }[],
): Promise<ScopeMatches> {
  const { tenantId, query } = search;
  const scope = scopeSearch(search, scopeId);
  const hits = relevantHits(memory).hits.map(entryKeyOf);
  const asked = subjects.flatMap(({ subject, known }): EntryKey[] =>
    subject.kind === 'memory' ? [{ artifact_key: known.artifactKey, entry_id: subject.entry_id }] : [],
  );
  const others = asked.filter((key) => !memory.hits.some((hit) => keyOfHit(hit) === keyOf(key)));
  const rest = asked.filter((key) => !hits.some((hit) => keyOf(hit) === keyOf(key)));
  const artifactIds = new Set([
    ...experiences.map(({ artifact_id }) => artifact_id),
    ...subjects.flatMap(({ subject }) => (subject.kind === 'experience' ? [subject.artifact_id] : [])),
  ]);
  const lexicalQuery = { tenantId, scopeId, query: query.words };
  const [ofEntries, ofExperiences, similarities] = await Promise.all([
    explainEntries(sql, searchDeps, scope, query, [...hits, ...rest]),
    explainExperiences(sql, searchDeps.corpusCache, lexicalQuery, [...artifactIds]),
    memory.mode === 'hybrid'
      ? measureSimilarities(sql, searchDeps, scope, query, others)
      : new Map<string, number>(),
  ]);
  return { entries: ofEntries, experiences: ofExperiences, similarities };
}

function scopeSearch({ tenantId, memoryHits }: ContextSearch, scopeId: string) {
  return { tenantId, scopeId, limit: memoryHits };
}

function entryKeyOf({ artifactKey, citation }: VersionedHit): EntryKey {
  return { artifact_key: artifactKey, entry_id: citation.entry_id };
}

function keyOfHit(hit: VersionedHit): string {
  return keyOf(entryKeyOf(hit));
}

function explainSubjects(
  asked: readonly ExplainSubject[],
  { subjects }: Reading,
  scopes: ReadonlyMap<string, ExplainedHits>,
  items: ContextExplanation['items'],
  terms: QueryTerms,
): ContextExplanation['subjects'] {
  return asked.map((subject, index) =>
    explainSubject(subject, subjects[index], scopes.get(subject.scope_id), items, terms),
  );
}

/** @param isQueryEmbedded null without an embedding model */
function explainScope(
  { hits, ranked }: ExplainedHits,
  index: number,
  isQueryEmbedded: boolean | null,
): ExplainedScope {
  const { mode } = hits.memory;
  const isFallback = mode === 'fts' && isQueryEmbedded !== null;
  return {
    scope_id: hits.scopeId,
    role: index === 0 ? 'current' : 'referenced',
    mode,
    fallback: isFallback ? (isQueryEmbedded ? 'vectors_missing' : 'query_not_embedded') : null,
    reranked: ranked.isReranked,
    memory_hits: ranked.memory.length,
    experience_hits: ranked.experiences.length,
  };
}
