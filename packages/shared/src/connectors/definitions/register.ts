import type { SourceDefinitionManifest } from '@continuity/contract/connectors';
import { type Database, refuse, ServiceError } from '@continuity/shared/kernel';
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
    throw new ServiceError('source_definition_conflict', 'This name is reserved.', {
      name,
      reason: 'reserved',
    });
  }
  if (registered === undefined && (await addManifest(database.sql, tenantId, manifest))) return;
  const current = registered ?? (await findFingerprint(database.sql, tenantId, manifest));
  if (current === fingerprint) return;
  throw new ServiceError(
    'source_definition_conflict',
    'This name and version stand for another definition. Register the change under another version.',
    { name, version, current_fingerprint: current },
  );
}
