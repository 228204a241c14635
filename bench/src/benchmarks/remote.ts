import { createHash } from 'node:crypto';
import type { Bench, Benchmark, Outcome } from '../benchmark.ts';
import { vacuumTables } from '../data/fill-scope.ts';
import { type HttpRequest, latencyOf, send } from '../load/http-load.ts';
import { query } from '../servers/query.ts';
import { type LoadedService, runOnService } from '../servers/run-on-service.ts';

const digest = 'ab'.repeat(32);
const skillsOfTarget = 5;
const connections = 32;
const minuteMs = 60_000;

export const remote: Benchmark = {
  name: 'remote',
  summary: 'reconciles of 10,000 remote targets with 5 installed Skills each, by one gateway and one worker',
  run: (bench) => runOnService(bench, {}, (running) => measure(bench, running)),
};

async function measure(bench: Bench, { load, url, databaseUrl }: LoadedService): Promise<Outcome> {
  const targets = bench.isQuick ? 20 : 10_000;
  bench.log(`remote: ${targets} targets`);
  await plantTargets(databaseUrl, targets);
  await vacuumTables(databaseUrl);
  const requestsOf = (drifted: number) =>
    Array.from({ length: targets }, (_, index) => reconcileOf(index, drifted));
  const measured = async (name: string, drifted: number) => {
    bench.log(`remote: ${name}`);
    const before = await writtenRows(databaseUrl);
    const result = await send(load, [url], requestsOf(drifted), { connections });
    const { p50Ms, p99Ms } = latencyOf(result);
    const written = (await writtenRows(databaseUrl)) - before;
    return { throughput: { name, connections, perSecond: result.perSecond, p50Ms, p99Ms }, written };
  };
  await send(load, [url], requestsOf(0).slice(0, Math.ceil(targets / 20)), { connections });
  const same = await measured('reconcile, nothing changed', 0);
  const changed = await measured('reconcile, one Skill has drifted', 1);
  return {
    throughputs: [same.throughput, changed.throughput],
    findings: [
      {
        name: 'targets that can reconcile every minute',
        value: same.throughput.perSecond * (minuteMs / 1000),
        unit: '',
        ...(!bench.isQuick && { bar: { kind: 'at least', limit: 10_000 } as const }),
      },
      {
        name: 'reconcile, nothing changed: publications written',
        value: same.written,
        unit: '',
        bar: { kind: 'at most', limit: 0 },
      },
      {
        name: 'reconcile, one Skill has drifted: publications written by each',
        value: changed.written / targets,
        unit: '',
        bar: { kind: 'at most', limit: 1 },
      },
      {
        name: 'a row of a reconcile job, with its indexes',
        value: await jobRowBytes(databaseUrl),
        unit: 'bytes',
      },
    ],
  };
}

const credentialOf = (index: number) =>
  `skt_${index.toString(16).padStart(32, '0')}.${String(index).padStart(43, 'A')}`;

/** Writes targets that are enrolled, with Skills that are current. The contents of the Skills are never read. */
async function plantTargets(databaseUrl: string, count: number): Promise<void> {
  const hashes = Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(credentialOf(index)).digest('hex'),
  );
  await query(
    databaseUrl,
    `WITH scope AS (
       SELECT tenant_id, scope_key FROM scopes ORDER BY scope_key LIMIT 1
     ), package AS (
       INSERT INTO skill_packages (tenant_id, scope_key, tree_digest, archive_digest, file_count, uncompressed_size,
         archive_size, files, says, archive)
       SELECT tenant_id, scope_key, decode($2, 'hex'), decode($2, 'hex'), 1, 1, 1, '[]', '{}', '' FROM scope
     ), target AS (
       INSERT INTO remote_skill_targets (tenant_id, scope_key, target_id, display_name, agent_kind, state,
         enrollment_expires_at, credential_hash)
       SELECT tenant_id, scope_key, 'codex-' || n, 'bench', 'codex', 'active', now(), hash
       FROM scope, unnest($1::text[]) WITH ORDINALITY AS planted (hash, n)
     )
     INSERT INTO remote_skill_publications (tenant_id, scope_key, target_id, artifact_id, artifact_key, desired_state,
       desired_revision, desired_tree_digest, desired_name, observed_revision, observed_tree_digest, observed_generation,
       state, observed_at)
     SELECT tenant_id, scope_key, 'codex-' || n, 'skill-' || s, s, 'published', 1, $2, 'skill-' || s, 1, $2, 0, 'current', now()
     FROM scope, generate_series(1, $3::int) AS n, generate_series(1, $4::int) AS s`,
    [hashes, digest, count, skillsOfTarget],
  );
}

/** The request of a target whose Skills are as published, but for the first `drifted` ones. */
function reconcileOf(index: number, drifted: number): HttpRequest {
  const observations = Array.from({ length: skillsOfTarget }, (_, skill) => ({
    artifact: { family: 'skill', artifact_id: `skill-${skill + 1}`, revision: 1 },
    tree_digest: digest,
    actual_tree_digest: skill < drifted ? null : digest,
    skill_name: `skill-${skill + 1}`,
    applied_generation: 0,
  }));
  const body = { observations, receiver_version: '1.0.0' };
  return { path: '/v1/skill/remote/reconcile', token: credentialOf(index), body };
}

/** Publications that were written since all of them were planted in one transaction. */
async function writtenRows(databaseUrl: string): Promise<number> {
  const [row] = await query<{ written: number }>(
    databaseUrl,
    `SELECT count(*) FILTER (WHERE xmin::text::bigint <> planted.by)::int AS written
     FROM remote_skill_publications, (SELECT min(xmin::text::bigint) AS by FROM remote_skill_publications) AS planted`,
  );
  return row?.written ?? Number.NaN;
}

async function jobRowBytes(databaseUrl: string): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    databaseUrl,
    "SELECT pg_total_relation_size('jobs')::float8 / count(*) AS bytes FROM jobs",
  );
  return row?.bytes ?? Number.NaN;
}
