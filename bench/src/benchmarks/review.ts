import type { Candidate } from '@continuity/contract/review';
import type { Bench, Benchmark, Finding, Outcome, Throughput } from '../benchmark.ts';
import { copyCandidate } from '../data/candidates.ts';
import { makeExperience } from '../data/experiences.ts';
import { vacuumTables } from '../data/fill-scope.ts';
import { type Random, seededRandom } from '../data/random.ts';
import {
  type HttpAnswer,
  type HttpLoad,
  type HttpRequest,
  type HttpResult,
  send,
} from '../load/http-load.ts';
import { latencyRatio, medianRow } from '../report/rows.ts';
import { query } from '../servers/query.ts';

const maxManyByFew = 1.3;
const callers = 32;
const source = { name: 'content', source_id: 'evidence' };

export const review: Benchmark = {
  name: 'review',
  summary:
    'lists of 100 and of 100,000 pending Candidates; 1,000 concurrent approvals of one Candidate and of 1,000',
  run: async (bench) => {
    const sizes = bench.isQuick ? [10, 40] : [100, 100_000];
    const load = bench.servers.startLoad();
    const tenants: Tenant[] = [];
    try {
      for (const size of sizes) tenants.push(await openTenant(bench, load, size));
      const [few, many] = tenants;
      if (few === undefined || many === undefined) throw new Error('Two tenants are compared.');
      const lists = await compareLists(bench, load, few, many);
      const approvals = await approve(bench, load, few);
      return {
        throughputs: [...lists.throughputs, ...approvals.throughputs],
        findings: [...lists.findings, ...approvals.findings],
      };
    } finally {
      await load.close();
      for (const tenant of tenants) await tenant.close();
    }
  },
};

/** A deployment whose one tenant has so many pending Candidates. */
interface Tenant {
  size: number;
  scopeId: string;
  urls: string[];
  databaseUrl: string;
  close(): Promise<void>;
}

async function openTenant({ servers, log }: Bench, load: HttpLoad, size: number): Promise<Tenant> {
  log(`review: ${size} pending Candidates`);
  const database = await servers.createDatabase();
  const service = await servers.startSeparate({ databaseUrl: database.url });
  const close = async () => {
    await service.stop();
    await database.drop();
  };
  const tenant = { size, scopeId: `reviewed-${size}`, urls: service.urls, databaseUrl: database.url, close };
  const { urls, scopeId } = tenant;
  const capture = { scope_id: scopeId, source_id: source.source_id, content: 'What was seen.' };
  await send(load, urls, [{ path: '/v1/sources/content', body: capture }], { connections: 1 });
  const [first] = await propose(load, tenant, seededRandom(7), 1);
  await copyCandidate(database.url, first ?? '', size);
  await vacuumTables(database.url);
  return tenant;
}

/** Proposes Experiences. Returns the ids of the Candidates. */
async function propose(
  load: HttpLoad,
  { urls, scopeId }: Tenant,
  random: Random,
  count: number,
): Promise<string[]> {
  const requests = Array.from({ length: count }, () => ({
    path: '/v1/experience/propose',
    body: { scope_id: scopeId, proposal: makeExperience(random), source_refs: [source], artifact_refs: [] },
  }));
  const { answers } = await send(load, urls, requests, { connections: 8, keepAnswers: true });
  return answers.map(({ body }) => (JSON.parse(body) as Candidate).candidate_id);
}

const lists: Record<string, (tenant: Tenant) => HttpRequest> = {
  list: ({ scopeId }) => ({ path: '/v1/artifact-candidates/list', body: { scope_id: scopeId } }),
  inbox: () => ({ path: '/v1/artifact-candidates/inbox', body: { selection: { mode: 'all' } } }),
};

