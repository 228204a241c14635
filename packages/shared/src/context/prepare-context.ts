import type { ContextFormat, EmptyReason, PreparedContext } from '@continuity/contract/context';
import type { Database, Sql, TenantId } from '@continuity/kernel/database';
import { estimateTokens } from '@continuity/kernel/text';
import { countQuery, hasMemory, parseQuery, type SearchDeps } from '../memory/index.ts';
import type { RecordUseDeps } from '../usage/index.ts';
import { countRecall, type RecallDeps } from './count-recall.ts';
import { dateByEvidence } from './evidence-dates.ts';
import { type ContextSearch, type FoundHits, findHits, type RankedScope, rankHits } from './find-hits.ts';
import { type ContextSize, type FittedContext, fitHits, type Trial } from './fit-hits.ts';
import { layoutOf } from './layout.ts';
import { memoryHitsFor, orderHits, triedExperiences } from './trial-order.ts';

/** Dependencies of `prepareContext`. */
export interface PrepareDeps extends RecallDeps {
  database: Database;
  searchDeps: SearchDeps;
}

export interface ContextRequest {
  tenantId: TenantId;
  scopeId: string;
  query: string;
  format: ContextFormat;
  maxBytes: number;
  maxItems: number;
  /** What held at this time, RFC 3339 in UTC; without it, what has not ended by now. Of Memory alone. */
  asOf?: string | null | undefined;
}

/**
 * Prepares one bounded text for the next turn of an agent (spec 20 §8, spec 25 §4). The context is empty if nothing is found, nothing
 * fits, or the Scope is unknown, and then says which.
 */
export async function prepareContext(
  deps: PrepareDeps,
  { tenantId, scopeId, query, format, maxBytes, maxItems, asOf }: ContextRequest,
): Promise<PreparedContext> {
  const { database, searchDeps, logger, clock } = deps;
  const ledger = { sql: database.sql, logger };
  const parsedQuery = await parseQuery(searchDeps.embedder(), { query, mode: 'auto' });
  const search = {
    tenantId,
    currentScopeId: scopeId,
    query: parsedQuery,
    asOf,
    memoryHits: memoryHitsFor(maxItems),
    experienceHits: triedExperiences,
  };
  const usage = parsedQuery.vector?.usage;
  const fitAndCount = async (
    found: FoundHits | undefined,
    sql: Sql,
  ): Promise<FittedContext | EmptyReason> => {
    if (found === undefined) return 'no_memory';
    const size = { layout: layoutOf(format, scopeId), maxBytes, maxItems };
    const { fitted, trials } = await fitFound(searchDeps, ledger, search, size, found);
    // Sent at once, so that neither an empty context nor the dates take a further round trip.
    const [answer] = await Promise.all([
      fitted === undefined
        ? reasonOf(found, trials, () => hasMemory(sql, tenantId, scopeId))
        : withDates(sql, tenantId, fitted, format === 'v1' ? undefined : size),
      countRecall(deps, sql, {
        tenantId,
        scopeKey: found.scopeKey,
        items: fitted?.items.map(({ origin }) => origin) ?? [],
        recalledTokens: fitted === undefined ? 0 : estimateTokens(fitted.content),
      }),
    ]);
    return answer;
  };
  const find = (sql: Sql) => findHits(sql, searchDeps, search);
  const [fitted] = await Promise.all([
    // No connection waits for the model of a reranker.
    searchDeps.reranker === null
      ? database.snapshotThen(find, fitAndCount)
      : database.snapshot(find).then((found) => fitAndCount(found, database.sql)),
    usage && countQuery(ledger, { tenantId, scopeId }, usage, clock.now()),
  ]);
  return present(format, fitted);
}

/** The context with the dates of its evidence; `size` is that of a format that has dates. */
export async function withDates(
  sql: Sql,
  tenantId: TenantId,
  fitted: FittedContext,
  size: ContextSize | undefined,
): Promise<FittedContext> {
  if (size === undefined) return fitted;
  // Dates have one length, so the same items fit with other dates.
  return fitHits(await dateByEvidence(sql, tenantId, fitted.items), size) ?? fitted;
}

/** A context, and how it came about. */
interface Preparation {
  /** Undefined if no item fits. */
  fitted: FittedContext | undefined;
  /** The hits of each Scope, in the order of the Scopes. */
  ranked: RankedScope[];
  /** What became of each hit, in the order of trial. */
  trials: Trial[];
}

/** Ranks, orders and fits what a search found (spec 20 P3 to P8). `prepareContext` and `explainContext` share it. */
export async function fitFound(
  searchDeps: SearchDeps,
  usageDeps: RecordUseDeps,
  search: ContextSearch,
  size: ContextSize,
  { scopes }: FoundHits,
): Promise<Preparation> {
  const ranked = await Promise.all(scopes.map((scope) => rankHits(searchDeps, usageDeps, search, scope)));
  const trials: Trial[] = [];
  const fitted = fitHits(orderHits(ranked, search.memoryHits), size, trials);
  return { fitted, ranked, trials };
}

/** Why a context is empty (spec 25 Q18). */
export async function reasonOf(
  { hasReferencedMemory }: FoundHits,
  trials: readonly Trial[],
  hasOwnMemory: () => Promise<boolean>,
): Promise<EmptyReason> {
  if (trials.length > 0) return 'no_room';
  if (hasReferencedMemory) return 'no_match';
  return (await hasOwnMemory()) ? 'no_match' : 'no_memory';
}

/** The wire form of a context. */
export function present(format: ContextFormat, fitted: FittedContext | EmptyReason): PreparedContext {
  const schema = format === 'v1' ? 'service.prepared-context.v1' : 'service.prepared-context.v2';
  if (typeof fitted === 'string')
    return { schema, status: 'empty', content: null, content_bytes: 0, reason: fitted };
  return { schema, status: 'ready', content: fitted.content, content_bytes: fitted.contentBytes };
}
