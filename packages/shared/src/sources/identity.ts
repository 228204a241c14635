import { scopeKey } from '../scopes/index.ts';

/**
 * Of Sources `s`, those of the Scope that $1 and $2 name, where one is looked up by type and id: the form that the index of
 * their identity has, and no other one (see its migration).
 */
export const sourceOfScope = `s.tenant_id = $1 AND s.scope_key + 0 = ${scopeKey}`;
