import { type InferenceStub, stubDimension, waitUntil } from '@continuity/testing';
import type { TestService } from './service.ts';
import { query } from './sql.ts';

/** Settings of a service that requests embeddings from `stub`. */
export const embeddingBy = (stub: InferenceStub, profileId = 'stub-v1'): Record<string, string> => ({
  MEMORY_AUTO_FLUSH: 'off',
  INFERENCE_BASE_URL: stub.url,
  INFERENCE_EMBEDDING_MODEL: 'stub',
  INFERENCE_EMBEDDING_PROFILE_ID: profileId,
  INFERENCE_EMBEDDING_DIMENSION: String(stubDimension),
});

/** Counts the vectors of a Scope by profile. */
export async function vectorsOf(service: TestService, scopeId: string): Promise<Record<string, number>> {
  const rows = await query<{ profile_id: string; vectors: number }>(
    service.databaseUrl,
    `SELECT p.profile_id, count(*)::int AS vectors
     FROM memory_embeddings e JOIN scopes USING (tenant_id, scope_key) JOIN embedding_profiles p USING (profile_key)
     WHERE scope_id = $1 GROUP BY p.profile_id`,
    [scopeId],
  );
  return Object.fromEntries(rows.map(({ profile_id, vectors }) => [profile_id, vectors]));
}

/** Waits until the Scope has exactly `vectors` vectors of the profile. */
export async function untilEmbedded(
  service: TestService,
  scopeId: string,
  vectors: number,
  profileId = 'stub-v1',
): Promise<void> {
  await waitUntil(async () => (await vectorsOf(service, scopeId))[profileId] === vectors, {
    what: `${vectors} vectors of ${profileId} in ${scopeId}`,
  });
}

/**
 * Finds vectors without an active entry, and counters that differ from their rows. Returns nothing for a consistent
 * database, once writers and workers are idle.
 */
export async function brokenVectors({ databaseUrl }: TestService): Promise<unknown[]> {
  return await query(
    databaseUrl,
    `SELECT e.tenant_id, e.artifact_key, e.entry_id::text AS what FROM memory_embeddings e
     WHERE NOT EXISTS (
       SELECT FROM memory_states s WHERE s.tenant_id = e.tenant_id AND s.artifact_key = e.artifact_key
         AND s.entry_id = e.entry_id AND s.scope_key = e.scope_key AND s.valid_to IS NULL AND s.active)
     UNION ALL
     SELECT t.tenant_id, t.scope_key, t.embedded || ' counted' FROM memory_embedding_totals t
     WHERE t.embedded <> (
       SELECT count(*) FROM memory_embeddings e WHERE e.tenant_id = t.tenant_id AND e.scope_key = t.scope_key
         AND e.profile_key = t.profile_key)`,
  );
}
