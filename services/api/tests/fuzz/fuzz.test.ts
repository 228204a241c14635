import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, clientFor, temporaryDirectory } from '@continuity/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/openapi/index.ts';
import { DocumentUnderTest } from '../contract/support/document.ts';
import { releaseCheck, writeSkill, writeSkillHosts } from '../support/external-skills.ts';
import { startService, type TestService } from '../support/service.ts';
import { checkModel, checkRefusals } from './model/check.ts';
import { checkRows } from './model/rows.ts';
import { chains, Player, type Stage, type Step, steps } from './player.ts';
import { holds, runs, seed } from './settings.ts';
import { Tally } from './tally.ts';

const tenantName = (tenant: number) => `tenant-${tenant}`;
const tokens = ['first-tenants-token', 'second-tenants-token'];
const requestsPerChain = 12;
const limitMs = 3_600_000;

const tally = new Tally();

let service: TestService;
let stage: Stage;
let pool: pg.Pool;
let played = 0;

beforeAll(async () => {
  process.stdout.write(`Fuzzing with FUZZ_SEED=${seed} FUZZ_RUNS=${runs}.\n`);
  const file = join(await temporaryDirectory('fuzz'), 'tokens.json');
  const hashed = tokens.map((token, index) => ({
    tenant: tenantName(index),
    token_sha256: createHash('sha256').update(token).digest('hex'),
  }));
  await writeFile(file, JSON.stringify({ tokens: hashed }));
  const root = await temporaryDirectory('fuzz-skills');
  await writeSkill(root, 'release-check', releaseCheck);
  const roots = tokens.map((_, index) => ({ path: root, tenant: tenantName(index) }));
  const environment = {
    AUTH_TOKENS_FILE: file,
    EXTERNAL_SKILLS_FILE: await writeSkillHosts({ workstation: roots }),
    LOG_LEVEL: 'error',
    MEMORY_SOURCE_WINDOW_LIMIT: '3',
    MEMORY_AUTO_FLUSH_DEBOUNCE_MS: '100',
    MEMORY_AUTO_FLUSH_MAX_DELAY_MS: '200',
  };
  service = await startService({ workers: true, environment });
  const { json } = await service.send('GET', '/openapi.json', undefined, {
    authorization: `Bearer ${tokens[0]}`,
  });
  stage = {
    url: service.url,
    tokens,
    tally,
    known: tokens.map(() => new Set()),
    document: new DocumentUnderTest(json as OpenApiDocument),
  };
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 });
});

afterAll(async () => {
  process.stdout.write(`Answers:\n${tally}\n`);
  await pool.end();
  await service.stop();
});

/** Returns two new Scope ids that no request names by accident. With two, a request can name the wrong one. */
function freshScopes(): string[] {
  played += 1;
  const name = createHash('sha256').update(`${seed} ${played}`).digest('hex').slice(0, 12);
  return [`scope-${name}`, `${name}/%2e\u0085“😀”`];
}

const player = () => new Player(stage, freshScopes());

async function playOnce(step: Step): Promise<void> {
  const one = player();
  await one.play([step]);
  await checkRefusals(one, pool);
}

test(
  'a request of the declared shape, or nearly so, gets an answer that the contract declares',
  { timeout: limitMs },
  () => holds(runs * requestsPerChain, steps({ mutations: [1, 3, 1], tricks: [1] }), playOnce),
);

test('a request that no good client sends gets one too', { timeout: limitMs }, () =>
  holds(runs * requestsPerChain, steps({ mutations: [3, 1], tricks: [0, 3, 1] }), playOnce),
);

test('chains of calls leave a Scope that keeps its rules', { timeout: limitMs }, () =>
  holds(runs, chains({ mutations: [8, 1], tricks: [30, 1] }), async (all) => {
    const one = player();
    await one.play(all);
    await checkModel(one, pool);
  }),
);

test('everything that was written keeps the rules, and pages of Scopes hold each once', async () => {
  const order =
    'SELECT scope_id FROM scopes WHERE tenant_id = (SELECT tenant_id FROM tenants WHERE name = $1) ORDER BY 1';
  for (const [tenant, token] of tokens.entries()) {
    const { rows } = await pool.query<{ scope_id: string }>(order, [tenantName(tenant)]);
    const ids = rows.map(({ scope_id }) => scope_id);
    await checkRows(pool, ids);
    expect(await scopesByPage(clientFor(service.url, { authorization: `Bearer ${token}` }))).toEqual(ids);
  }
});

async function scopesByPage(client: Client): Promise<string[]> {
  const ids: string[] = [];
  let next: { cursor?: string } | undefined = {};
  while (next !== undefined) {
    const { body }: { body: ScopePage } = await client.call('list_scopes', {
      query: { limit: '37', ...next },
    });
    ids.push(...body.items.map(({ scope_id }) => scope_id));
    next = body.next_cursor === null ? undefined : { cursor: body.next_cursor };
  }
  return ids;
}

interface ScopePage {
  items: { scope_id: string }[];
  next_cursor: string | null;
}
