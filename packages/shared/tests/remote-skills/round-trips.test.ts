import type { RemoteSkillObservation } from '@continuity/contract/remote-skills';
import { newId } from '@continuity/kernel/text';
import type { ClaimedJob } from '@continuity/shared/jobs';
import { beforeAll, expect, test } from 'vitest';
import { runReconcile } from '../../src/remote-skills/index.ts';
import { statementsOf } from '../support/count-statements.ts';
import { openOwnDatabase } from '../support/database.ts';

const { database, tenantId } = await openOwnDatabase('remote-round-trips');
const scope_id = 'delivered';
const target_id = 'codex-1';
const digest = 'ab'.repeat(32);
const skills = 20;

beforeAll(async () => {
  await database.pool.query(
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary) VALUES ($1, $2, '', '') RETURNING scope_key
     ), package AS (
       INSERT INTO skill_packages (tenant_id, scope_key, tree_digest, archive_digest, file_count, uncompressed_size,
         archive_size, files, says, archive)
       SELECT $1, scope_key, decode($4, 'hex'), '', 1, 1, 1, '[]', '{}', '' FROM scope
     ), target AS (
       INSERT INTO remote_skill_targets (tenant_id, scope_key, target_id, display_name, agent_kind, state, enrollment_expires_at)
       SELECT $1, scope_key, $3, 'counted', 'codex', 'active', now() FROM scope
     )
     INSERT INTO remote_skill_publications (tenant_id, scope_key, target_id, artifact_id, artifact_key, desired_state,
       desired_revision, desired_tree_digest, desired_name, observed_revision, observed_tree_digest, observed_generation,
       state, observed_at)
     SELECT $1, scope_key, $3, 'skill-' || n, n, 'published', 1, $4, 'skill-' || n, 1, $4, 0, 'current', now()
     FROM scope, generate_series(1, ${skills}) AS n`,
    [tenantId, scope_id, target_id, digest],
  );
});

const observations = Array.from(
  { length: skills },
  (_, index): RemoteSkillObservation => ({
    artifact: { family: 'skill', artifact_id: `skill-${index + 1}`, revision: 1 },
    tree_digest: digest,
    actual_tree_digest: digest,
    skill_name: `skill-${index + 1}`,
    applied_generation: 0,
  }),
);

/** Runs a reconcile. Returns its messages to the database, and the rows that it has written in the table of publications. */
async function reconcile(seen: RemoteSkillObservation[]): Promise<{ messages: number; written: number }> {
  const jobId = newId();
  await database.pool.query(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, attempt)
     VALUES ($1, $2, 'remote-reconcile', 'reconcile_remote_skills', 'counted', '{}', 'running', 1)`,
    [tenantId, jobId],
  );
  const payload = {
    scope_id,
    target_id,
    observations: seen,
    receiver_version: '1.0.0',
    environment_fingerprint: null,
  };
  const job = { tenantId, jobId, attempt: 1 } as ClaimedJob;
  const context = { signal: new AbortController().signal, progress: async () => undefined };
  const versions = `SELECT artifact_id, xmin::text FROM remote_skill_publications ORDER BY artifact_id`;
  const before = (await database.pool.query(versions)).rows as { xmin: string }[];
  const messages = await statementsOf(database, () => runReconcile(database)(job, payload, context));
  const after = (await database.pool.query(versions)).rows as { xmin: string }[];
  return { messages, written: after.filter(({ xmin }, index) => xmin !== before[index]?.xmin).length };
}

// BEGIN and COMMIT share the round trips of the first and the last statement.
const besides = 2;

test('spec 40 §9: a reconcile that changes nothing takes three round trips and writes no publication', async () => {
  expect(await reconcile(observations)).toEqual({ messages: 3 + besides, written: 0 });
});

test('spec 40 §9: one that changes rows takes four round trips, and writes those alone', async () => {
  const drifted = observations.map((one, index) => (index < 2 ? { ...one, actual_tree_digest: null } : one));
  expect(await reconcile(drifted)).toEqual({ messages: 4 + besides, written: 2 });
  expect(await reconcile(drifted)).toEqual({ messages: 3 + besides, written: 0 });
  expect(await reconcile([])).toEqual({ messages: 4 + besides, written: skills - 2 });
});
