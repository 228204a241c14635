import type { MemoryCitation } from '@continuity/contract';
import { pick, type Random } from '../data/random.ts';
import { scopeNames } from '../data/scopes.ts';
import { makeEntry, makeQuery } from '../data/texts.ts';
import { recordCapture } from '../load/capture.ts';
import { type HttpLoad, type HttpRequest, send } from '../load/http.ts';
import { recordRemember, type ScopeHead } from '../load/remember.ts';
import {
  captureRequest,
  entryBytes,
  getRequest,
  listRequest,
  makeCapture,
  rememberRequest,
  searchRequest,
} from '../load/requests.ts';
import type { Trips } from '../load/transaction.ts';

/** Where the measured requests go. */
export interface Field {
  random: Random;
  /** Scopes that only the service writes to. */
  scopeIds: string[];
  /** Scopes that only direct SQL writes to. */
  directHeads: ScopeHead[];
  /** Scopes with a hundred entries each, for reads. */
  readable: { scopeId: string; citations: MemoryCitation[] }[];
}

/** One measured operation: requests of it and, for a write, the same work as SQL. */
export interface MeasuredOperation {
  name: string;
  makeRequest: (field: Field) => HttpRequest;
  /** The same as statements on a Scope of `heads`. */
  makeTrips?: (field: Field, heads: ScopeHead[]) => Promise<Trips>;
}

export const measuredOperations: MeasuredOperation[] = [
  {
    name: 'remember',
    makeRequest: ({ random, scopeIds }) =>
      rememberRequest(pick(random, scopeIds), makeEntry(random, entryBytes)),
    makeTrips: ({ random }, heads) => recordRemember(pick(random, heads), makeEntry(random, entryBytes)),
  },
  {
    name: 'capture',
    makeRequest: ({ random, scopeIds }) => captureRequest(makeCapture(random, scopeIds)),
    makeTrips: ({ random }, heads) => {
      const scopeIds = heads.map(({ scopeId }) => scopeId);
      return recordCapture(heads[0]?.tenantId ?? 0, makeCapture(random, scopeIds));
    },
  },
  {
    name: 'search',
    makeRequest: ({ random, readable }) => searchRequest(pick(random, readable).scopeId, makeQuery(random)),
  },
  {
    name: 'get',
    makeRequest: ({ random, readable }) => {
      const { scopeId, citations } = pick(random, readable);
      return getRequest(scopeId, pick(random, citations));
    },
  },
  {
    name: 'list',
    makeRequest: ({ random, readable }) => listRequest(pick(random, readable).scopeId),
  },
];

/** Fills Scopes for reads with `entries` entries each. */
export async function makeReadable(
  load: HttpLoad,
  url: string,
  random: Random,
  { scopes, entries }: { scopes: number; entries: number },
): Promise<Field['readable']> {
  const scopeIds = scopeNames('read', scopes);
  const targets = Array.from({ length: entries }, () => scopeIds).flat();
  const requests = targets.map((scopeId) => rememberRequest(scopeId, makeEntry(random, entryBytes)));
  const { answers } = await send(load, [url], requests, { connections: 16, keepsAnswers: true });
  const byScope = Map.groupBy(answers, ({ index }) => targets[index] ?? '');
  return [...byScope].map(([scopeId, ofScope]) => ({
    scopeId,
    citations: ofScope.map(({ body }) => JSON.parse(body).entry.citation as MemoryCitation),
  }));
}
