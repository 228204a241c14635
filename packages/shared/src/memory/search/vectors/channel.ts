import { optimizationFence, type TenantId } from '@continuity/kernel/database';
import { scopeKey } from '../../../scopes/index.ts';
import type { VectorTable } from '../../../search/index.ts';
import { holdsAt } from '../../validity.ts';
import type { AsOf } from '../lexical-search.ts';
import { type ChannelHit, placeOf } from '../lexical-statements.ts';
import type { QueryVector } from '../query-embedder.ts';

/** The vectors of entries. */
export const vectorTable: VectorTable = {
  table: 'memory_embeddings',
  identity: ['artifact_key', 'entry_id'],
};

/*
 * The vector of an entry that had ended when it was written has the negative key of its profile: no search without `asOf` reads it, and
 * no index has it.
 */

/** The key under which the vectors of ended entries are stored, and counted. */
export function endedProfile(profileKey: number): number {
  return -profileKey;
}

export interface NearestQuery extends AsOf {
  tenantId: TenantId;
  scopeId: string;
  vector: QueryVector;
  /** Limit of hits. */
  limit: number;
  /** Mode `auto`: the channel runs only where at most 5 % of the Scope's active entries lack their vector (spec 20 S4). */
  onlyIfCovered: boolean;
}

export interface NearestAnswer {
  /** Head revision of the Scope Memory; null if the Scope has none. */
  headRevision: number | null;
  /** False where `onlyIfCovered` kept the channel from running. */
  ran: boolean;
  /** Best first; `score` is the cosine similarity. */
  hits: ChannelHit[];
}

/** The Scope, and whether the channel runs. Parameters: tenant, Scope id, profile, only if covered. */
export const scopeCte = `scope AS MATERIALIZED (
     SELECT a.scope_key, a.head_revision, coalesce(e.embedded, 0) AS embedded, coalesce(e.is_quantized, false) AS is_quantized,
            NOT $4::boolean
              OR (coalesce(t.active_entries, 0) - coalesce(e.embedded, 0) - coalesce(ended.embedded, 0)) * 20
                <= coalesce(t.active_entries, 0) AS runs
     FROM artifacts a
     LEFT JOIN memory_totals t ON t.tenant_id = a.tenant_id AND t.scope_key = a.scope_key
     LEFT JOIN memory_embedding_totals e
       ON e.tenant_id = a.tenant_id AND e.scope_key = a.scope_key AND e.profile_key = $3
     LEFT JOIN memory_embedding_totals ended
       ON ended.tenant_id = a.tenant_id AND ended.scope_key = a.scope_key AND ended.profile_key = -$3::int
     WHERE a.tenant_id = $1 AND a.scope_key = ${scopeKey} AND a.family = 'memory' AND a.artifact_id = 'memory'
   )`;

/**
 * SQL condition on the key of a vector `m` of the entries of `scope` (spec 26 S1): its entry has not ended since it was written. Few
 * entries have, so they are read once.
 */
export const hasNotEndedSince = `(m.artifact_key, m.entry_id) NOT IN (
         SELECT s.artifact_key, s.entry_id FROM memory_states s
         WHERE s.tenant_id = $1 AND s.scope_key = (SELECT scope_key FROM scope) AND s.valid_to IS NULL AND s.active AND NOT s.ended
           AND s.holds_until <= now())`;

/** SQL condition on the key of a vector `m`: its entry holds at a time, SQL of a `timestamptz`. */
export function entryHoldsAt(time: string): string {
  return `EXISTS (
         SELECT FROM memory_states s
         WHERE s.tenant_id = $1 AND s.artifact_key = m.artifact_key AND s.entry_id = m.entry_id AND s.valid_to IS NULL
           AND ${holdsAt('s', time)} ${optimizationFence})`;
}

/** The head, state and version of a `near` entry: each looked up by its whole key. */
export const joinEntry = `
     CROSS JOIN LATERAL (
       SELECT a.artifact_id, a.head_revision FROM artifacts a
       WHERE a.tenant_id = $1 AND a.artifact_key = near.artifact_key ${optimizationFence}
     ) AS a
     CROSS JOIN LATERAL (
       SELECT s.version, s.valid_from FROM memory_states s
       WHERE s.tenant_id = $1 AND s.artifact_key = near.artifact_key AND s.entry_id = near.entry_id
         AND s.valid_to IS NULL AND s.active
       ${optimizationFence}
     ) AS s
     CROSS JOIN LATERAL (
       SELECT v.entry_version_id, v.kind, v.text, v.holds_from, v.holds_until, v.place FROM memory_versions v
       WHERE v.tenant_id = $1 AND v.artifact_key = near.artifact_key AND v.entry_id = near.entry_id
         AND v.version = s.version
       ${optimizationFence}
     ) AS v`;

/** The columns of a hit after `joinEntry`. */
export const hitColumns = `near.artifact_key, a.artifact_id, a.head_revision, near.entry_id, s.valid_from AS revision, s.version,
            v.entry_version_id, v.kind, v.text, v.holds_from, v.holds_until, ${placeOf('near', 's.version')} AS place, near.score`;

/**
 * The stored vectors `m` of the entries whose keys are two array parameters. Parameters before: tenant, Scope id, profile.
 */
export const vectorsOfEntries = `
   FROM unnest($4::bigint[], $5::uuid[]) AS given(artifact_key, entry_id) CROSS JOIN LATERAL (
     SELECT m.artifact_key, m.entry_id, m.embedding, m.quantized FROM memory_embeddings m
     WHERE m.tenant_id = $1 AND m.scope_key = ${scopeKey} AND m.profile_key IN ($3, -$3::int)
       AND m.artifact_key = given.artifact_key AND m.entry_id = given.entry_id ${optimizationFence}
   ) AS m`;
