import { scopeKey } from '../scopes/index.ts';

/**
 * Joins Sources `s` to their Scope `c` where one is looked up by type and id: the form that the index of their identity has,
 * and no other one (see its migration).
 */
export const sourceOfScope = 's.tenant_id = c.tenant_id AND s.scope_key + 0 = c.scope_key';

/** The same for Sources `s` of the Scope that $1 and $2 name. */
export const sourceOfNamedScope = `s.tenant_id = $1 AND s.scope_key + 0 = ${scopeKey}`;
