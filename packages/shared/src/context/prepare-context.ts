import type { PreparedContext } from '@continuity/contract/context';
import type { Database, Sql, TenantId } from '@continuity/kernel/database';
import { estimateTokens } from '@continuity/kernel/text';
import { countQuery, parseQuery, type SearchDeps } from '../memory/index.ts';
import { countRecall, type RecallDeps } from './count-recall.ts';
import { type FoundCandidates, findCandidates, rankCandidates } from './find-candidates.ts';
import { type FittedContext, fitCandidates } from './fit-candidates.ts';
import { orderCandidates } from './trial-order.ts';

/** Dependencies of `prepareContext`. */
interface PrepareDeps extends RecallDeps {
  database: Database;
  searchDeps: SearchDeps;
}

interface ContextRequest {
  tenantId: TenantId;
  scopeId: string;
  query: string;
  maxBytes: number;
}

/**
 * Prepares one bounded text for the next turn of an agent (spec 20 §8). The context is empty if nothing is found, nothing
 * fits, or the Scope is unknown.
 */
export async function prepareContext(
  deps: PrepareDeps,
  { tenantId, scopeId, query, maxBytes }: ContextRequest,
): Promise<PreparedContext> {
  const { database, searchDeps, logger, clock } = deps;
  const ledger = { sql: database.sql, logger };
  const parsedQuery = await parseQuery(searchDeps.embedder(), { query, mode: 'auto' });
  const search = { tenantId, currentScopeId: scopeId, query: parsedQuery };
  const usage = parsedQuery.vector?.usage;
  const fitAndCount = async (found: FoundCandidates | undefined, sql: Sql) => {
    if (found === undefined) return undefined;
    const ranked = await Promise.all(
      found.scopes.map((scope) => rankCandidates(searchDeps, ledger, search, scope)),
    );
    const fitted = fitCandidates(orderCandidates(ranked), maxBytes);
    await countRecall(deps, sql, {
      tenantId,
      scopeKey: found.scopeKey,
      items: fitted?.items.map(({ origin }) => origin) ?? [],
      recalledTokens: fitted === undefined ? 0 : estimateTokens(fitted.content),
    });
    return fitted;
  };
  const find = (sql: Sql) => findCandidates(sql, searchDeps, search);
  const [fitted] = await Promise.all([
    // No connection waits for the model of a reranker.
    searchDeps.reranker === null
      ? database.snapshotThen(find, fitAndCount)
      : database.snapshot(find).then((found) => fitAndCount(found, database.sql)),
    usage && countQuery(ledger, { tenantId, scopeId }, usage, clock.now()),
  ]);
  return present(fitted);
}

function present(fitted: FittedContext | undefined): PreparedContext {
  const schema = 'service.prepared-context.v1';
  if (fitted === undefined) return { schema, status: 'empty', content: null, content_bytes: 0 };
  return { schema, status: 'ready', content: fitted.content, content_bytes: fitted.contentBytes };
}
