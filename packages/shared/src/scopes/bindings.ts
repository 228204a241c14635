import type { ScopeBinding, ScopeBindingKey, ScopeDescriptor } from '@continuity/contract/scopes';
import type { Database, TenantId } from '@continuity/kernel/database';
import { descriptorSelect, readScope, scopeNotFound, toDescriptor } from './descriptor.ts';
import { readDefaultScope } from './find-scope.ts';

/** The ways in which a caller can select its Scope. */
interface BindingQuery {
  explicitScopeId: string | null | undefined;
  keys: ScopeBindingKey[];
}

/**
 * Finds the Scope that applies: the explicit one, else the Scope of the first bound key, else the default Scope (spec 10 §5).
 * Throws 404 for an unknown explicit Scope, and if nothing applies.
 */
export async function resolveBinding(
  database: Database,
  tenantId: TenantId,
  { explicitScopeId, keys }: BindingQuery,
): Promise<ScopeDescriptor> {
  if (typeof explicitScopeId === 'string') return readScope(database, tenantId, explicitScopeId);
  return database.prismaSnapshot(async (snapshot) => {
    if (keys.length === 0) return readDefaultScope(snapshot, tenantId);
    const bindings = await snapshot.prisma.scopeBinding.findMany({
      where: { tenantId, OR: keys.map(keyColumns) },
      select: { integration: true, kind: true, externalId: true, scope: { select: descriptorSelect } },
    });
    for (const key of keys) {
      const bound = bindings.find(
        ({ integration, kind, externalId }) =>
          integration === key.integration && kind === key.kind && externalId === key.external_id,
      );
      if (bound !== undefined) return toDescriptor(bound.scope);
    }
    return readDefaultScope(snapshot, tenantId);
  });
}

/** Creates or moves the binding of a key. Throws 404 for an unknown Scope. */
export async function bindScope(
  { prisma }: Database,
  tenantId: TenantId,
  { key, scope_id: scopeId }: ScopeBinding,
): Promise<void> {
  const scope = await prisma.scope.findUnique({
    where: { tenantId_scopeId: { tenantId, scopeId } },
    select: { scopeKey: true },
  });
  if (scope === null) throw scopeNotFound(scopeId);
  const columns = { tenantId, ...keyColumns(key) };
  const { scopeKey } = scope;
  // Prisma sends this upsert as one statement with ON CONFLICT, so concurrent calls do not fail.
  await prisma.scopeBinding.upsert({
    where: { tenantId_integration_kind_externalId: columns },
    create: { ...columns, scopeKey },
    update: { scopeKey, boundAt: new Date() },
    select: { scopeKey: true },
  });
}

/** Clears the binding of a key. Returns true for exactly one of several concurrent calls. */
export async function clearBinding(
  { prisma }: Database,
  tenantId: TenantId,
  key: ScopeBindingKey,
): Promise<boolean> {
  const { count } = await prisma.scopeBinding.deleteMany({ where: { tenantId, ...keyColumns(key) } });
  return count > 0;
}

function keyColumns({ integration, kind, external_id }: ScopeBindingKey) {
  return { integration, kind, externalId: external_id };
}
