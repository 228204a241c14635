import { newId } from '@continuity/kernel/text';
import { withClient } from '../servers/query.ts';

/**
 * Copies a Candidate with its version, so that its Scope has `count`. The copies have the columns that the service writes, and
 * their ids are in order.
 */
export async function copyCandidate(databaseUrl: string, candidateId: string, count: number): Promise<void> {
  const ids = Array.from({ length: count - 1 }, newId);
  await withClient(databaseUrl, (client) =>
    client.query(
      `WITH copied AS MATERIALIZED (
         SELECT c.*, v.proposal, v.source_refs, v.artifact_refs
         FROM candidates c JOIN candidate_versions v USING (tenant_id, candidate_id) WHERE c.candidate_id = $1
       ), heads AS (
         INSERT INTO candidates (tenant_id, candidate_id, scope_key, family, origin, title, source_count, artifact_count,
           created_at, updated_at)
         SELECT c.tenant_id, id, c.scope_key, c.family, c.origin, c.title, c.source_count, c.artifact_count, c.created_at,
           c.updated_at
         FROM copied c CROSS JOIN unnest($2::uuid[]) AS id
       ), versions AS (
         INSERT INTO candidate_versions (tenant_id, candidate_id, version, proposal, source_refs, artifact_refs, created_at)
         SELECT c.tenant_id, id, 1, c.proposal, c.source_refs, c.artifact_refs, c.created_at
         FROM copied c CROSS JOIN unnest($2::uuid[]) AS id
       )
       UPDATE candidate_counts n SET candidates = n.candidates + cardinality($2::uuid[])
       FROM copied c WHERE (n.tenant_id, n.scope_key, n.status) = (c.tenant_id, c.scope_key, 'pending')`,
      [candidateId, ids],
    ),
  );
}
