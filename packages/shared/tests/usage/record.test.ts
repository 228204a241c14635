import { openDatabase, type ScopeKey, type Sql, statement, type TenantId } from '@continuity/kernel/database';
import { createLogger } from '@continuity/kernel/telemetry';
import { type AnsweredCalls, recordModelUse } from '@continuity/shared/usage';
import { createDatabase } from '@continuity/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let testDatabase: Awaited<ReturnType<typeof createDatabase>>;
let database: ReturnType<typeof openDatabase>;
/** By tenant. */
let scopeKeys: [ScopeKey, ScopeKey];

const lines: string[] = [];
/** A logger writes a message at most once a second, so each test has its own. */
const newLogger = () =>
  createLogger({ LOG_LEVEL: 'debug' }, 'test', { write: (line: string) => lines.push(line) });
let logger = newLogger();

const addTenants = statement('test_add_tenants', `INSERT INTO tenants (name) VALUES ('a'), ('b')`);
const addScopes = statement(
  'test_add_scopes',
  `INSERT INTO scopes (tenant_id, scope_id, title, summary)
   SELECT tenant_id, 'same', '', '' FROM tenants WHERE name IN ('a', 'b') ORDER BY name
   RETURNING tenant_id, scope_key`,
);
const clear = statement('test_clear_use', 'DELETE FROM model_usage_days');
const readUse = statement(
  'test_read_use',
  `SELECT t.name AS tenant, u.day::text, u.purpose, u.operation, u.requests, u.input_tokens, u.output_tokens
   FROM model_usage_days u JOIN tenants t USING (tenant_id) ORDER BY 1, 2, 3, 4`,
);

let tenants: [TenantId, TenantId];

beforeAll(async () => {
  testDatabase = await createDatabase();
  database = openDatabase({ url: testDatabase.url, size: 8, name: 'usage', onIdleError: () => undefined });
  await database.sql.rows(addTenants, []);
  const rows = await database.sql.rows<{ tenant_id: TenantId; scope_key: ScopeKey }>(addScopes, []);
  const [one, other] = rows;
  if (one === undefined || other === undefined) throw new Error('Two Scopes were expected.');
  tenants = [one.tenant_id, other.tenant_id];
  scopeKeys = [one.scope_key, other.scope_key];
});

beforeEach(async () => {
  lines.length = 0;
  logger = newLogger();
  await database.sql.rows(clear, []);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const use = (change: Partial<AnsweredCalls> = {}): AnsweredCalls => ({
  tenantId: tenants[0],
  scope: { scopeId: 'same' },
  purpose: 'memory_extraction',
  operation: 'generation',
  requests: 1,
  input_tokens: 10,
  output_tokens: 3,
  at: new Date('2026-11-20T12:00:00Z'),
  ...change,
});

const record = (change: Partial<AnsweredCalls> = {}, sql: Sql = database.sql) =>
  recordModelUse({ sql, logger }, use(change));

const recorded = () => database.sql.rows(readUse, []);

test('spec 20 T6: concurrent calls add up, by purpose, operation and day', async () => {
  await Promise.all(Array.from({ length: 40 }, () => record()));
  await Promise.all([
    record({ operation: 'embedding', output_tokens: null }),
    record({ purpose: 'memory_recall', requests: 3 }),
    record({ tenantId: tenants[1] }),
  ]);
  const one = { tenant: 'a', day: '2026-11-20', purpose: 'memory_extraction', operation: 'generation' };
  expect(await recorded()).toEqual([
    { ...one, operation: 'embedding', requests: 1, input_tokens: 10, output_tokens: null },
    { ...one, requests: 40, input_tokens: 400, output_tokens: 120 },
    { ...one, purpose: 'memory_recall', requests: 3, input_tokens: 10, output_tokens: 3 },
    { ...one, tenant: 'b', requests: 1, input_tokens: 10, output_tokens: 3 },
  ]);
});

test('spec 20 T6: a figure that one call did not report is unknown for the day, whatever came before or comes after', async () => {
  await record();
  await record({ input_tokens: null });
  await record();
  expect(await recorded()).toMatchObject([{ requests: 3, input_tokens: null, output_tokens: 9 }]);
});

test('spec 20 T5: midnight UTC is the border of a day', async () => {
  await record({ at: new Date('2026-11-20T23:59:59.999Z') });
  await record({ at: new Date('2026-11-21T00:00:00.000Z') });
  expect(await recorded()).toMatchObject([{ day: '2026-11-20' }, { day: '2026-11-21' }]);
});

test('a Scope is known by its key as by its id; use for an unknown one counts nothing', async () => {
  await record({ scope: { scopeKey: scopeKeys[0] } });
  await record({ scope: { scopeId: 'unknown' } });
  expect(await recorded()).toMatchObject([{ tenant: 'a', requests: 1 }]);
  expect(lines).toEqual([]);
});

test("another tenant's Scope key counts nothing, and is logged", async () => {
  await record({ scope: { scopeKey: scopeKeys[1] } });
  expect(await recorded()).toEqual([]);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['the use of a model was not counted']);
});

test('a failure to count is logged and nothing else', async () => {
  const broken: Sql = { rows: () => Promise.reject(new Error('gone')), first: async () => undefined };
  await record({}, broken);
  expect(await recorded()).toEqual([]);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['the use of a model was not counted']);
});
