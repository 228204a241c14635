import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../data/random.ts';
import { makeEntry, makeQuery } from '../data/texts.ts';
import { openHistogram, readLatency, recordMs } from '../load/latency.ts';
import { entryBytes, rememberRequest, searchRequest, statsRequest } from '../load/requests.ts';
import { timeOf } from '../load/time-of.ts';
import { databaseProcessorMs } from '../servers/processor-time.ts';
import { query } from '../servers/query.ts';
import type { Service } from '../servers/service.ts';

/** A deployment with many Scopes or tenants. */
export interface ManyScopes {
  service: Service;
  databaseUrl: string;
  adminUrl: string;
  /** A Scope, with the token of its tenant if tokens are on. */
  pickScope: (random: Random) => { scopeId: string; token?: string };
  /** Of the operator, if tokens are on. */
  operatorToken?: string;
}

interface Probe {
  name: string;
  isOfOperator?: boolean;
  /** A GET without a body. */
  request: (random: Random, scopeId: string) => { path: string; body?: unknown };
}

const inAllScopes = { mode: 'all' } as const;

const probes: Probe[] = [
  { name: 'remember', request: (random, scopeId) => rememberRequest(scopeId, makeEntry(random, entryBytes)) },
  {
    name: 'search, three to five words',
    request: (random, scopeId) => searchRequest(scopeId, makeQuery(random)),
  },
  { name: 'list of Scopes, a page of 50', request: () => ({ path: '/v1/scopes?limit=50' }) },
  {
    name: 'inbox of Candidates of all Scopes',
    request: () => ({ path: '/v1/artifact-candidates/inbox', body: { selection: inAllScopes, limit: 20 } }),
  },
  { name: 'statistics of all Scopes', request: () => statsRequest(inAllScopes, '30d') },
  { name: 'queues', request: () => ({ path: '/v1/queues' }) },
  { name: 'readiness', request: () => ({ path: '/health/ready' }) },
  { name: 'metrics with the backlog', isOfOperator: true, request: () => ({ path: '/metrics' }) },
];

/** Latency of each kind of request, as `p50 / p95` in milliseconds, by its name. */
export async function timeRequests(
  { service, pickScope, operatorToken }: ManyScopes,
  random: Random,
  times: number,
): Promise<Map<string, string>> {
  const [url = ''] = service.urls;
  const cells = new Map<string, string>();
  for (const { name, request, isOfOperator = false } of probes) {
    const histogram = openHistogram();
    for (let count = -2; count < times; count += 1) {
      const { scopeId, token: own } = pickScope(random);
      const token = isOfOperator ? operatorToken : own;
      const { path, body } = request(random, scopeId);
      const headers = {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const ms = await timeOf(async () => {
        const response = await fetch(url + path, {
          headers,
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
      });
      if (count >= 0) recordMs(histogram, ms);
    }
    const { p50Ms, p95Ms } = readLatency(histogram);
    cells.set(name, `${p50Ms.toFixed(1)} / ${p95Ms.toFixed(1)}`);
  }
  return cells;
}

/** Cost and memory of a deployment without requests, by name. */
export async function measureRest(
  { service, databaseUrl, adminUrl }: ManyScopes,
  windowMs: number,
  isQuick: boolean,
): Promise<Map<string, string>> {
  const programs = { gateway: service.gateways[0], worker: service.workers[0] };
  const read = async () => ({
    gateway: (await programs.gateway?.processorMs()) ?? 0,
    worker: (await programs.worker?.processorMs()) ?? 0,
    PostgreSQL: isQuick ? 0 : await databaseProcessorMs(adminUrl),
    rows: await rowsRead(databaseUrl),
  });
  const before = await read();
  await sleep(windowMs);
  const after = await read();
  const percent = (part: 'gateway' | 'worker' | 'PostgreSQL') =>
    `${((100 * (after[part] - before[part])) / windowMs).toFixed(1)} %`;
  const [size] = await query<{ bytes: number; entries: number }>(
    databaseUrl,
    `SELECT pg_database_size(current_database())::float AS bytes, (SELECT count(*)::int FROM memory_versions) AS entries`,
  );
  return new Map([
    ['without requests: a core, gateway', percent('gateway')],
    ['without requests: a core, worker', percent('worker')],
    ['without requests: a core, PostgreSQL', percent('PostgreSQL')],
    [
      'without requests: rows that PostgreSQL reads in a minute',
      Math.round(((after.rows - before.rows) * 60_000) / windowMs).toString(),
    ],
    ['memory of the gateway, MiB', ((await programs.gateway?.memoryMib()) ?? 0).toFixed(0)],
    ['memory of the worker, MiB', ((await programs.worker?.memoryMib()) ?? 0).toFixed(0)],
    ['database, KB per entry', ((size?.bytes ?? 0) / 1_000 / (size?.entries ?? 1)).toFixed(1)],
  ]);
}

/** Rows that scans of tables and look-ups by index have read since the start of the database. */
async function rowsRead(databaseUrl: string): Promise<number> {
  const [row] = await query<{ rows: number }>(
    databaseUrl,
    'SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float AS rows FROM pg_stat_user_tables',
  );
  return row?.rows ?? 0;
}
