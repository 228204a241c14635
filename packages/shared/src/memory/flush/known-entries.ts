import type { Sql } from '@continuity/shared/kernel';
import type { ClaimedJob } from '../../jobs/index.ts';
import { AnalyzedQuery, CorpusCache } from '../../search/index.ts';
import { scopeMemoryId } from '../entry.ts';
import { type KnownEntry, MAX_KNOWN_ENTRIES } from '../extraction/index.ts';
import { type ChannelHit, searchLexically } from '../search/index.ts';
import type { FlushWindow, WindowSource } from './window.ts';

/** An active entry of the Scope Memory with the version that extraction sees. */
export type SeenEntry = KnownEntry & { entry_version_id: string };

/** Searches for one window, each for a share of its Sources: a search looks at its first 64 distinct terms only. */
const maxSearches = 8;

/** As many characters as one search may have. */
const maxQueryCharacters = 8_192;

/** The entries of the Scope Memory that the window is about: at most 64, never the whole Memory (spec 20 X6). */
export async function findKnownEntries(sql: Sql, job: ClaimedJob, window: FlushWindow): Promise<SeenEntry[]> {
  const cache = new CorpusCache();
  const lists: ChannelHit[][] = [];
  for (const query of queriesFor(window.sources)) {
    // A Source shares few of its words with an entry that it is about: one is enough here, and the rank decides.
    const search = { query: new AnalyzedQuery(query), limit: MAX_KNOWN_ENTRIES, required: () => 1 };
    const { hits } = await searchLexically(sql, cache, {
      tenantId: job.tenantId,
      scopeId: job.scopeId ?? '',
      ...search,
    });
    lists.push(hits.filter(({ artifact_id }) => artifact_id === scopeMemoryId));
  }
  return takeInTurn(lists, MAX_KNOWN_ENTRIES);
}

function queriesFor(sources: WindowSource[]): string[] {
  const size = Math.ceil(sources.length / maxSearches);
  const share = Math.floor(maxQueryCharacters / size);
  const texts = sources.map(({ content }) => textOf(content).slice(0, share));
  const starts = Array.from({ length: Math.ceil(texts.length / size) }, (_, index) => index * size);
  return starts.map((start) =>
    texts
      .slice(start, start + size)
      .join('\n')
      .toWellFormed(),
  );
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** The best of each list, then the second of each, until there are enough; each entry once. */
function takeInTurn(lists: ChannelHit[][], limit: number): SeenEntry[] {
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
