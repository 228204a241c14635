import { type HttpAnswer, type HttpLoad, type HttpRequest, send } from '../load/http-load.ts';
import { rememberRequest } from '../load/requests.ts';
import type { LabeledSet } from '../search-set/shapes.ts';

export type SearchMode = 'fts' | 'vector' | 'hybrid';

const defaultConnections = 8;
const hitLimit = 10;

/** The set in a running service. */
export interface LoadedSet {
  load: HttpLoad;
  url: string;
  /** The Scope that holds the whole set. */
  scopeId: string;
  /** Ids of the set by the `entry_id` that the service assigned. */
  ids: ReadonlyMap<string, string>;
}

/** Remembers each entry of the set; over one connection in the order of the set. */
export async function loadEntries(
  load: HttpLoad,
  url: string,
  scopeId: string,
  entries: LabeledSet['entries'],
  connections = defaultConnections,
): Promise<LoadedSet> {
  const requests = entries.map(({ kind, text }) => rememberRequest(scopeId, { kind, text }));
  const answers = await sendAll(load, url, requests, connections);
  const ids = answers.map(({ index, body }) => {
    const { entry } = JSON.parse(body) as { entry: { citation: { entry_id: string } } };
    return [entry.citation.entry_id, entries[index]?.id ?? ''] as const;
  });
  return { load, url, scopeId, ids: new Map(ids) };
}

/** Searches for each question. Returns the ids of the first ten hits, in the order of the questions. */
export async function searchAll(
  { load, url, scopeId, ids }: LoadedSet,
  mode: SearchMode,
  questions: readonly { text: string }[],
): Promise<string[][]> {
  const requests = questions.map(({ text }) => ({
    path: '/v1/memory/search',
    body: { scope_id: scopeId, query: text, limit: hitLimit, mode },
  }));
  const rankings: string[][] = questions.map(() => []);
  for (const { index, body } of await sendAll(load, url, requests)) {
    const { hits } = JSON.parse(body) as { hits: { citation: { entry_id: string } }[] };
    rankings[index] = hits.map(({ citation }) => ids.get(citation.entry_id) ?? '');
  }
  return rankings;
}

async function sendAll(
  load: HttpLoad,
  url: string,
  requests: HttpRequest[],
  connections = defaultConnections,
): Promise<HttpAnswer[]> {
  const { answers } = await send(load, [url], requests, { connections, keepAnswers: true });
  return answers;
}
