import type { MemoryCitation } from '@continuity/contract';
import { pick, type Random } from '../data/random.ts';
import { scopeNames } from '../data/scopes.ts';
import { makeEntry, makeQuery } from '../data/texts.ts';
import { type HttpLoad, type HttpRequest, send } from '../load/http-load.ts';
import { recordCapture } from '../load/record-capture.ts';
import { recordRemember, type ScopeHead } from '../load/record-remember.ts';
import {
  captureRequest,
  entryBytes,
  getRequest,
  listRequest,
  makeCapture,
  rememberRequest,
  searchRequest,
} from '../load/requests.ts';
import type { RoundTrips } from '../load/round-trips.ts';

/** The Scopes that the measured requests use. */
export interface Workload {
  random: Random;
  /** Scopes that only the service writes to. */
  scopeIds: string[];
  /** Scopes that only direct SQL writes to. */
  directHeads: ScopeHead[];
  /** Scopes with a hundred entries each, for reads. */
  readScopes: { scopeId: string; citations: MemoryCitation[] }[];
}

/** One measured operation: its requests and, for a write, the same work as SQL statements. */
export interface MeasuredOperation {
  name: string;
  makeRequest: (workload: Workload) => HttpRequest;
  /** The statements of the same operation on one of the Scopes of `heads`. */
  makeRoundTrips?: (workload: Workload, heads: ScopeHead[]) => Promise<RoundTrips>;
}

export const measuredOperations: MeasuredOperation[] = [
  {
    name: 'remember',
    makeRequest: ({ random, scopeIds }) =>
      rememberRequest(pick(random, scopeIds), makeEntry(random, entryBytes)),
    makeRoundTrips: ({ random }, heads) => recordRemember(pick(random, heads), makeEntry(random, entryBytes)),
  },
  {
    name: 'capture',
    makeRequest: ({ random, scopeIds }) => captureRequest(makeCapture(random, scopeIds)),
    makeRoundTrips: ({ random }, heads) => {
      const scopeIds = heads.map(({ scopeId }) => scopeId);
      return recordCapture(pick(random, heads).tenantId, makeCapture(random, scopeIds));
    },
  },
  {
    name: 'search',
    makeRequest: ({ random, readScopes }) =>
      searchRequest(pick(random, readScopes).scopeId, makeQuery(random)),
  },
  {
    name: 'get',
    makeRequest: ({ random, readScopes }) => {
      const { scopeId, citations } = pick(random, readScopes);
      return getRequest(scopeId, pick(random, citations));
    },
  },
  {
    name: 'list',
    makeRequest: ({ random, readScopes }) => listRequest(pick(random, readScopes).scopeId),
  },
];

/** Creates Scopes with `entries` entries each. */
export async function createReadScopes(
  load: HttpLoad,
  url: string,
  random: Random,
  { scopes, entries }: { scopes: number; entries: number },
): Promise<Workload['readScopes']> {
  const scopeIds = scopeNames('read', scopes);
  const targets = Array.from({ length: entries }, () => scopeIds).flat();
  const requests = targets.map((scopeId) => rememberRequest(scopeId, makeEntry(random, entryBytes)));
  const { answers } = await send(load, [url], requests, { connections: 16, keepAnswers: true });
  const byScope = Map.groupBy(answers, ({ index }) => targets[index] ?? '');
  return [...byScope].map(([scopeId, ofScope]) => ({
    scopeId,
    citations: ofScope.map(({ body }) => JSON.parse(body).entry.citation as MemoryCitation),
  }));
}
