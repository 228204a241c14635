/** Key space of the advisory locks by tenant: a write of a tenant that moves shares the lock, and the end of its writes takes it alone. */
export const moveLock = 72_707_370;

/** States of a tenant that does not work on this server, as a list of SQL: it has moved away, or its move here has not ended. */
export const statesElsewhere = `('left', 'incoming')`;

/**
 * A condition for statements that write for all tenants: this server is the one of the tenant, and accepts its writes. Without it, the
 * refusal of one tenant would fail the statement for all of them. `tenantId` is a column. The scalar subquery is a look-up by key in each
 * plan, of a table that is empty unless tenants have moved. A block that has expired refuses nothing, as in the trigger.
 */
export function isWritableHere(tenantId: string): string {
  return `(SELECT 1 FROM tenant_moves moved WHERE moved.tenant_id = ${tenantId}
    AND (moved.state IN ${statesElsewhere} OR moved.state = 'blocked' AND moved.blocked_until > now()) LIMIT 1) IS NULL`;
}

/**
 * A condition as `isWritableHere` for a tenant that works on this server, also while its writes are blocked: statements that only read, and moves,
 * depend on it.
 */
export function isReadableHere(tenantId: string): string {
  return `(SELECT 1 FROM tenant_moves moved WHERE moved.tenant_id = ${tenantId} AND moved.state IN ${statesElsewhere} LIMIT 1) IS NULL`;
}
