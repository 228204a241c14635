import type { SourceDefinitionManifest } from '@continuity/contract/connectors';
import { type Database, PerEpoch, type TenantId } from '@continuity/kernel/database';
import { isUniqueViolation, requireNoIssues, serviceError } from '@continuity/kernel/errors';
import { bytesOfDigest, canonicalJson, digestFromBytes } from '@continuity/kernel/json';
import { LRUCache } from 'lru-cache';
import { isReserved, type PreparedManifest } from './bodies/index.ts';
import { type SourceDefinition, toDefinition } from './definition.ts';
import type { SchemaValidator } from './schemas/schema-validator.ts';

/** Limit of the cached schemas, in characters. */
const maxCachedLength = 16 * 1024 * 1024;

/** Reads Source definitions through a cache. Definitions are immutable, so that entries never become stale in an epoch. */
export class DefinitionCache {
  readonly #database: Database;
  readonly #cache: PerEpoch<LRUCache<string, SourceDefinition>>;

  constructor(database: Database) {
    this.#database = database;
    this.#cache = new PerEpoch(database.epochs, createCache);
  }

  /** Finds a definition. Throws 404 `source_definition_not_found`. */
  async require(tenantId: TenantId, name: string, version: string): Promise<SourceDefinition> {
    const key = canonicalJson([tenantId, name, version]);
    const cache = this.#cache.current;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const manifest = await findManifest(this.#database, tenantId, { name, version });
    if (manifest === undefined) {
      throw serviceError('source_definition_not_found', {
        details: { source_type: name, definition_version: version },
      });
    }
    const definition = toDefinition(manifest);
    cache.set(key, definition);
    return definition;
  }
}

function createCache(): LRUCache<string, SourceDefinition> {
  return new LRUCache({
    maxSize: maxCachedLength,
    sizeCalculation: ({ schemas }, key) => key.length + schemas.reduce((sum, { length }) => sum + length, 0),
  });
}

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
