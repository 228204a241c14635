import type { MemoryCitation } from '@continuity/contract';
import type { FilledScope } from '../data/fill-scope.ts';
import { pick, type Random } from '../data/random.ts';
import { commonQuery, makeEntry, makeQuery, makeStackTrace, makeText, rareQuery } from '../data/texts.ts';
import type { HttpRequest } from '../load/http-load.ts';
import {
  captureRequest,
  entryBytes,
  flushRequest,
  getRequest,
  listRequest,
  makeCapture,
  prepareRequest,
  rememberRequest,
  searchRequest,
  statsRequest,
} from '../load/requests.ts';

/** A Scope that is measured, with citations of some of its entries. */
export interface ProbedScope extends FilledScope {
  citations: MemoryCitation[];
}

/** One kind of request, sent to all sizes. */
export interface Probe {
  name: string;
  /** Limit for its latency in the largest size, as a multiple of that in the smallest. */
  maxRatio?: number;
  /** A request that is sent before, and is not measured. */
  makeBefore?: (random: Random, scope: ProbedScope) => HttpRequest;
  makeRequest: (random: Random, scope: ProbedScope) => HttpRequest;
}

const maxRememberGrowth = 1.3;
const maxSearchGrowth = 4;
/** Lengths of a question and of the longest prompt. */
export const shortCharacters = 60;
const longCharacters = 8_192;

const textProbe = (name: string, makeQuery: (random: Random) => string): Probe => ({
  name,
  maxRatio: maxSearchGrowth,
  makeRequest: (random, { scopeId }) => searchRequest(scopeId, makeQuery(random)),
});

const textOf = (random: Random, characters: number) => makeText(random, characters + 5).slice(0, characters);

export const questionProbe = textProbe(`search, ${shortCharacters} characters`, (random) =>
  textOf(random, shortCharacters),
);

/** Long prompts: other terms in each sentence, and many of the same terms in each line. */
export const promptProbes = [
  textProbe(`search, ${longCharacters} characters`, (random) => textOf(random, longCharacters)),
  textProbe(`search, stack trace of ${longCharacters} characters`, (random) =>
    makeStackTrace(random, longCharacters),
  ),
];

const rememberProbe: Probe = {
  name: 'remember',
  maxRatio: maxRememberGrowth,
  makeRequest: (random, { scopeId }) => rememberRequest(scopeId, makeEntry(random, entryBytes)),
};

const searchProbes: Probe[] = [
  {
    name: 'search, two rare words',
    maxRatio: maxSearchGrowth,
    makeRequest: (random, { scopeId, known }) => searchRequest(scopeId, rareQuery(pick(random, known))),
  },
  textProbe('search, three to five words', makeQuery),
  textProbe('search, three common words', commonQuery),
  questionProbe,
  ...promptProbes,
];

/** Remembers come last, because they make the Scopes larger. */
export const probes: Probe[] = [...searchProbes, rememberProbe];

/** Further kinds of requests of a large run, which have no limit. */
const furtherProbes: Probe[] = [
  {
    name: 'get',
    makeRequest: (random, { scopeId, citations }) => getRequest(scopeId, pick(random, citations)),
  },
  { name: 'list, 50 entries', makeRequest: (_random, { scopeId }) => listRequest(scopeId) },
  {
    name: 'prepare a context',
    makeRequest: (random, { scopeId }) => prepareRequest(scopeId, makeQuery(random)),
  },
  {
    name: 'statistics of the Scope',
    makeRequest: (_random, { scopeId }) => statsRequest({ mode: 'exact', scope_ids: [scopeId] }, '30d'),
  },
  {
    name: 'flush of a Source of 1 KB',
    makeBefore: (random, { scopeId }) => captureRequest(makeCapture(random, [scopeId])),
    makeRequest: (_random, { scopeId }) => flushRequest(scopeId),
  },
];

export const allProbes: Probe[] = [...searchProbes, ...furtherProbes, rememberProbe];
