import type { PreparedContext } from '@continuity/contract/context';
import { type Clock, type Database, estimateTokens, type Logger } from '@continuity/shared/kernel';
import { experienceSpace } from '../experience/index.ts';
import { countQuery, readQuery, type Searching } from '../memory/index.ts';
import { countRecall } from './count-recall.ts';
import {
  type Found,
  findCandidates,
  findExperiences,
  flushed,
  type Offer,
  offerOf,
  type Question,
} from './find-candidates.ts';
import { type Fitted, fitCandidates } from './fit.ts';
import { experienceHits, memoryHits, orderOfTrial, takeTurns } from './order.ts';
import { type Reach, type ReadScope, readReach } from './reach.ts';

/** What a preparation works with. */
export interface Preparing {
  database: Database;
  searching: Searching;
  logger: Logger;
  clock: Clock;
  /** Whether tokens are estimated. */
  estimates: boolean;
}

export interface Preparation {
  tenantId: number;
  scopeId: string;
  query: string;
  maxBytes: number;
}

/**
 * One bounded text for the next turn of an agent (spec 20 §8): empty where nothing is found or fits, and for an unknown
 * Scope. At most three round trips: the Scope with what it has itself, what the Scopes that it refers to have, on the same
 * snapshot, and the counters. One more, once, where a large Scope has entries in a language that this process has not met.
 */
export async function prepareContext(
  preparing: Preparing,
  { tenantId, scopeId, query, maxBytes }: Preparation,
): Promise<PreparedContext> {
  const { database, searching, logger, clock } = preparing;
  const ledger = { sql: database.sql, logger };
  const read = await readQuery(searching.embedder(), { query, mode: 'auto' });
  const question = { tenantId, currentScopeId: scopeId, query: read };
  const used = read.vector?.usage;
  // Counted beside the search; an unknown Scope counts nothing.
  const counted = used && countQuery(ledger, { tenantId, scopeId }, used, clock.now());
  const [found] = await Promise.all([findInReach(database, searching, question), counted]);
  if (found === undefined) return present(undefined);
  const offers = await Promise.all(found.found.map((one) => offerOf(searching, ledger, question, one)));
  const fitted = fitCandidates(mergeOffers(offers), maxBytes);
  await countRecall(preparing, {
    tenantId,
    scopeKey: found.reach.scopeKey,
    items: fitted?.items.map(({ origin }) => origin) ?? [],
    recalledTokens: fitted === undefined ? 0 : estimateTokens(fitted.content),
  });
  return present(fitted);
}

/** What the Scope and those in its reach have, in this order, all at one moment; undefined for an unknown Scope. */
function findInReach(
  database: Database,
  searching: Searching,
  question: Question,
): Promise<{ reach: Reach; found: Found[] } | undefined> {
  const { tenantId, currentScopeId } = question;
  return database.snapshot(async (sql) => {
    const find = (scope: ReadScope) => findCandidates(searching, sql, question, scope);
    // Waits for no search: where one of the Scope's own has to be made again, it shares the round trip of the others.
    const findRest = async () => {
      const reach = await readReach(sql, tenantId, currentScopeId);
      if (reach === undefined) return undefined;
      noteReach(searching, tenantId, reach);
      const [experiences, ...referenced] = await Promise.all([
        reach.current.hasManyExperiences
          ? findExperiences(searching, sql, question, reach.current)
          : undefined,
        ...reach.referenced.map(find),
      ]);
      return { reach, experiences, referenced };
    };
    // Most Scopes have few Experiences: that is found out while they are looked for.
    const few = { scopeId: currentScopeId, hasManyExperiences: false };
    // The server opens the snapshot while this process looks at the words of the query.
    const [rest, own] = await Promise.all([findRest(), flushed().then(() => find(few))]);
    if (rest === undefined) return undefined;
    const experiences = rest.experiences ?? own.experiences;
    return { reach: rest.reach, found: [{ ...own, experiences }, ...rest.referenced] };
  });
}

/** So that no search which comes after it has to be made again. */
function noteReach({ known }: Searching, tenantId: number, { current, referenced }: Reach): void {
  for (const { scopeId, entries, languages } of referenced) {
    known.sizes.note({ tenantId, scopeId }, entries);
    known.languages.note({ tenantId, scopeId }, languages);
  }
  for (const { scopeId, languagesOfExperiences } of [current, ...referenced]) {
    known.languages.note(experienceSpace(tenantId, scopeId), languagesOfExperiences);
  }
}

function mergeOffers(offers: Offer[]) {
  return orderOfTrial(
    takeTurns(
      offers.map(({ memory }) => memory),
      memoryHits,
    ),
    takeTurns(
      offers.map(({ experiences }) => experiences),
      experienceHits,
    ),
  );
}

function present(fitted: Fitted | undefined): PreparedContext {
  const schema = 'service.prepared-context.v1';
  if (fitted === undefined) return { schema, status: 'empty', content: null, content_bytes: 0 };
  return { schema, status: 'ready', content: fitted.content, content_bytes: fitted.contentBytes };
}
