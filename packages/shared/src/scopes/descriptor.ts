import type { Issue } from '@continuity/contract';
import type { ScopeDescriptor, ScopeFields } from '@continuity/contract/scopes';
import type { Queries, TenantId } from '@continuity/kernel/database';
import { requireNoIssues, type ServiceError, serviceError } from '@continuity/kernel/errors';
import { compareCodePoints } from '@continuity/kernel/text';

/** Sorts the Context References, so that equal descriptors have equal fields. */
export function normalizeFields(fields: ScopeFields): ScopeFields {
  const { title, summary, parent_scope_id, context_references, external_references } = fields;
  return {
    title,
    summary,
    parent_scope_id,
    context_references: context_references.toSorted(compareCodePoints),
    external_references,
  };
}

/** Ids of the parent, then of the Context References. */
export function namedScopes({ parent_scope_id, context_references }: ScopeFields): string[] {
  return parent_scope_id === null ? context_references : [parent_scope_id, ...context_references];
}

/** Throws 422 for a Scope as its own parent or reference, whether it exists or not (spec 10 §4, §11.1). */
export function rejectSelfReference(
  scopeId: string,
  { parent_scope_id, context_references }: ScopeFields,
): void {
  const issues: Issue[] = [];
  if (parent_scope_id === scopeId) {
    issues.push({ path: 'parent_scope_id', message: 'is the Scope itself' });
  }
  const at = context_references.indexOf(scopeId);
  if (at !== -1) issues.push({ path: `context_references[${at}]`, message: 'is the Scope itself' });
  requireNoIssues(issues);
}

/** Columns of a descriptor. */
export const descriptorSelect = {
  scopeId: true,
  title: true,
  summary: true,
  parentScopeId: true,
  contextReferences: true,
  externalReferences: true,
  version: true,
} as const;

interface DescriptorRow {
  scopeId: string;
  title: string;
  summary: string;
  parentScopeId: string | null;
  contextReferences: string[];
  externalReferences: unknown;
  version: number;
}

/** Converts a row to a descriptor. */
export function toDescriptor(row: DescriptorRow): ScopeDescriptor {
  return {
    scope_id: row.scopeId,
    title: row.title,
    summary: row.summary,
    parent_scope_id: row.parentScopeId,
    context_references: row.contextReferences,
    external_references: row.externalReferences as ScopeDescriptor['external_references'],
    version: row.version,
  };
}

/** The columns that store a descriptor. */
export function descriptorData(descriptor: ScopeDescriptor) {
  return {
    title: descriptor.title,
    summary: descriptor.summary,
    parentScopeId: descriptor.parent_scope_id,
    contextReferences: descriptor.context_references,
    externalReferences: descriptor.external_references,
    version: descriptor.version,
    descriptorBytes: descriptorBytes(descriptor),
  };
}

/** Reads the descriptor of a Scope. Throws 404 `scope_not_found`. */
export async function readScope(
  { prisma }: Pick<Queries, 'prisma'>,
  tenantId: TenantId,
  scopeId: string,
): Promise<ScopeDescriptor> {
  const row = await prisma.scope.findUnique({
    where: { tenantId_scopeId: { tenantId, scopeId } },
    select: descriptorSelect,
  });
  if (row === null) throw scopeNotFound(scopeId);
  return toDescriptor(row);
}

/** Length of a descriptor as JSON, in bytes of UTF-8. */
function descriptorBytes(descriptor: ScopeDescriptor): number {
  return Buffer.byteLength(JSON.stringify(descriptor), 'utf8');
}

/** 404 for a Scope that does not exist, or belongs to another tenant: the error does not say which. */
export function scopeNotFound(scopeId: string): ServiceError {
  return serviceError('scope_not_found', { details: { scope_id: scopeId } });
}
