import { type HttpAnswer, type HttpLoad, type HttpRequest, send } from '../load/http.ts';
import { rememberRequest } from '../load/requests.ts';
import type { Question, SetEntry } from '../search-set/shapes.ts';

/** One Scope that holds the whole set. */
export const scopeId = 'search-set';

export type Mode = 'fts' | 'vector' | 'hybrid';

const connections = 8;
const hits = 10;

/** The set in a running service. */
export interface Loaded {
  load: HttpLoad;
  url: string;
  /** Ids of the set by those that the service gave. */
  ids: ReadonlyMap<string, string>;
}

/** Remembers each entry of the set. */
export async function loadEntries(
  load: HttpLoad,
  url: string,
  entries: readonly SetEntry[],
): Promise<Loaded> {
  const requests = entries.map(({ kind, text }) => rememberRequest(scopeId, { kind, text }));
  const answers = await sendAll(load, url, requests);
  const ids = answers.map(({ index, body }) => {
    const { entry } = JSON.parse(body) as { entry: { citation: { entry_id: string } } };
    return [entry.citation.entry_id, entries[index]?.id ?? ''] as const;
  });
  return { load, url, ids: new Map(ids) };
}

/** The ids of the first ten entries that are found for each question, in the order of the questions. */
export async function askAll(
  { load, url, ids }: Loaded,
  mode: Mode,
  questions: readonly Question[],
): Promise<string[][]> {
  const requests = questions.map(({ text }) => ({
    path: '/v1/memory/search',
    body: { scope_id: scopeId, query: text, limit: hits, mode },
  }));
  const rankings: string[][] = questions.map(() => []);
  for (const { index, body } of await sendAll(load, url, requests)) {
    const { hits: found } = JSON.parse(body) as { hits: { citation: { entry_id: string } }[] };
    rankings[index] = found.map(({ citation }) => ids.get(citation.entry_id) ?? '');
  }
  return rankings;
}

async function sendAll(load: HttpLoad, url: string, requests: HttpRequest[]): Promise<HttpAnswer[]> {
  const { answers } = await send(load, [url], requests, { connections, keepsAnswers: true });
  return answers;
}
