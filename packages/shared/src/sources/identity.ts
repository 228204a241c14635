import { scopeKey } from '../scopes/index.ts';

/**
 * Condition on Sources `s` of tenant $1 and Scope id $2, for a look-up by type and id. The expression `scope_key + 0` matches the
 * expression index `sources_identity` and no other index.
 */
export const sourceOfScope = `s.tenant_id = $1 AND s.scope_key + 0 = ${scopeKey}`;
