import type { ContextFormat, contextOperations } from '@continuity/contract/context';
import type { Settings } from '@continuity/kernel/config';
import type { Database } from '@continuity/kernel/database';
import type { Clock } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { Handlers } from '@continuity/shared/handlers';
import type { SearchDeps } from '../memory/index.ts';
import { explainContext } from './explain-context.ts';
import { prepareContext } from './prepare-context.ts';

/** Dependencies of the operations on context preparation. */
export interface ContextDeps {
  database: Database;
  searchDeps: SearchDeps;
  logger: Logger;
  clock: Clock;
  settings: Pick<Settings, 'RECALL_ESTIMATION'>;
}

/** Items of a context whose request names no limit (spec 25 Q11). */
const defaultItems: Record<ContextFormat, number> = { v1: 8, compact: 16 };

export const contextHandlers: Handlers<typeof contextOperations, ContextDeps> = {
  prepare_context: async ({ database, searchDeps, logger, clock, settings }, { tenantId }, { body }) => {
    const deps = { database, searchDeps, logger, clock, estimates: settings.RECALL_ESTIMATION };
    const { scope_id: scopeId, query, max_bytes: maxBytes, format, as_of: asOf } = body;
    const maxItems = body.max_items ?? defaultItems[format];
    const request = { tenantId, scopeId, query, maxBytes, format, maxItems, asOf };
    return { body: await prepareContext(deps, request) };
  },

  explain_context: async ({ database, searchDeps, logger, clock }, { tenantId }, { body }) => {
    const { scope_id: scopeId, query, max_bytes: maxBytes, format, as_of: asOf, subjects } = body;
    const request = { tenantId, scopeId, query, maxBytes, format, asOf, subjects };
    const maxItems = body.max_items ?? defaultItems[format];
    return { body: await explainContext({ database, searchDeps, logger, clock }, { ...request, maxItems }) };
  },
};
