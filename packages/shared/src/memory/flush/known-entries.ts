import { maxQueryCharacters } from '@continuity/contract/memory';
import type { Sql } from '@continuity/kernel/database';
import { textOfJson } from '@continuity/kernel/json';
import type { ClaimedJob } from '../../jobs/index.ts';
import { AnalyzedQuery, CorpusCache } from '../../search/index.ts';
import { type KnownEntry, maxKnownEntries } from '../extraction/index.ts';
import { type ChannelHit, searchLexically, searchScopeMemory } from '../search/index.ts';
import type { FlushWindow, WindowSource } from './window.ts';

/** An active entry of the Scope Memory, with its version at extraction. */
type SeenEntry = KnownEntry & { entry_version_id: string };

/** Limit of searches for one window. Each takes a share of its Sources, because a query has at most 64 distinct terms. */
const maxSearches = 8;

/** Finds the entries of the Scope Memory that are related to the window: at most 64 (spec 20 X6). */
export async function findKnownEntries(sql: Sql, job: ClaimedJob, window: FlushWindow): Promise<SeenEntry[]> {
  const cache = new CorpusCache();
  const lists: ChannelHit[][] = [];
  for (const query of queriesFor(window.sources)) {
    // A Source shares few words with a related entry: one word admits it, and the rank decides.
    const search = { query: new AnalyzedQuery(query), limit: maxKnownEntries, admitsAnyTerm: true };
    const scope = { tenantId: job.tenantId, scopeId: window.scopeId };
    const { hits } = await searchLexically(sql, cache, { ...scope, ...search }, searchScopeMemory);
    lists.push(hits);
  }
  return mergeRoundRobin(lists, maxKnownEntries);
}

function queriesFor(sources: WindowSource[]): string[] {
  const size = Math.ceil(sources.length / maxSearches);
  const share = Math.floor(maxQueryCharacters / size);
  const texts = sources.map(({ json }) => textOfJson(json).slice(0, share));
  const starts = Array.from({ length: Math.ceil(texts.length / size) }, (_, index) => index * size);
  return starts.map((start) =>
    texts
      .slice(start, start + size)
      .join('\n')
      .toWellFormed(),
  );
}

/** Merges lists round-robin up to `limit`, each entry once. */
function mergeRoundRobin(lists: ChannelHit[][], limit: number): SeenEntry[] {
  const taken = new Map<string, SeenEntry>();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let rank = 0; rank < longest; rank += 1) {
    for (const { [rank]: hit } of lists) {
      if (hit === undefined || taken.size === limit) continue;
      const { entry_id, entry_version_id, kind, text } = hit;
      taken.set(entry_id, { entry_id, entry_version_id, kind, text });
    }
  }
  return [...taken.values()];
}
