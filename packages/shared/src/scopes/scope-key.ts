/**
 * SQL expression for the key of the Scope with tenant $1 and id $2; null for an unknown Scope. A scalar subquery runs first. For a
 * join, a server without statistics may choose a plan that reads all rows of the tenant.
 */
export const scopeKey = '(SELECT scope_key FROM scopes WHERE tenant_id = $1 AND scope_id = $2)';
