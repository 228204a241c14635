import { appendFile, copyFile, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '@continuity/testing';
import { expect, test } from 'vitest';
import { query } from '../support/sql.ts';
import { clientOf } from '../support/tenants.ts';
import { fixture, hosts, makeHome } from './home.ts';
import { readReport, setUpImports, textsOf } from './machine.ts';

const on = setUpImports('import', 12);

test('spec 70 scenario 4: import alone finds the sessions of five hosts, and writes nothing', async () => {
  const machine = await on.newMachine();
  const { code, stdout, stderr } = await machine.run();
  expect(code).toBe(0);
  for (const host of hosts) expect(stdout).toContain(`continuity import ${host}`);
  expect(stderr).toContain('Nothing was written.');
  expect(JSON.parse((await machine.run('--json')).stdout)).toMatchObject([
    { format: 'claude-code', sessions: 1, texts: 6, scopes: { 'project:shop': 6 } },
    { format: 'codex', sessions: 1, texts: 4, scopes: { 'project:api': 4 } },
    { format: 'gemini', sessions: 2, texts: 6, scopes: { 'project:api': 4, 'project:ledger': 2 } },
    { format: 'opencode', sessions: 2, texts: 4, scopes: { 'project:shop': 4 } },
    { format: 'copilot', sessions: 1, texts: 4, scopes: { 'project:shop': 4 } },
  ]);
  expect(await machine.sources()).toEqual([]);
  await expect(stat(join(machine.home, '.local/state'))).rejects.toThrow();
  await rm(machine.home, { recursive: true });
  expect((await machine.run()).code).toBe(4);
});

test('spec 70 scenario 6: twice adds nothing, nor without the state, and three more turns add their six texts', async () => {
  const machine = await on.newMachine();
  expect(await machine.import(...hosts)).toMatchObject({ added: 24 });
  expect(await machine.import(...hosts)).toMatchObject({ added: 0, already: 0, unchanged_files: 6 });
  expect(await machine.import(...hosts, '--again')).toMatchObject({ added: 0, already: 24 });
  await rm(join(machine.home, '.local/state'), { recursive: true });
  expect(await machine.import(...hosts)).toMatchObject({ added: 0, already: 24 });

  const rollout = join(
    machine.home,
    '.codex/sessions/2026/10/06/rollout-2026-10-06T10-00-00-019a0c5d-0c6e-7f3a-8d22-5b0a9f3c1e77.jsonl',
  );
  for (const number of [3, 4, 5]) {
    const turn_id = `019a0c5d-1111-7000-8000-00000000000${number}`;
    const timestamp = `2026-10-06T11:0${number}:00.000Z`;
    const said = (role: string, type: string, text: string) => ({
      timestamp,
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type, text }] },
    });
    const records = [
      { timestamp, type: 'event_msg', payload: { type: 'task_started', turn_id } },
      said('user', 'input_text', `Question ${number}?`),
      said('assistant', 'output_text', `Answer ${number}.`),
    ];
    await appendFile(rollout, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
  // A file that is being written keeps its last answer open.
  expect(await machine.import('codex')).toMatchObject({ added: 5, already: 0, left_out: { open_turn: 1 } });
  const old = new Date('2026-10-07T00:00:00Z');
  await utimes(rollout, old, old);
  expect(await machine.import('codex')).toMatchObject({ added: 1 });
  expect(await machine.import('codex')).toMatchObject({ added: 0, unchanged_files: 1 });
  const texts = textsOf((await machine.sources()).filter(({ scope_id }) => scope_id === 'project:api'));
  expect(texts.filter((text) => /\d[?.]$/.test(text) && /^(Question|Answer)/.test(text))).toEqual([
    'Question 3?',
    'Answer 3.',
    'Question 4?',
    'Answer 4.',
    'Question 5?',
    'Answer 5.',
  ]);
});

