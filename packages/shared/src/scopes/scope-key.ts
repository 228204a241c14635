/**
 * The key of the Scope that $1 (tenant) and $2 (id) name, as an SQL expression; null for an unknown one. It is looked up for
 * itself, before what it is the key of: joined, a server without statistics may begin with all that the tenant has.
 */
export const scopeKey = '(SELECT scope_key FROM scopes WHERE tenant_id = $1 AND scope_id = $2)';
