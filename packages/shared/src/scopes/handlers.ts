import type { scopeBindingOperations, scopeOperations } from '@continuity/contract/scopes';
import type { Database } from '@continuity/kernel/database';
import { TenantLimit } from '@continuity/kernel/fairness';
import type { Clock } from '@continuity/kernel/process';
import { type CursorCodec, type Handlers, longAnswer, scopePath } from '@continuity/shared/handlers';
import { bindScope, clearBinding, resolveBinding } from './bindings.ts';
import { readScope } from './descriptor.ts';
import { readDefaultScope, setDefaultScope } from './find-scope.ts';
import { listScopes } from './list.ts';
import { describeSelection } from './selection.ts';
import { createScope, updateScope } from './write.ts';

/** Dependencies of the operations on Scopes. */
export interface ScopeDeps {
  database: Database;
  cursors: CursorCodec;
  clock: Clock;
}

/** The descriptors of a selection take up to 32 MiB. */
const selections = new TenantLimit(2);

export const scopeHandlers: Handlers<typeof scopeOperations & typeof scopeBindingOperations, ScopeDeps> = {
  list_scopes: async ({ database, cursors, clock }, { tenantId }, { query }) =>
    longAnswer(await listScopes(database, cursors, clock, { tenantId, ...query })),

  create_scope: async ({ database }, { tenantId }, { body }) => {
    const { idempotency_key: idempotencyKey, ...fields } = body;
    const scope = await createScope(database, { tenantId, idempotencyKey, fields });
    return { body: scope, headers: { Location: scopePath(scope.scope_id) } };
  },

  get_scope: async ({ database }, { tenantId }, { params }) => ({
    body: await readScope(database, tenantId, params.scope_id),
  }),

  update_scope: async ({ database }, { tenantId }, { params, body }) => {
    const { expected_version: expectedVersion, ...fields } = body;
    const update = { tenantId, scopeId: params.scope_id, fields, expectedVersion };
    return { body: await updateScope(database, update) };
  },

  get_default_scope: async ({ database }, { tenantId }) => ({
    body: await database.prismaSnapshot((snapshot) => readDefaultScope(snapshot, tenantId)),
  }),

  set_default_scope: async ({ database }, { tenantId }, { body }) => ({
    body: await setDefaultScope(database, tenantId, body.scope_id),
  }),

  resolve_scope_selection: ({ database }, { tenantId }, { body }) =>
    selections.run(tenantId, async () =>
      longAnswer(await describeSelection(database, tenantId, body.selection)),
    ),

  resolve_scope_binding: async ({ database }, { tenantId }, { body }) => ({
    body: await resolveBinding(database, tenantId, {
      explicitScopeId: body.explicit_scope_id,
      keys: body.binding_keys,
    }),
  }),

  set_scope_binding: async ({ database }, { tenantId }, { body }) => {
    await bindScope(database, tenantId, body);
    return { body };
  },

  clear_scope_binding: async ({ database }, { tenantId }, { body }) => ({
    body: { cleared: await clearBinding(database, tenantId, body.key) },
  }),
};
