import type { Database, TenantId } from '@continuity/kernel/database';
import { requireNoIssues, serviceError } from '@continuity/kernel/errors';
import { isReserved, type PreparedManifest } from '../bodies/index.ts';
import type { SchemaValidator } from '../schemas/schema-validator.ts';
import { addManifest, findFingerprint } from './stored-manifests.ts';

/**
 * Registers a manifest. Registering an equal one again changes nothing. Throws 422 for schemas that are not valid, and 409
 * `source_definition_conflict` for a reserved name or if another manifest has the name and version.
 */
export async function registerDefinition(
  database: Database,
  schemaValidator: SchemaValidator,
  tenantId: TenantId,
  manifest: PreparedManifest,
): Promise<void> {
  const { name, version, fingerprint } = manifest;
  const registered = await findFingerprint(database, tenantId, manifest);
  // Connectors register at each start. An equal manifest was validated when it was stored.
  if (registered === fingerprint) return;
  requireNoIssues(await schemaValidator.validateSchemas(tenantId, manifest.definition));
  if (isReserved(name)) {
    throw serviceError('source_definition_conflict', {
      message: 'Names that begin with "service." are reserved. Choose another name.',
      details: { name, reason: 'reserved' },
    });
  }
  if (registered === undefined && (await addManifest(database, tenantId, manifest))) return;
  const current = registered ?? (await findFingerprint(database, tenantId, manifest));
  if (current === fingerprint) return;
  if (current === undefined) throw new Error('A registered Source definition does not exist.');
  throw serviceError('source_definition_conflict', {
    details: { name, version, current_fingerprint: current },
  });
}
