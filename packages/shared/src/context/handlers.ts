import type { contextOperations } from '@continuity/contract/context';
import type { Handlers } from '@continuity/shared/kernel';
import type { Services } from '../operations/services.ts';
import { prepareContext } from './prepare.ts';

export const contextHandlers: Handlers<typeof contextOperations, Services> = {
  prepare_context: async ({ database, searching, logger, clock, settings }, { tenantId }, { body }) => {
    const preparing = { database, searching, logger, clock, estimates: settings.RECALL_ESTIMATION };
    const { scope_id: scopeId, query, max_bytes: maxBytes } = body;
    return { body: await prepareContext(preparing, { tenantId, scopeId, query, maxBytes }) };
  },
};
