import { z } from 'zod';
import { int, scopeId, text, uniqueStrings } from '../notation/shapes.ts';

/** Limit of each list of a descriptor (spec 10 §4). */
const maxReferences = 256;

const externalReferences = z
  .array(z.strictObject({ kind: text(1, 128), value: text(1, 2000) }).meta({ id: 'ScopeExternalReference' }))
  .max(maxReferences, { error: `must have at most ${maxReferences} items`, abort: true });

const contextReferences = uniqueStrings(scopeId, 0, maxReferences);

export const scopeDescriptor = z
  .strictObject({
    scope_id: scopeId,
    title: text(1, 256),
    summary: text(1, 2000),
    parent_scope_id: scopeId.nullable(),
    context_references: contextReferences.meta({ description: 'Ascending.' }),
    external_references: externalReferences.meta({ description: 'In the order of the request.' }),
    version: int(1),
  })
  .meta({ id: 'ScopeDescriptor' });

export const scopePage = z
  .strictObject({ items: z.array(scopeDescriptor), next_cursor: z.string().nullable() })
  .meta({ id: 'ScopePage' });

/** Compares `kind` and `value` as JSON, so that no separator makes two references equal. */
const requestedReferences = externalReferences
  .refine(
    (references) =>
      new Set(references.map(({ kind, value }) => JSON.stringify([kind, value]))).size === references.length,
    { error: 'must not contain duplicates' },
  )
  .meta({ uniqueItems: true });

/** The fields of a Scope that a caller sets. Lists default to empty, the parent to none. */
export const scopeFields = z.strictObject({
  title: text(1, 256),
  summary: text(1, 2000),
  parent_scope_id: scopeId.nullable().default(null),
  context_references: contextReferences.default([]),
  external_references: requestedReferences.default([]),
});

export const scopeBindingKey = z
  .strictObject({ integration: text(1, 128), kind: text(1, 64), external_id: text(1, 256) })
  .meta({ id: 'ScopeBindingKey', description: 'The name that an integration uses for its context.' });

export const scopeBinding = z
  .strictObject({ key: scopeBindingKey, scope_id: scopeId })
  .meta({ id: 'ScopeBinding' });

export type ScopeDescriptor = z.infer<typeof scopeDescriptor>;
export type ScopePage = z.infer<typeof scopePage>;
export type ScopeFields = z.infer<typeof scopeFields>;
export type ScopeBindingKey = z.infer<typeof scopeBindingKey>;
export type ScopeBinding = z.infer<typeof scopeBinding>;