test('spec 70 §3.6: a turn that a host copies into another session is stored once', async () => {
  const machine = await on.newMachine();
  const folder = join(machine.home, '.claude/projects/-home-ada-shop');
  const resumed = join(folder, '99999999-3f0b-4c36-9a25-6d1f6c0b7a11.jsonl');
  const original = await readFile(fixture('claude-code-2.1.197.jsonl'), 'utf8');
  await writeFile(resumed, original.replaceAll('5b0f2a5e', '99999999'));
  const old = new Date('2026-10-09T00:00:00Z');
  await utimes(resumed, old, old);
  expect(await machine.import('claude-code')).toMatchObject({ added: 6, left_out: { copy: 6 } });
  // The state knows the turns of files that are not read again.
  const third = join(folder, '88888888-3f0b-4c36-9a25-6d1f6c0b7a11.jsonl');
  await writeFile(third, original.replaceAll('5b0f2a5e', '88888888'));
  await utimes(third, old, old);
  expect(await machine.import('claude-code')).toMatchObject({
    added: 0,
    unchanged_files: 2,
    left_out: { copy: 6 },
  });
});

test('spec 70 scenario 9: facts that were revised or retired stay so, and a changed record revises its entry', async () => {
  const machine = await on.newMachine();
  const client = clientOf(on.service.url, machine.tenant);
  const scope_id = 'mem0:ada';
  const path = join(machine.home, 'mem0.json');
  await copyFile(fixture('mem0-2.2.1.json'), path);
  expect(await machine.import(path)).toMatchObject({ added: 3, entries: 3 });
  const list = async () =>
    (await client.call('list_memory_entries', { body: { scope_id, include_inactive: true } })).body;
  const citationOf = async (text: string) => {
    const { entries } = await list();
    const entry = entries.find((one) => one.text === text);
    if (entry === undefined) throw new Error(`There is no entry ${text}.`);
    return entry.citation;
  };
  await client.call('revise_memory_entry', {
    body: {
      scope_id,
      citation: await citationOf('Prefers vegetarian restaurants'),
      kind: 'preference',
      text: 'Is vegan',
    },
  });
  await client.call('retire_memory_entry', {
    body: { scope_id, citation: await citationOf('The wifi password is [redacted]') },
  });
  const before = await list();
  expect(await machine.import(path, '--again')).toMatchObject({ added: 0, already: 3, entries: 0 });
  expect(await list()).toEqual(before);

  const changed = (await readFile(path, 'utf8')).replace('sells bicycles', 'sells boats');
  await writeFile(path, changed);
  expect(await machine.import(path)).toMatchObject({ added: 1, already: 2, entries: 1 });
  const { entries } = await list();
  expect(entries).toHaveLength(3);
  expect(entries.find(({ text }) => text === 'Works at a shop that sells boats')).toMatchObject({
    state: 'active',
    source_refs: [
      { source_id: 'mem0/2bd4b574-c911-405f-9e5d-16734f8b97a1' },
      { source_id: 'mem0/2bd4b574-c911-405f-9e5d-16734f8b97a1~2' },
    ],
  });
  expect(await machine.import(path, '--again')).toMatchObject({ added: 0, already: 3 });
});

