import type { Issue } from '@continuity/contract';
import type { ScopeFields } from '@continuity/contract/scopes';
import { requireNoIssues } from '@continuity/kernel/errors';
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
