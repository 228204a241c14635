import type { ArtifactRef } from '@continuity/contract';
import type { SearchHit } from '@continuity/contract/memory';
import type { ArtifactKey, Sql, TenantId } from '@continuity/kernel/database';
import {
  type AnalyzedQuery,
  type ChannelScore,
  type CosineScale,
  confidenceOf,
  fuseScores,
  type LexicalQuery,
  type ScoredHit,
} from '../../search/index.ts';
import { citationOf, memoryRef, scopeMemoryId } from '../entry.ts';
import { presentValidity } from '../validity.ts';
import type { SearchDeps } from './deps.ts';
import { keyOf } from './entry-key.ts';
import { levelFactStates } from './fact-states.ts';
import { type AsOf, type LexicalAnswer, scoreLexically, searchLexically } from './lexical-search.ts';
import type { ChannelHit } from './lexical-statements.ts';
import { levelNearTies } from './near-ties.ts';
import { addNeighborScores } from './neighbors.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { QueryVector } from './query-embedder.ts';
import {
  type NearestAnswer,
  type NearestQuery,
  readNearest,
  scoreByVector,
  type VectorSupport,
} from './vectors/index.ts';

export interface ScopeSearch extends AsOf {
  tenantId: TenantId;
  scopeId: string;
  /** Limit of hits. */
  limit: number;
}

const allChannels = ['fts', 'vector'] as const;
type Channel = (typeof allChannels)[number];
type ScopeHit = ScoredHit<Channel, ChannelHit>;
/** Factors of the scores of the channels that ran, 0 to 1. */
type ChannelWeights = Readonly<Partial<Record<Channel, number>>>;

/** A hit with the key and version of its entry, and its scores in the channels that ran. */
export interface VersionedHit extends SearchHit {
  version: number;
  artifactKey: ArtifactKey;
  channels: ChannelScores;
}

/** Scores of an entry in the channels that ran. */
export type ChannelScores = Readonly<Partial<Record<Channel, ChannelScore>>>;

export interface SearchAnswer {
  /** Null if the Scope has no Memory; then `mode` is null too. */
  memory: ArtifactRef | null;
  /** The mode that ran. */
  mode: Channel | 'hybrid' | null;
  /** Best first. */
  hits: VersionedHit[];
  /** How the cosines were read; null where no vector channel ran. */
  scale: CosineScale | null;
  /** The final scores of all candidates, `hits` among them, by `keyOf`. */
  candidates: ReadonlyMap<string, number>;
  /** What all scores are divided by: the largest one before. */
  largestScore: number;
  /** True where a reranker ordered the hits. */
  isReranked?: true;
}

/** Hits of each channel for `n` wanted hits (spec 20 S5). */
function channelSize(n: number): number {
  return Math.max(4 * n, 32);
}

/**
 * The best active entries of one Scope for a query, all of one snapshot (spec 20 S1 to S5 and S10, spec 26 S15). Calls no model. A hybrid
 * search takes two round trips: the hits of both channels, then the scores that they lack.
 */
export async function searchScope(
  deps: SearchDeps,
  scope: ScopeSearch,
  query: ParsedQuery,
): Promise<SearchAnswer> {
  const { database, vectorSupport } = deps;
  // A lexical search is one statement, which is a snapshot by itself.
  if (query.vector === null) return await searchOnSnapshot(deps, database.sql, scope, query);
  // Read before the snapshot takes a connection: waiting for a second one could deadlock the pool.
  await vectorSupport.read(database.sql, query.vector.profile);
  return await database.snapshot((sql) => searchOnSnapshot(deps, sql, scope, query));
}

/** As `searchScope`, where `sql` is an open snapshot that other reads share. */
export async function searchOnSnapshot(
  { vectorSupport, corpusCache }: Pick<SearchDeps, 'vectorSupport' | 'corpusCache'>,
  sql: Sql,
  scope: ScopeSearch,
  query: ParsedQuery,
): Promise<SearchAnswer> {
  const { tenantId, scopeId, limit, asOf } = scope;
  const { vector, words, mode } = query;
  const lexicalQuery = {
    tenantId,
    scopeId,
    asOf,
    query: words,
    limit: channelSize(limit),
  };
  const presentWords = (answer: LexicalAnswer) =>
    presentOne({ limit, words, languages: answer.languages }, 'fts', answer);
  if (vector === null) return presentWords(await searchLexically(sql, corpusCache, lexicalQuery));
  const support = await vectorSupport.read(sql, vector.profile);
  const nearestQuery = nearestQueryOf(scope, vector, mode);
  if (mode === 'vector')
    return presentOne({ limit }, 'vector', await readNearest(sql, support, nearestQuery), support.scale);
  // Sent at once, so that both channels share a round trip.
  const [lexical, nearest] = await Promise.all([
    searchLexically(sql, corpusCache, lexicalQuery),
    readNearest(sql, support, nearestQuery),
  ]);
  if (!nearest.ran) return presentWords(lexical);
  const hits = await joinHits(sql, { lexical, lexicalQuery, nearest, nearestQuery, support });
  const weights = { fts: 1, vector: vectorWeightOf(words) };
  const shown = { limit, words, languages: lexical.languages };
  return present(shown, 'hybrid', weights, lexical.headRevision, hits, support.scale);
}

