import type { SourceDefinitionManifest } from '@continuity/contract/connectors';
import { type Database, refuse, serviceError } from '@continuity/shared/kernel';
import type { SchemaValidator } from '../schemas/schema-validator.ts';
import { definitionOf } from './definition.ts';
import { isReserved, manifestIssues } from './manifest-rules.ts';
import { addManifest, findFingerprint } from './store.ts';

/**
 * Registers a manifest; an equal one is there already or is as good as new. Throws 422 for one that breaks a rule of
 * spec 10 §9, 409 `source_definition_conflict` for a reserved name, and for a name and version that stand for another one.
 */
export async function registerDefinition(
  database: Database,
  schemaValidator: SchemaValidator,
  tenantId: number,
  manifest: SourceDefinitionManifest,
): Promise<void> {
  refuse(manifestIssues(manifest));
  const { name, version, fingerprint } = manifest;
  const registered = await findFingerprint(database.sql, tenantId, manifest);
  // A connector registers at each of its starts: what has been judged once is not judged again.
  if (registered === fingerprint) return;
  refuse(await schemaValidator.validateSchemas(tenantId, definitionOf(manifest)));
  if (isReserved(name)) {
    throw serviceError('source_definition_conflict', {
      message: 'This name is reserved. Choose one that does not begin with service.',
      details: { name, reason: 'reserved' },
    });
  }
  if (registered === undefined && (await addManifest(database.sql, tenantId, manifest))) return;
  const current = registered ?? (await findFingerprint(database.sql, tenantId, manifest));
  if (current === fingerprint) return;
  if (current === undefined) throw new Error('A registered Source definition is gone.');
  throw serviceError('source_definition_conflict', {
    details: { name, version, current_fingerprint: current },
  });
}
