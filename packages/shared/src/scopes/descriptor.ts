import type { ScopeDescriptor } from '@continuity/contract/scopes';
import {
  pick,
  type ServiceError,
  type Sql,
  serviceError,
  statement,
  tables,
} from '@continuity/shared/kernel';

/** A descriptor from its row `s`. */
export const descriptorColumns =
  's.scope_id, s.title, s.summary, s.parent_scope_id, s.context_references, s.external_references, s.version';

/** The columns of `descriptorColumns`. */
export const descriptorRow = {
  ...pick(tables.scopes, 'scope_id', 'title', 'summary', 'parent_scope_id', 'context_references', 'version'),
  external_references: tables.scopes.external_references.as<ScopeDescriptor['external_references']>(),
};

const findStatement = statement(
  'find_scope_descriptor',
  `SELECT ${descriptorColumns} FROM scopes s WHERE s.tenant_id = $1 AND s.scope_id = $2`,
  descriptorRow,
);

/** The descriptor of a Scope. Throws 404 `scope_not_found`. */
export async function readScope(sql: Sql, tenantId: number, scopeId: string): Promise<ScopeDescriptor> {
  const found = await sql.first(findStatement, [tenantId, scopeId]);
  if (found === undefined) throw scopeNotFound(scopeId);
  return found;
}

/** Length of a descriptor as JSON, in bytes of UTF-8. */
export function descriptorBytes(descriptor: ScopeDescriptor): number {
  return Buffer.byteLength(JSON.stringify(descriptor), 'utf8');
}

/** 404 for a Scope that is not there, or not for this tenant: the answer does not say which. */
export function scopeNotFound(scopeId: string): ServiceError {
  return serviceError('scope_not_found', { details: { scope_id: scopeId } });
}
