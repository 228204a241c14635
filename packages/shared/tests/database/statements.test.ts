import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { declaredStatements, plannerSql, type Statement } from '@continuity/kernel/database';
import { createDatabase } from '@continuity/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnMismatch, describeStatement } from '../support/describe-statement.ts';
import { planOf } from '../support/plan.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const source = await createDatabase();
const client = new pg.Client({ connectionString: source.url });

beforeAll(async () => {
  await client.connect();
  for await (const file of glob('{packages,services}/*/src/**/*.ts', { cwd: root })) {
    if (/\b(deploymentS|s)tatement\(/.test(readFileSync(`${root}${file}`, 'utf8')))
      await import(`${root}${file}`);
  }
});

afterAll(async () => {
  await client.end();
  await source.drop();
});

/** The statements of the product. Tests that share this process declare others, named `test_…`, over tables of their own. */
function productStatements(): Statement[] {
  return [...declaredStatements].filter(({ name }) => !name.startsWith('test_'));
}

/** The name of each statement with what `complaintOf` says of it, where it says something. */
async function complaints(complaintOf: (statement: Statement) => unknown): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const statement of productStatements()) {
    const complaint = await complaintOf(statement);
    if (complaint !== undefined) found[statement.name] = complaint;
  }
  return found;
}

test('statements have names of their own', () => {
  const names = productStatements().map(({ name }) => name);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

test('the server prepares each statement, and its result has the declared columns', async () => {
  expect(await complaints((statement) => columnMismatch(client, statement))).toEqual({});
});

test('a column that may be null in its table is declared so', async () => {
  const wrong = await complaints(async ({ text, columns }) => {
    const nullable = (await describeStatement(client, text))
      .filter((described) => described.source?.isNullable && columns[described.name]?.isNullable === false)
      .map(({ name }) => name);
    return nullable.length === 0 ? undefined : nullable;
  });
  expect(wrong).toEqual({});
});

/** A filter by a parameter or by a list of parameters, or an insert of one. */
const bindsTenant =
  /\btenant_id = (ANY ?\()?\$\d|AS \w+ ?\(tenant_id\b|\(\s*tenant_id\b[^)]*\)\s*(VALUES \(|SELECT )\$\d/;

test('each statement binds a tenant, unless it serves the deployment', async () => {
  const wrong = await complaints(({ text, ofDeployment }) =>
    ofDeployment || bindsTenant.test(text) ? undefined : text,
  );
  expect(Object.keys(wrong)).toEqual([]);
});

/** They run once in a while, over a page of jobs at most. */
const seldom = ['jobs_held', 'jobs_list', 'jobs_list_of_scope', 'jobs_renumber', 'jobs_replay', 'jobs_retry'];

test('a statement of each job finds it by its key, also by a plan that was made while the table was empty', async () => {
  await client.query(plannerSql);
  const wrong = await complaints(async ({ name, text }) => {
    if (!/\bjobs\b/.test(text) || seldom.includes(name)) return undefined;
    const steps = await planOf(client, text);
    const others = steps.filter(
      ({ table = 'jobs', index, condition }) =>
        table === 'jobs' && index !== 'jobs_pkey' && /\bjob_id = \(?(?!\(|hashed|SubPlan)/.test(condition),
    );
    return others.length === 0 ? undefined : others;
  });
  expect(wrong).toEqual({});
});

/** For each table that a statement joins, the column that its look-up must name. Without it, the step reads rows of other entries. */
const keyColumns: Record<string, Record<string, string>> = {
  select_entries_to_embed: {
    memory_embedding_cursors: 'artifact_key',
    memory_changes: 'revision',
    memory_states: 'entry_id',
    memory_versions: 'entry_id',
    memory_embeddings: 'entry_id',
    failed_embeddings: 'entry_id',
  },
  find_remote_publication: { artifacts: 'artifact_key', managed_skills: 'artifact_key' },
  list_remote_publications: { artifacts: 'artifact_key', managed_skills: 'artifact_key' },
  read_remote_reconcile: { skill_packages: 'tree_digest', artifact_revisions: 'revision' },
  plan_project_report: { report_workstreams: 'project_id', scopes: 'scope_id', artifacts: 'scope_key' },
  plan_scope_report: { scopes: 'scope_key', report_workstreams: 'scope_id', artifacts: 'scope_key' },
};

/** The steps that read a table of `keyColumns` without naming its column, by statement. */
function joinsWithoutKey(): Promise<Record<string, unknown>> {
  return complaints(async ({ name, text }) => {
    const columns = keyColumns[name];
    if (columns === undefined) return undefined;
    const steps = (await planOf(client, text)).filter(({ table = '' }) => table in columns);
    expect(new Set(steps.map(({ table }) => table))).toEqual(new Set(Object.keys(columns)));
    const others = steps.filter(
      ({ table = '', condition }) => !new RegExp(`\\b${columns[table]} [=<>]`).test(condition),
    );
    return others.length === 0 ? undefined : others;
  });
}

test('a join finds rows by their key, also by a plan that was made while the tables were small', async () => {
  await client.query(plannerSql);
  expect(await joinsWithoutKey()).toEqual({});
  // An analyzed table counts as one page, any other as ten pages at least.
  await client.query('ANALYZE');
  expect(await joinsWithoutKey()).toEqual({});
});
