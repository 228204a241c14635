import type { Database, TenantId } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { canonicalJson } from '@continuity/kernel/json';
import { LRUCache } from 'lru-cache';
import { type SourceDefinition, toDefinition } from './definition.ts';
import { findManifest } from './stored-manifests.ts';

/** Limit of the cached schemas, in characters. */
const maxCachedLength = 16 * 1024 * 1024;

/** Reads Source definitions through a cache. Definitions are immutable, so that entries never become stale. */
export class DefinitionCache {
  readonly #database: Database;
  readonly #cache = new LRUCache<string, SourceDefinition>({
    maxSize: maxCachedLength,
    sizeCalculation: ({ schemas }, key) => key.length + schemas.reduce((sum, { length }) => sum + length, 0),
  });

  constructor(database: Database) {
    this.#database = database;
  }

  /** Finds a definition. Throws 404 `source_definition_not_found`. */
  async require(tenantId: TenantId, name: string, version: string): Promise<SourceDefinition> {
    const key = canonicalJson([tenantId, name, version]);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const manifest = await findManifest(this.#database, tenantId, { name, version });
    if (manifest === undefined) {
      throw serviceError('source_definition_not_found', {
        details: { source_type: name, definition_version: version },
      });
    }
    const definition = toDefinition(manifest);
    this.#cache.set(key, definition);
    return definition;
  }
}
