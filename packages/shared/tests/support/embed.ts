import type { Database, TenantId } from '@continuity/kernel/database';
import { embedText } from '@continuity/testing';
import { toUnitVector } from '../../src/inference/unit-vector.ts';
import { readPending } from '../../src/memory/embedding/pending.ts';
import { findScopeToEmbed } from '../../src/memory/embedding/profile.ts';
import { storeVectors } from '../../src/memory/embedding/store-vectors.ts';
import { rememberFacts } from './memory.ts';

export const testDimension = 24;
export const testProfile = { profileId: 'test', model: 'test', dimension: testDimension };

/** The vector that `fillWithVectors` gives a text. */
export function vectorOf(text: string): Float32Array {
  const vector = toUnitVector(embedText(text, testDimension), testDimension);
  if (vector === null) throw new Error('A test text has no vector.');
  return vector;
}

/** Remembers texts in one revision, and embeds them as a worker does. Answers the key of the Scope. */
export async function fillWithVectors(
  database: Database,
  { tenantId, scopeId, profileKey }: { tenantId: TenantId; scopeId: string; profileKey: number },
  texts: string[],
): Promise<number> {
  await rememberFacts(database, { tenantId, scopeId }, texts);
  const found = await findScopeToEmbed(database.sql, tenantId, scopeId);
  if (found === undefined) throw new Error('A Scope with Memory was not found.');
  const scope = { tenantId, scopeKey: found.scopeKey, profileKey };
  for (;;) {
    const window = await readPending(database.sql, scope, texts.length);
    const entries = window?.entries ?? [];
    if (entries.length === 0) return found.scopeKey;
    await storeVectors(
      database,
      scope,
      entries.map((entry) => ({ ...entry, vector: vectorOf(entry.text) })),
    );
  }
}