/**
 * The factor of the vector scores in a fusion (spec 26 S10). An entry near to any segment counts as near to the query, so vectors say less
 * about a prompt of many segments: most of it is about something else than its question.
 */
function vectorWeightOf(words: AnalyzedQuery): number {
  return 1 / Math.sqrt(Math.max(1, words.analysisIn().segments.length));
}

function nearestQueryOf(
  { tenantId, scopeId, limit, asOf }: ScopeSearch,
  vector: QueryVector,
  mode: ParsedQuery['mode'],
): NearestQuery {
  return { tenantId, scopeId, asOf, vector, limit: channelSize(limit), onlyIfCovered: mode === 'auto' };
}

interface BothChannels {
  lexical: LexicalAnswer;
  lexicalQuery: LexicalQuery;
  nearest: NearestAnswer;
  nearestQuery: NearestQuery;
  support: VectorSupport;
}

/** The hits of both channels, each with its exact score in both. The lexical ones are read anew, with their coverage. */
async function joinHits(
  sql: Sql,
  { lexical, lexicalQuery, nearest, nearestQuery, support }: BothChannels,
): Promise<ScopeHit[]> {
  const admitted = new Set(lexical.hits.map(keyOf));
  const similarities = new Map(nearest.hits.map((hit) => [keyOf(hit), hit.score]));
  const joined = [...lexical.hits, ...nearest.hits.filter((hit) => !admitted.has(keyOf(hit)))];
  const [lexicalScores, moreSimilarities] = await Promise.all([
    scoreLexically(sql, lexicalQuery, lexical.languages, joined),
    scoreByVector(
      sql,
      support,
      nearestQuery,
      lexical.hits.filter((hit) => !similarities.has(keyOf(hit))),
    ),
  ]);
  return joined.map((item) => {
    const key = keyOf(item);
    const matchedBy: Channel[] = [];
    if (admitted.has(key)) matchedBy.push('fts');
    if (similarities.has(key)) matchedBy.push('vector');
    const { score: fts, coverage } = lexicalScores.get(key) ?? { score: 0, coverage: 0 };
    const vector = similarities.get(key) ?? moreSimilarities.get(key) ?? 0;
    return { item, scores: { fts, vector }, confidence: { fts: confidenceOf(coverage) }, matchedBy };
  });
}

/** What the answer of a search depends on, beside its hits. */
interface ShownSearch {
  limit: number;
  /** Absent where words did not count. */
  words?: AnalyzedQuery;
  /** Mask of the languages of the Scope's entries. */
  languages?: number;
}

/** The answer of one channel. */
function presentOne(
  shown: ShownSearch,
  channel: Channel,
  { headRevision, hits }: Pick<NearestAnswer, 'headRevision' | 'hits'>,
  scale: CosineScale | null = null,
): SearchAnswer {
  const scored = hits.map(
    (item): ScopeHit => ({
      item,
      scores: { fts: item.score, vector: item.score },
      matchedBy: [channel],
    }),
  );
  return present(shown, channel, { [channel]: 1 }, headRevision, scored, scale);
}

function present(
  { limit, words, languages }: ShownSearch,
  mode: Channel | 'hybrid',
  weights: ChannelWeights,
  headRevision: number | null,
  hits: ScopeHit[],
  scale: CosineScale | null,
): SearchAnswer {
  if (headRevision === null)
    return { memory: null, mode: null, hits: [], scale, candidates: new Map(), largestScore: 0 };
  const baselines = { fts: 0, vector: scale?.baseline ?? 0 };
  const scored = allChannels.flatMap((channel) => {
    const weight = weights[channel];
    return weight === undefined ? [] : [{ channel, weight, baseline: baselines[channel] }];
  });
  const { candidates, largest } = addNeighborScores(fuseScores(scored, hits, compareEqualHits));
  candidates.sort(compareHits);
  const ties = mode === 'hybrid' ? levelNearTies(candidates, weights.vector).sort(compareHits) : candidates;
  // Of two states of one fact, the newer comes first.
  const fused = words === undefined ? ties : levelFactStates(ties, words, languages).sort(compareHits);
  return {
    memory: memoryRef(scopeMemoryId, headRevision),
    mode,
    scale,
    candidates: new Map(fused.map(({ item, score }) => [keyOf(item), score])),
    largestScore: largest,
    hits: fused.slice(0, limit).map(({ item, score, matchedBy, channels }) => ({
      citation: citationOf(memoryRef(item.artifact_id, item.head_revision), item),
      version: item.version,
      text: item.text,
      score,
      matched_by: [...matchedBy],
      ...presentValidity(item),
      artifactKey: item.artifact_key,
      channels,
    })),
  };
}

type ComparedHit = Readonly<{ score: number; item: ChannelHit }>;

/** Orders hits: the best first, those of equal score by `compareEqualHits`. */
function compareHits(left: ComparedHit, right: ComparedHit): number {
  return right.score - left.score || compareEqualHits(left.item, right.item);
}

/** Orders hits of equal score as `hitOrder` does: the newest first, then by ids, which are ASCII (spec 25 Q6). */
function compareEqualHits(left: ChannelHit, right: ChannelHit): number {
  if (left.revision !== right.revision) return right.revision - left.revision;
  const [a, b] = [`${left.artifact_id} ${left.entry_id}`, `${right.artifact_id} ${right.entry_id}`];
  return a < b ? -1 : Number(a > b);
}
