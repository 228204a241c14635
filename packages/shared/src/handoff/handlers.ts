import type { handoffOperations } from '@continuity/contract/handoff';
import type { Database } from '@continuity/kernel/database';
import { requireNoIssues } from '@continuity/kernel/errors';
import type { Handlers } from '@continuity/shared/handlers';
import { commitHandoff, finalizeHandoff } from './commit.ts';
import { resolveHandoff } from './resolve.ts';
import { findPreparedIssues, findSelectionIssues, toSelection } from './rules.ts';

/** Dependencies of the operations on Handoffs. */
export interface HandoffDeps {
  database: Database;
}

export const handoffHandlers: Handlers<typeof handoffOperations, HandoffDeps> = {
  finalize_handoff: async ({ database }, { tenantId }, { body }) => ({
    body: await finalizeHandoff(database, { tenantId, scopeId: body.scope_id }, body.draft),
  }),

  commit_handoff: async ({ database }, { tenantId }, { body: { scope_id, handoff } }) => {
    requireNoIssues(findPreparedIssues('handoff', handoff, scope_id));
    return { body: await commitHandoff(database, { tenantId, scopeId: scope_id }, handoff) };
  },

  continue_handoff: async ({ database }, { tenantId }, { body }) => {
    requireNoIssues(findSelectionIssues(body));
    const place = { tenantId, scopeId: body.scope_id };
    return { body: await resolveHandoff(database, place, toSelection(body)) };
  },
};