/** Requests the same page of both tenants in turns, so that other load on the machine affects them equally. */
async function compareLists(bench: Bench, load: HttpLoad, few: Tenant, many: Tenant): Promise<Outcome> {
  const throughputs: Throughput[] = [];
  const findings: Finding[] = [];
  const [rounds, perRound] = bench.isQuick ? [1, 2] : [9, 20];
  for (const [name, requestOf] of Object.entries(lists)) {
    const results = new Map<Tenant, HttpResult[]>([few, many].map((tenant) => [tenant, []]));
    for (let round = 0; round <= rounds; round += 1) {
      for (const [tenant, own] of results) {
        const requests = Array.from({ length: perRound }, () => requestOf(tenant));
        const result = await send(load, tenant.urls, requests, { connections: 1 });
        // The first round is the warm-up.
        if (round > 0) own.push(result);
      }
    }
    const rows = [...results].map(([{ size }, own]) => medianRow(`${name} of 50, ${size} pending`, 1, own));
    throughputs.push(...rows);
    const [before = 0, after = 0] = rows.map(({ p50Ms }) => p50Ms);
    findings.push(
      latencyRatio(
        `${name} of pending Candidates: ${many.size} in the tenant / ${few.size}`,
        before,
        after,
        maxManyByFew,
      ),
    );
  }
  return { throughputs, findings };
}

async function approve(bench: Bench, load: HttpLoad, tenant: Tenant): Promise<Outcome> {
  const { urls, databaseUrl, scopeId } = tenant;
  const approvalOf = (candidate_id: string): HttpRequest => {
    const body = { scope_id: scopeId, candidate_id, expected_version: 1 };
    return { path: '/v1/artifact-candidates/approve', body };
  };
  const count = bench.isQuick ? 20 : 1_000;
  bench.log(`review: ${count} approvals`);
  const [one = '', ...others] = await propose(load, tenant, seededRandom(11), count + 1);
  const atOnce = await send(
    load,
    urls,
    Array.from({ length: count }, () => approvalOf(one)),
    {
      connections: count,
      allowFailures: true,
      keepAnswers: true,
    },
  );
  const each = await send(load, urls, others.map(approvalOf), { connections: callers, allowFailures: true });
  const [written] = await query<{ gaps: number; artifacts: number }>(
    databaseUrl,
    `SELECT (SELECT max(position) - count(*) FROM sources s WHERE (s.tenant_id, s.scope_key) = (c.tenant_id, c.scope_key))::int
         AS gaps,
       (SELECT count(*) FROM artifacts a WHERE (a.tenant_id, a.scope_key) = (c.tenant_id, c.scope_key) AND head_revision = 1)::int
         AS artifacts
     FROM scopes c WHERE scope_id = $1`,
    [scopeId],
  );
  const { gaps, artifacts } = written ?? { gaps: Number.NaN, artifacts: 0 };
  return {
    throughputs: [medianRow(`approve, ${count} Candidates`, callers, [each])],
    findings: [
      expectNone(
        `${count} concurrent approvals of one Candidate: answers other than one 200 and clear conflicts`,
        count - countExpected(atOnce.answers),
      ),
      expectNone(
        `${count} Candidates approved by ${callers} callers: answers other than 200`,
        count - (each.statuses['200'] ?? 0),
      ),
      expectNone(`${count + 1} approvals: missing or extra Artifacts`, Math.abs(count + 1 - artifacts)),
      expectNone(`${count + 1} approvals: gaps in the positions of Sources`, gaps),
    ],
  };
}

/** Counts the expected answers: one 200, and conflicts that name the decision on the Candidate. */
function countExpected(answers: readonly HttpAnswer[]): number {
  const conflicts = answers.filter(
    ({ status, body }) => status === 409 && body.includes('"candidate_terminal"'),
  );
  return conflicts.length + Math.min(1, answers.filter(({ status }) => status === 200).length);
}

function expectNone(name: string, value: number): Finding {
  return { name, value, unit: '', bar: { kind: 'at most', limit: 0 } };
}
