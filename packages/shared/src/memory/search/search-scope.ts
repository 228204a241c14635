import type { ArtifactRef } from '@continuity/contract';
import type { SearchHit } from '@continuity/contract/memory';
import type { Sql } from '@continuity/shared/kernel';
import { type Channel, fuseRanks } from '../../lexical/index.ts';
import { citationOf, memoryRef, scopeMemoryId } from '../entry.ts';
import type { KnownScopes } from '../known-scopes.ts';
import { type LexicalAnswer, type MemoryQuery, searchLexically } from '../lexical-search.ts';
import type { LexicalHit } from '../search-statements.ts';
import type { Searching } from './port.ts';
import type { QueryVector, ReadQuery } from './read-query.ts';
import { type NearestAnswer, readNearest, type VectorSupport } from './vectors/index.ts';

export interface ScopeSearch {
  tenantId: number;
  scopeId: string;
  /** Most hits. */
  limit: number;
  /** As `searchLexically` has it. */
  mostTrips?: MemoryQuery['mostTrips'];
}

type ChannelName = 'fts' | 'vector';

export interface SearchAnswer {
  /** Null where the Scope has no Memory; then `mode` is null too. */
  memory: ArtifactRef | null;
  /** The mode that ran. */
  mode: 'fts' | 'vector' | 'hybrid' | null;
  /** Best first. */
  hits: SearchHit[];
}

/** Candidates of a channel for `n` wanted hits (spec 20 S5). */
function channelSize(n: number): number {
  return Math.max(4 * n, 32);
}

/** The best active entries of one Scope for a query, all of one snapshot (spec 20 S1 to S5, S10). Asks no model. */
export async function searchScope(
  searching: Searching,
  scope: ScopeSearch,
  query: ReadQuery,
): Promise<SearchAnswer> {
  const { database, vectorSupport } = searching;
  // One statement is a snapshot by itself.
  if (query.vector === null) return await searchOnSnapshot(searching, database.sql, scope, query);
  // Asked before a connection is held: a second one may be long in coming.
  await vectorSupport.read(database.sql, query.vector.profile);
  return await database.snapshot((sql) => searchOnSnapshot(searching, sql, scope, query));
}

/** As `searchScope`, where `sql` is an open snapshot that others read too. */
export async function searchOnSnapshot(
  { vectorSupport, known }: Pick<Searching, 'vectorSupport' | 'known'>,
  sql: Sql,
  scope: ScopeSearch,
  query: ReadQuery,
): Promise<SearchAnswer> {
  const { vector } = query;
  // Alone, the channel's order is the answer's.
  if (vector === null) return answer(scope, [await readWords(sql, known, scope, query, scope.limit)]);
  const support = await vectorSupport.read(sql, vector.profile);
  return await searchByVector(sql, known, support, scope, { ...query, vector });
}

/** The statements of both channels are sent at once, so that they share a round trip. */
async function searchByVector(
  sql: Sql,
  known: KnownScopes,
  support: VectorSupport,
  scope: ScopeSearch,
  query: ReadQuery & { vector: QueryVector },
): Promise<SearchAnswer> {
  const { tenantId, scopeId, limit } = scope;
  const nearest = readNearest(sql, support, {
    tenantId,
    scopeId,
    vector: query.vector,
    limit: channelSize(limit),
    onlyIfCovered: query.mode === 'auto',
  });
  if (query.mode === 'vector') return answer(scope, [vectorChannel(await nearest)]);
  const [words, near] = await Promise.all([readWords(sql, known, scope, query, channelSize(limit)), nearest]);
  return answer(scope, near.ran ? [words, vectorChannel(near)] : [words]);
}

/** What one channel found. */
interface Found extends Channel<ChannelName, LexicalHit> {
  headRevision: number | null;
}

async function readWords(
  sql: Sql,
  known: KnownScopes,
  { tenantId, scopeId, mostTrips }: ScopeSearch,
  query: ReadQuery,
  limit: number,
): Promise<Found> {
  const search = { tenantId, scopeId, query: query.words, limit, ...(mostTrips && { mostTrips }) };
  const { headRevision, hits }: LexicalAnswer = await searchLexically(sql, known, search);
  return { name: 'fts', ranked: hits, headRevision };
}

function vectorChannel({ headRevision, hits }: NearestAnswer): Found {
  return { name: 'vector', ranked: hits, headRevision };
}

function answer({ limit }: ScopeSearch, channels: [Found, ...Found[]]): SearchAnswer {
  const [first, second] = channels;
  if (first.headRevision === null) return { memory: null, mode: null, hits: [] };
  const fused = fuseRanks(channels, identify, compareIds);
  return {
    memory: memoryRef(scopeMemoryId, first.headRevision),
    mode: second === undefined ? first.name : 'hybrid',
    hits: fused.slice(0, limit).map(({ item, score, matchedBy }) => ({
      citation: citationOf(memoryRef(item.artifact_id, item.head_revision), item),
      text: item.text,
      score,
      matched_by: [...matchedBy],
    })),
  };
}

function identify(hit: LexicalHit): string {
  return `${hit.artifact_id} ${hit.entry_id}`;
}

/** Ascending bytes of `artifact_id`, `entry_id`, `entry_version_id`; all three are ASCII. */
function compareIds(left: LexicalHit, right: LexicalHit): number {
  const a = `${identify(left)} ${left.entry_version_id}`;
  const b = `${identify(right)} ${right.entry_version_id}`;
  return a < b ? -1 : Number(a > b);
}
