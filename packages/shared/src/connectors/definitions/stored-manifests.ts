import type { SourceDefinitionManifest } from '@continuity/contract/connectors';
import type { Database, TenantId } from '@continuity/kernel/database';
import { isUniqueViolation } from '@continuity/kernel/errors';
import { bytesOfDigest, digestFromBytes } from '@continuity/kernel/json';
import type { PreparedManifest } from '../bodies/index.ts';

/** Identity of a definition in its tenant. */
type DefinitionKey = Pick<SourceDefinitionManifest, 'name' | 'version'>;

/** Finds a registered manifest; undefined for an unknown one. */
export async function findManifest(
  { prisma }: Database,
  tenantId: TenantId,
  { name, version }: DefinitionKey,
): Promise<SourceDefinitionManifest | undefined> {
  const row = await prisma.sourceDefinition.findUnique({
    where: { tenantId_name_version: { tenantId, name, version } },
    select: { manifest: true },
  });
  return row === null ? undefined : (JSON.parse(row.manifest) as SourceDefinitionManifest);
}

/** Finds the fingerprint of a registered manifest, in the contract's `digest` form; undefined for an unknown one. */
export async function findFingerprint(
  { prisma }: Database,
  tenantId: TenantId,
  { name, version }: DefinitionKey,
): Promise<string | undefined> {
  const row = await prisma.sourceDefinition.findUnique({
    where: { tenantId_name_version: { tenantId, name, version } },
    select: { fingerprint: true },
  });
  return row === null ? undefined : digestFromBytes(row.fingerprint);
}

/** Stores a manifest. Returns false if its name and version are taken. */
export async function addManifest(
  { prisma }: Database,
  tenantId: TenantId,
  { name, version, fingerprint, canonical }: PreparedManifest,
): Promise<boolean> {
  const digest = bytesOfDigest(fingerprint);
  try {
    await prisma.sourceDefinition.create({
      data: { tenantId, name, version, fingerprint: digest, manifest: canonical },
      select: { name: true },
    });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}
