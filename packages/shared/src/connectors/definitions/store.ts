import type { SourceDefinitionManifest } from '@continuity/contract/connectors';
import {
  asDigest,
  canonicalJson,
  type JsonValue,
  pick,
  type Sql,
  statement,
  tables,
} from '@continuity/shared/kernel';

const findStatement = statement(
  'find_source_definition',
  'SELECT manifest FROM source_definitions WHERE tenant_id = $1 AND name = $2 AND version = $3',
  pick(tables.source_definitions, 'manifest'),
);

const fingerprintStatement = statement(
  'find_definition_fingerprint',
  'SELECT fingerprint FROM source_definitions WHERE tenant_id = $1 AND name = $2 AND version = $3',
  pick(tables.source_definitions, 'fingerprint'),
);

const addStatement = statement(
  'add_source_definition',
  `INSERT INTO source_definitions (tenant_id, name, version, fingerprint, manifest) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING RETURNING name`,
  pick(tables.source_definitions, 'name'),
);

/** A registered manifest, or undefined. */
export async function findManifest(
  sql: Sql,
  tenantId: number,
  name: string,
  version: string,
): Promise<SourceDefinitionManifest | undefined> {
  const row = await sql.first(findStatement, [tenantId, name, version]);
  return row && (JSON.parse(row.manifest) as SourceDefinitionManifest);
}

/** The fingerprint of what is registered under a name and version, in the contract's `digest` form, or undefined. */
export async function findFingerprint(
  sql: Sql,
  tenantId: number,
  { name, version }: SourceDefinitionManifest,
): Promise<string | undefined> {
  const row = await sql.first(fingerprintStatement, [tenantId, name, version]);
  return row && asDigest(row.fingerprint.toString('hex'));
}

/** False where its name and version are taken. */
export async function addManifest(
  sql: Sql,
  tenantId: number,
  manifest: SourceDefinitionManifest,
): Promise<boolean> {
  const { name, version, fingerprint } = manifest;
  const digest = Buffer.from(fingerprint.slice('sha256:'.length), 'hex');
  const values = [tenantId, name, version, digest, canonicalJson(manifest as JsonValue)];
  return (await sql.first(addStatement, values)) !== undefined;
}
