import type pg from 'pg';
import { contradictions } from '../fuzz/model/queries.ts';
import { importedSkill } from './deployment.ts';
import type { Ledger, Write, WriteKind } from './ledger.ts';

/** Statements that find the ids of stored writes, by kind. Each row is one occurrence. */
const occurrences: Partial<Record<WriteKind, string>> = {
  remember: "SELECT substr(text, 9) AS id FROM memory_versions WHERE text LIKE 'Fact of %'",
  capture: 'SELECT source_id AS id FROM sources',
  // Extraction turns each captured sentence into one entry.
  flush: `SELECT rtrim(substr(text, 18), '.') AS id FROM memory_versions WHERE text LIKE 'We use Kafka for %'`,
  artifact: `SELECT substr(content::jsonb->>'lesson', 11) AS id FROM artifacts JOIN artifact_revisions USING (tenant_id, artifact_key)
    WHERE family = 'experience'`,
  review: `SELECT substr(r.content::jsonb->>'lesson', 11) AS id FROM candidates n
    JOIN artifacts a ON (a.tenant_id, a.scope_key, a.family, a.artifact_id) = (n.tenant_id, n.scope_key, n.family, n.result_id)
    JOIN artifact_revisions r ON (r.tenant_id, r.artifact_key) = (a.tenant_id, a.artifact_key) WHERE n.status = 'approved'`,
  activity: 'SELECT source_event_id AS id FROM report_activities',
  generate: `SELECT v.source_refs->0->>'source_id' AS id FROM candidates n JOIN candidate_versions v USING (tenant_id, candidate_id)
    WHERE n.origin LIKE 'generat%'`,
  scan: `SELECT scope_id AS id FROM external_skills JOIN scopes USING (tenant_id, scope_key) WHERE name = '${importedSkill}'`,
  import: `SELECT scope_id AS id FROM candidates JOIN scopes USING (tenant_id, scope_key) WHERE origin = 'imported'`,
  publish: `SELECT display_name AS id FROM remote_skill_targets JOIN remote_skill_publications p USING (tenant_id, scope_key, target_id)
    WHERE p.desired_state = 'published' AND p.generation = 0`,
  reconcile: `SELECT display_name AS id FROM remote_skill_targets JOIN remote_skill_publications p USING (tenant_id, scope_key, target_id)
    WHERE p.state = 'current' AND p.observed_generation = 0`,
};

/** Describes answered writes that are missing, and writes that are stored more than once. */
export async function findLostOrDoubled(observer: pg.Pool, ledger: Ledger): Promise<string[]> {
  const found: string[] = [];
  for (const [kind, text] of Object.entries(occurrences)) {
    const { rows } = await observer.query<{ id: string }>(text);
    const counts = new Map<string, number>();
    for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const write of ledger.writes.filter((one) => one.kind === kind)) {
      const times = counts.get(write.id) ?? 0;
      const isWrong = times > 1 || (times === 0 && mustBeThere(write));
      if (isWrong) found.push(`${kind} ${write.id}, sent after "${write.after}", is there ${times} times`);
    }
  }
  return found;
}

/** A refused flush leaves its Source to the next one, so at the end each entry is there. */
const mustBeThere = ({ isAnswered, kind }: Write) => isAnswered || kind === 'flush';

/** Rows that contradict each other: gaps in positions, revisions or cursors, halves of a write, wrong counters. */
export async function findContradictions(observer: pg.Pool, scopes: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  for (const [rule, text] of Object.entries({ ...contradictions, ...ofActivities })) {
    const { rows } = await observer.query(text, text.includes('$1') ? [[...scopes]] : []);
    if (rows.length > 0) found.push(`${rule}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return found;
}

const ofActivities = {
  'spec 30 §5.5: cursors of activities count 1, 2, 3 …': `
    SELECT s.last_cursor, count(a.cursor), max(a.cursor) FROM report_activity_sequences s JOIN report_activities a USING (tenant_id, project_id)
    GROUP BY s.tenant_id, s.project_id, s.last_cursor
    HAVING count(a.cursor) <> s.last_cursor OR max(a.cursor) <> s.last_cursor`,
};

/** Number of jobs that have not ended, background jobs included, and of entries without a vector. */
export async function countUnfinishedWork(observer: pg.Pool): Promise<number> {
  const { rows } = await observer.query<{ left: number }>(
    `SELECT (
       (SELECT count(*) FROM jobs WHERE status IN ('queued', 'running'))
       + (SELECT count(*) FROM memory_states s WHERE valid_to IS NULL AND active AND NOT EXISTS (
            SELECT FROM memory_embeddings e
            WHERE (e.tenant_id, e.artifact_key, e.entry_id) = (s.tenant_id, s.artifact_key, s.entry_id)))
     )::int AS left`,
  );
  return rows[0]?.left ?? 0;
}

/** Deletes jobs that met a dead embedder. Their entries are embedded by later jobs, which `countUnfinishedWork` checks. */
export async function forgetFailedEmbeddings(observer: pg.Pool): Promise<void> {
  await observer.query(
    "DELETE FROM jobs WHERE operation = 'embed_memory' AND status = 'failed' AND error ->> 'code' = 'inference_unavailable'",
  );
}

/** Describes jobs that ended without success (background jobs may still begin), and jobs that are missing although an answer named them. */
export async function findFailedJobs(observer: pg.Pool, ledger: Ledger): Promise<string[]> {
  const { rows } = await observer.query<{ job_id: string; status: string; error: unknown; attempt: number }>(
    'SELECT job_id, status, error, attempt FROM jobs',
  );
  const jobs = new Map(rows.map((row) => [row.job_id, row]));
  const failed = rows
    .filter(({ status }) => status === 'failed' || status === 'cancelled')
    .map((job) => `a job has not succeeded: ${JSON.stringify(job)}`);
  const missing = ledger.writes
    .filter(({ answer }) => answer.jobId !== undefined && !jobs.has(answer.jobId))
    .map(({ kind, id, answer }) => `the job ${answer.jobId} of ${kind} ${id} is missing`);
  return [...failed, ...missing];
}
