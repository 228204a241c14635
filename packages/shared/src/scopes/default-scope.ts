import type { ScopeDescriptor } from '@continuity/contract/scopes';
import { type ServiceError, type Sql, serviceError, statement } from '@continuity/shared/kernel';
import { descriptorColumns, descriptorRow, scopeNotFound } from './descriptor.ts';

const findStatement = statement(
  'find_default_scope',
  `SELECT ${descriptorColumns}
   FROM tenants t JOIN scopes s ON s.tenant_id = t.tenant_id AND s.scope_key = t.default_scope_key
   WHERE t.tenant_id = $1`,
  descriptorRow,
);

const moveStatement = statement(
  'move_default_scope',
  `UPDATE tenants t SET default_scope_key = s.scope_key FROM scopes s
   WHERE t.tenant_id = $1 AND s.tenant_id = $1 AND s.scope_id = $2
   RETURNING ${descriptorColumns}`,
  descriptorRow,
);

/** The default Scope of the tenant. Throws 404 where none is set. */
export async function readDefaultScope(sql: Sql, tenantId: number): Promise<ScopeDescriptor> {
  const found = await sql.first(findStatement, [tenantId]);
  if (found === undefined) throw noDefaultScope();
  return found;
}

/** Moves the tenant's pointer and nothing else (spec 10 §4). Throws 404. */
export async function moveDefaultScope(
  sql: Sql,
  tenantId: number,
  scopeId: string,
): Promise<ScopeDescriptor> {
  const moved = await sql.first(moveStatement, [tenantId, scopeId]);
  if (moved === undefined) throw scopeNotFound(scopeId);
  return moved;
}

export function noDefaultScope(): ServiceError {
  return serviceError('scope_not_found', { message: 'The tenant has no default Scope. Set one first.' });
}