test('spec 70 scenario 10: credentials are in no stored byte, a commit id is, and off keeps all', async () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(6)}\n-----END PRIVATE KEY-----`;
  const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  const commit = '9f2c1d7ab34ce09912345678deadbeef01234567';
  const text = `Read ${key} with ${token}, password = correcthorse42, see ${commit}.`;
  const lines = [
    { id: 'source', text, scope_id: 'secrets' },
    { id: 'fact', text, scope_id: 'secrets', kind: 'fact', metadata: { note: text } },
    { id: 'only', text: token, scope_id: 'secrets' },
  ];
  const secrets = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', token, 'correcthorse42'];
  const stored = async (...args: string[]) => {
    const machine = await on.newMachine();
    const path = await machine.write('lines.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
    const summary = await machine.import(path, ...args);
    const client = clientOf(on.service.url, machine.tenant);
    const { body } = await client.call('list_memory_entries', { body: { scope_id: 'secrets' } });
    return { summary, bytes: JSON.stringify([await machine.sources(), body]) };
  };
  const standard = await stored();
  expect(standard.summary).toMatchObject({ added: 2, left_out: { empty: 1 } });
  for (const secret of secrets) expect(standard.bytes).not.toContain(secret);
  expect(standard.bytes).toContain(commit);
  const off = await stored('--redact', 'off');
  expect(off.summary).toMatchObject({ added: 3 });
  for (const secret of [...secrets, commit]) expect(off.bytes).toContain(secret);
});

test('spec 70 scenario 11: a dry run only reads, --since takes what is newer, and the report has each item once', async () => {
  const machine = await on.newMachine();
  const report = join(machine.home, 'report.ndjson');
  const dry = await machine.run(...hosts, '--dry-run');
  expect(dry.code).toBe(0);
  expect(dry.stdout).toContain('Would send 24 texts');
  expect(dry.stdout.match(/^--- /gm)).toHaveLength(3);
  expect(await machine.sources()).toEqual([]);

  const recent = await machine.import(...hosts, '--since', '2026-10-07', '--report', report);
  expect(recent).toMatchObject({ added: 12, left_out: { before_since: 12 } });
  const lines = await readReport(report);
  const count = (outcome: string) => lines.filter((line) => line['outcome'] === outcome).length;
  const leftOut = Object.values(recent.left_out).reduce((sum, one) => sum + one, 0);
  expect([count('added'), count('already'), count('refused'), count('left_out')]).toEqual([
    12,
    0,
    0,
    leftOut,
  ]);
  const ids = lines
    .filter((line) => line['outcome'] === 'added')
    .map((line) => `${line['scope_id']} ${line['source_id']}`);
  expect(new Set(ids).size).toBe(12);
  expect(ids.toSorted()).toEqual(
    (await machine.sources()).map((one) => `${one.scope_id} ${one.source_id}`).toSorted(),
  );
  for (const line of lines) {
    expect(Object.keys(line)).toEqual([
      'path',
      'line',
      'source_id',
      'scope_id',
      'position',
      'outcome',
      'reason',
    ]);
  }
  // What a time left out comes with the next import.
  expect(await machine.import(...hosts)).toMatchObject({ added: 12, already: 12 });
  expect((await machine.run('codex', '--since', 'yesterday')).code).toBe(2);
});

test('spec 70 §3: exit codes of arguments, of what is not there, and of a token', async () => {
  const machine = await on.newMachine();
  const codeOf = async (...args: string[]) => (await machine.run(...args)).code;
  expect(await codeOf('nonsense')).toBe(2);
  expect(await codeOf('codex', '--format', 'nonsense')).toBe(2);
  expect(await codeOf(await machine.write('a.bin', 'nothing known'))).toBe(2);
  expect(await codeOf('./missing.zip')).toBe(4);
  await rm(join(machine.home, '.codex'), { recursive: true });
  expect(await codeOf('codex')).toBe(4);
  await makeHome(machine.home);
  machine.env['CONTINUITY_TOKEN'] = 'no-token-of-this-service';
  expect(await codeOf('codex')).toBe(3);
});

test('spec 70 §3.3: the first Scope is extracted before the others are sent', async () => {
  const machine = await on.newMachine();
  await machine.import('claude-code', 'codex');
  const times = await query<{ scope_id: string; sent: Date; extracted: Date | null }>(
    on.service.databaseUrl,
    `SELECT scope_id,
            (SELECT min(created_at) FROM sources s WHERE (s.tenant_id, s.scope_key) = (c.tenant_id, c.scope_key)) AS sent,
            (SELECT max(r.created_at) FROM artifacts a JOIN artifact_revisions r USING (tenant_id, artifact_key)
             WHERE (a.tenant_id, a.scope_key) = (c.tenant_id, c.scope_key) AND a.family = 'memory') AS extracted
     FROM scopes c JOIN tenants t USING (tenant_id) WHERE t.name = $1 AND c.scope_id LIKE 'project:%' ORDER BY sent`,
    [machine.tenant],
  );
  expect(times.map(({ scope_id }) => scope_id).toSorted()).toEqual(['project:api', 'project:shop']);
  const [first, second] = times;
  expect(first?.extracted?.getTime()).toBeLessThanOrEqual(second?.sent.getTime() ?? 0);
});

test('spec 70 §3.5: the state is readable by its user alone, and what was imported is found by search', async () => {
  const machine = await on.newMachine();
  await machine.import('claude-code', 'codex');
  const folder = join(machine.home, '.local/state/continuity/import');
  const [name] = await readdir(folder);
  expect((await stat(join(folder, name ?? ''))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readFile(join(folder, name ?? ''), 'utf8')).not.toContain(
    machine.env['CONTINUITY_TOKEN'] ?? '',
  );
  const client = clientOf(on.service.url, machine.tenant);
  const { body } = await waitUntil(async () => {
    const found = await client.call('search_memory', {
      body: { scope_id: 'project:shop', query: 'which database do the carts move to' },
    });
    return found.body.hits.length > 0 ? found : undefined;
  });
  expect(body.hits[0]?.text).toContain('Postgres 18');
});
