import type { Handlers } from '@continuity/shared/kernel';
import type { Services } from '../operations/services.ts';
import { commitHandoff } from './commit.ts';
import type { handoffOperations } from './contract.ts';
import { finalizeHandoff } from './finalize.ts';
import { resolveHandoff } from './resolve.ts';
import { toSelection } from './selection-rules.ts';

export const handoffHandlers: Handlers<typeof handoffOperations, Services> = {
  finalize_handoff: async ({ database }, { tenantId }, { body }) => ({
    body: await finalizeHandoff(database, { tenantId, scopeId: body.scope_id }, body.draft),
  }),

  commit_handoff: async ({ database }, { tenantId }, { body }) => ({
    body: await commitHandoff(database, { tenantId, scopeId: body.scope_id }, body.handoff),
  }),

  continue_handoff: async ({ database }, { tenantId }, { body }) => ({
    body: await resolveHandoff(database, { tenantId, scopeId: body.scope_id }, toSelection(body)),
  }),
};
