import pg from 'pg';
import type { Bench, Benchmark, Finding } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { scopeNames } from '../data/scopes.ts';
import { makeEntry } from '../data/texts.ts';
import { send } from '../load/http-load.ts';
import { entryBytes, rememberRequest } from '../load/requests.ts';
import { type LoadedService, runOnService } from '../servers/run-on-service.ts';

const writersEach = 32;
const remembers = 10_000;

export const writers: Benchmark = {
  name: 'writers',
  summary: 'four gateways with 32 concurrent writers each: every remember succeeds, no gap in the revisions',
  run: (bench) =>
    runOnService(bench, { gateways: 4 }, async (running) => {
      const findings: Finding[] = [];
      for (const scopes of [100, 1]) findings.push(...(await writeConcurrently(bench, running, scopes)));
      return { throughputs: [], findings };
    }),
};

async function writeConcurrently(
  { isQuick, log }: Bench,
  { service, load, databaseUrl }: LoadedService,
  scopes: number,
): Promise<Finding[]> {
  const count = isQuick ? 100 : remembers;
  const scopeIds = scopeNames(`writers-${scopes}`, scopes);
  log(`writers: ${count} remembers in ${scopes} Scope(s)`);
  const random = seededRandom(43);
  const requests = Array.from({ length: count }, (_, index) =>
    rememberRequest(scopeIds[index % scopes] ?? '', makeEntry(random, entryBytes)),
  );
  const result = await send(load, service.urls, requests, { connections: writersEach, allowFailures: true });
  const gaps = await countGaps(databaseUrl, scopeIds, count);
  const gateways = service.urls.length;
  const label = `${count} remembers by ${gateways * writersEach} writers on ${gateways} gateways, ${scopes} Scope(s)`;
  const note = `${result.perSecond.toFixed(0)} remembers/s`;
  return [
    {
      name: `${label}: answers that are not 200`,
      value: count - (result.statuses['200'] ?? 0),
      unit: '',
      bar: { kind: 'at most', limit: 0 },
      note,
    },
    {
      name: `${label}: missing or extra revisions`,
      value: gaps,
      unit: '',
      bar: { kind: 'at most', limit: 0 },
      note,
    },
  ];
}

/** The number of revisions of all Scopes that are missing or extra, compared with 1, 2, 3 … without a gap. */
async function countGaps(databaseUrl: string, scopeIds: string[], expected: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ heads: number; revisions: number; changes: number }>(
      `SELECT coalesce(sum(head_revision), 0)::int AS heads,
         coalesce(sum((SELECT count(*) FROM artifact_revisions r
           WHERE (r.tenant_id, r.artifact_key) = (a.tenant_id, a.artifact_key) AND revision BETWEEN 1 AND head_revision)), 0)::int
           AS revisions,
         coalesce(sum((SELECT count(DISTINCT revision) FROM memory_changes m
           WHERE (m.tenant_id, m.artifact_key) = (a.tenant_id, a.artifact_key))), 0)::int AS changes
       FROM scopes c JOIN artifacts a USING (tenant_id, scope_key) WHERE c.scope_id = ANY ($1)`,
      [scopeIds],
    );
    const found = rows[0] ?? { heads: 0, revisions: 0, changes: 0 };
    return Math.max(...Object.values(found).map((each) => Math.abs(expected - each)));
  } finally {
    await client.end();
  }
}
