import { canonicalJson, type Database, serviceError } from '@continuity/shared/kernel';
import { LRUCache } from 'lru-cache';
import { definitionOf, type SourceDefinition } from './definition.ts';
import { findManifest } from './store.ts';

/** What is kept of the schemas of definitions, in characters. */
const maxKept = 16 * 1024 * 1024;

/** Definitions that this process has met. They are immutable, so that one that was found is never looked for again. */
export class KnownDefinitions {
  readonly #database: Database;
  readonly #kept = new LRUCache<string, SourceDefinition>({
    maxSize: maxKept,
    sizeCalculation: ({ schemas }, key) => key.length + schemas.reduce((sum, { length }) => sum + length, 0),
  });

  constructor(database: Database) {
    this.#database = database;
  }

  /** Throws 404 `source_definition_not_found`. */
  async require(tenantId: number, name: string, version: string): Promise<SourceDefinition> {
    const key = canonicalJson([tenantId, name, version]);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const manifest = await findManifest(this.#database.sql, tenantId, name, version);
    if (manifest === undefined) {
      throw serviceError('source_definition_not_found', {
        details: { source_type: name, definition_version: version },
      });
    }
    const definition = definitionOf(manifest);
    this.#kept.set(key, definition);
    return definition;
  }
}
