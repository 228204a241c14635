import type { ExplainedChannels, ExplainedItem, ExplainedTerm } from '@continuity/contract/context';
import { excerptOf, firstCodePoints, utf8Length } from '@continuity/kernel/text';
import type { ExperienceHit } from '../experience/index.ts';
import type { VersionedHit } from '../memory/index.ts';
import {
  type CosineScale,
  chooseSegment,
  type LexicalMatch,
  type QueryAnalysis,
  type SegmentMatch,
} from '../search/index.ts';
import type { ContextHit } from './context-hit.ts';
import type { RankedScope, ScopeHits } from './find-hits.ts';
import type { Trial } from './fit-hits.ts';

/** Limits of an excerpt and of the text of a term, in code points. */
const maxExcerpt = 240;
const maxTermText = 64;

/** The terms of a query in the order of its segments (spec 60 §3.2.5). */
export interface QueryTerms {
  terms: ExplainedTerm[];
  /** Places in `terms`, ascending, of terms at these places of the analysis. */
  placesOf(terms: readonly number[]): number[];
}

/** @param rare places of the rare terms in the analysis */
export function explainTerms({ terms, segments }: QueryAnalysis, rare: ReadonlySet<number>): QueryTerms {
  const explained: ExplainedTerm[] = [];
  const places = new Map<number, number>();
  for (const [index, segment] of segments.entries()) {
    for (const place of segment.terms) {
      const term = terms[place];
      if (term === undefined || places.has(place)) continue;
      places.set(place, explained.length);
      const text = firstCodePoints(term.text, maxTermText);
      explained.push({ text, segment: index + 1, is_rare: rare.has(place) });
    }
  }
  return {
    terms: explained,
    placesOf: (found) => found.flatMap((place) => places.get(place) ?? []).sort((one, other) => one - other),
  };
}

/** What texts of a Scope hold of the segments of the query. */
export interface ScopeMatches {
  /** By `keyOf` of the entry. */
  entries: ReadonlyMap<string, SegmentMatch[]>;
  /** By `artifact_id`. */
  experiences: ReadonlyMap<string, SegmentMatch[]>;
  /** Cosine similarity of entries that the search did not answer, by `keyOf`. */
  similarities: ReadonlyMap<string, number>;
}

/** A read Scope with everything that explains its hits. */
export interface ExplainedHits {
  hits: ScopeHits;
  ranked: RankedScope;
  matches: ScopeMatches;
}

/** The channels of a text. */
export function explainChannels(
  { placesOf }: QueryTerms,
  match: LexicalMatch,
  share: number,
  vector: { similarity: number; share: number; scale: CosineScale } | null,
): ExplainedChannels {
  return {
    lexical: {
      score: share,
      segment: match.segment === null ? null : match.segment + 1,
      matched: placesOf(match.terms),
      admitted: match.isAdmitted,
    },
    vector: vector && {
      similarity: Math.max(-1, Math.min(1, vector.similarity)),
      score: vector.share,
      admitted: vector.similarity >= vector.scale.minSimilarity,
    },
  };
}

/** The channels of a hit of Memory. `segments` are what its text holds. */
export function channelsOfHit(
  terms: QueryTerms,
  { channels: { fts, vector } }: VersionedHit,
  scale: CosineScale | null,
  segments: readonly SegmentMatch[] = [],
): ExplainedChannels {
  const match = chooseSegment(segments, vector !== undefined);
  return explainChannels(
    terms,
    match,
    fts?.share ?? 0,
    vector === undefined || scale === null ? null : { similarity: vector.score, share: vector.share, scale },
  );
}

/** The best score of Experiences in a Scope; 0 without one. */
export function bestExperience(hits: readonly ExperienceHit[]): number {
  return Math.max(0, ...hits.map(({ score }) => score));
}

/** The key of an entry in `ScopeMatches`. */
export type EntryKeyOf = (hit: VersionedHit) => string;

/** Explains the items of a context: each hit that was tried, then the Experiences that were not. */
export function explainItems(
  scopes: ReadonlyMap<string, ExplainedHits>,
  terms: QueryTerms,
  trials: readonly Trial[],
  untried: readonly ContextHit[],
  keyOf: EntryKeyOf,
): ExplainedItem[] {
  const tried = trials.map(({ hit, outcome, itemBytes, roomBytes }, index) => ({
    ...explainHit(scopes, terms, hit, keyOf),
    trial: index + 1,
    outcome,
    item_bytes: itemBytes,
    room_bytes: roomBytes,
  }));
  const others = untried.map((hit) => ({
    ...explainHit(scopes, terms, hit, keyOf),
    trial: null,
    outcome: 'family_limit' as const,
    item_bytes: null,
    room_bytes: null,
  }));
  return [...tried, ...others].map(inOrder);
}

type Explained = Omit<ExplainedItem, 'trial' | 'outcome' | 'item_bytes' | 'room_bytes'>;

function explainHit(
  scopes: ReadonlyMap<string, ExplainedHits>,
  terms: QueryTerms,
  tried: ContextHit,
  keyOf: EntryKeyOf,
): Explained {
  const { kind: family, text, origin } = tried;
  const scope = scopes.get(origin.scopeId);
  if (scope === undefined) throw new Error('A hit is of a Scope that was not read.');
  const { hits, ranked, matches } = scope;
  const common = {
    family,
    scope_id: origin.scopeId,
    excerpt: excerptOf(text, maxExcerpt),
    text_bytes: utf8Length(text),
  };
  const list = family === 'memory' ? ranked.memory : ranked.experiences;
  const rank = list.findIndex(({ citation }) => citation === tried.citation) + 1;
  if (origin.entry === null) {
    const hit = hits.experiences.find(({ artifact_id }) => artifact_id === origin.artifact.artifact_id);
    const best = bestExperience(hits.experiences);
    const share = hit === undefined || best === 0 ? 0 : hit.score / best;
    const match = chooseSegment(matches.experiences.get(origin.artifact.artifact_id) ?? [], false);
    const channels = explainChannels(terms, match, share, null);
    const artifact_ref = origin.artifact;
    return {
      ...common,
      citation: null,
      artifact_ref,
      rank,
      rank_before_reranker: null,
      score: share,
      channels,
    };
  }
  const { entry_id, entry_version_id } = origin.entry;
  const before = hits.memory.hits.findIndex(
    ({ citation }) =>
      citation.entry_id === entry_id && citation.memory_ref.artifact_id === origin.artifact.artifact_id,
  );
  const hit = hits.memory.hits[before];
  if (hit === undefined) throw new Error('A hit is not among those of its Scope.');
  return {
    ...common,
    citation: { memory_ref: origin.artifact, entry_id, entry_version_id },
    artifact_ref: null,
    rank,
    rank_before_reranker: ranked.isReranked ? before + 1 : null,
    score: hit.score,
    channels: channelsOfHit(terms, hit, hits.memory.scale, matches.entries.get(keyOf(hit))),
  };
}

/** The fields in the order of the contract. */
function inOrder(item: ExplainedItem): ExplainedItem {
  const { family, scope_id, citation, artifact_ref, excerpt, trial, outcome, ...rest } = item;
  const { rank, rank_before_reranker, score, channels, text_bytes, item_bytes, room_bytes } = rest;
  return {
    ...{ family, scope_id, citation, artifact_ref, excerpt, trial, outcome, rank, rank_before_reranker },
    ...{ score, channels, text_bytes, item_bytes, room_bytes },
  };
}
