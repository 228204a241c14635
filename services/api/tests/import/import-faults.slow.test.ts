import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, startTcpProxy, waitUntil } from '@continuity/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startHttpFront } from '../support/http-front.ts';
import { startService } from '../support/service.ts';
import { writeTokens } from '../support/tenants.ts';
import { fixture, hosts, writeZip } from './home.ts';
import { makeMachine, setUpImports, textsOf } from './machine.ts';

const on = setUpImports('import-faults', 7);

test('spec 70 scenario 13: what cannot be read is counted, and the rest is imported', async () => {
  const machine = await on.newMachine();
  const line = (id: string, text: string) => JSON.stringify({ id, text, scope_id: 'rest' });
  const lines = await machine.write(
    'lines.ndjson',
    Buffer.concat([
      Buffer.from(`${line('a', 'First.')}\nno JSON\n{"id":"long","text":"`),
      Buffer.alloc(100 * 1024 * 1024, 'x'),
      Buffer.from(`"}\n${line('b', 'Last.')}\n{"id":"c","te`),
    ]),
  );
  expect(await machine.import(lines)).toMatchObject({ added: 2, left_out: { bad_line: 2, long_line: 1 } });
  expect(textsOf(await machine.sources())).toEqual(['First.', 'Last.']);

  const bomb = join(machine.home, 'bomb.zip');
  await writeZip(bomb, { 'conversations.json': Buffer.alloc(64 * 1024 * 1024, ' ') });
  const cut = await machine.write('cut.zip', (await readFile(bomb)).subarray(0, 2_000));
  const unreadable = await machine.write('unreadable.ndjson', line('x', 'Nobody may read this.'));
  await chmod(unreadable, 0o000);
  const more = await machine.write('more.ndjson', line('d', 'More.'));
  const { code, stdout, stderr } = await machine.run('--json', '--format', 'chatgpt', bomb, cut);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ added: 0, left_out: { bad_line: 2 } });
  expect(stderr).toContain('which no export is');
  const rest = await machine.import('--format', 'ndjson', unreadable, more);
  // As root, every file can be read.
  expect(rest.added + (rest.left_out['bad_line'] ?? 0)).toBe(2);
  expect(textsOf(await machine.sources())).toContain('More.');
});

test('spec 70 scenario 14: a service that stops ends the import with 6, and the same command completes it', async () => {
  const machine = await on.newMachine();
  const path = await machine.write(
    'lines.ndjson',
    Array.from({ length: 600 }, (_, id) =>
      JSON.stringify({ id, text: `Statement ${id}.`, scope_id: 'stopped' }),
    ).join('\n'),
  );
  const proxy = await startTcpProxy(on.service.url);
  machine.env['CONTINUITY_URL'] = proxy.url;
  const running = machine.run('--json', path);
  await waitUntil(async () => (await machine.sources()).length > 50);
  // Nobody listens there.
  proxy.redirect(`http://127.0.0.1:${await freePort()}`);
  proxy.reset();
  const stopped = await running;
  expect(stopped.code).toBe(6);
  expect(stopped.stderr).toContain('Run the same command again');
  const stored = (await machine.sources()).length;
  expect(stored).toBeLessThan(600);
  proxy.redirect(on.service.url);
  // The marks of the run that stopped say which texts it has added.
  expect(await machine.import(path)).toMatchObject({ added: 600, already: 0 });
  expect(textsOf(await machine.sources())).toHaveLength(600);
  await proxy.stop();
});

test('spec 70 scenario 14: a quota that is used up ends the import with 6, and the same command completes it', async () => {
  const machine = await on.newMachine();
  const lines = Array.from({ length: 30 }, (_, id) =>
    JSON.stringify({ id, text: `Statement ${id}.`, scope_id: 'limited' }),
  );
  const path = await machine.write('lines.ndjson', lines.join('\n'));
  let left = 12;
  const front = await startHttpFront(on.service.url, ({ path: asked }) => {
    if (asked !== '/v1/sources/content') return undefined;
    left -= 1;
    const details = { limit: 'stored_bytes', limit_value: 1_000, used: 1_000 };
    return left < 0 ? { status: 403, code: 'quota_exceeded', details } : undefined;
  });
  try {
    machine.env['CONTINUITY_URL'] = front.url;
    const stopped = await machine.run('--json', path);
    expect(stopped.code).toBe(6);
    expect(stopped.stderr).toContain('Run the same command again');
    expect(await machine.sources()).toHaveLength(12);
    left = 1_000;
    expect(await machine.import(path)).toMatchObject({ added: 30, already: 0 });
    expect(await machine.sources()).toHaveLength(30);
  } finally {
    front.stop();
  }
});

test('spec 70 §3.3: an import into a service without a worker asks for the flush of one Scope alone', async () => {
  const machine = await on.newMachine();
  const asked: string[] = [];
  const front = await startHttpFront(on.service.url, ({ path, body }) => {
    if (path !== '/v1/memory/flush') return undefined;
    asked.push((JSON.parse(body) as { scope_id: string }).scope_id);
    return { status: 503, code: 'worker_unavailable', details: { queue: 'memory-flush' } };
  });
  try {
    machine.env['CONTINUITY_URL'] = front.url;
    const { added, scopes } = await machine.import(...hosts);
    expect(added).toBe(24);
    expect(Object.keys(scopes).length).toBeGreaterThan(2);
    // A request is repeated; no other Scope is asked for.
    expect(new Set(asked).size).toBe(1);
  } finally {
    front.stop();
  }
});

test('spec 70 scenario 9: what was erased is not sent again, and changes nothing', async () => {
  const machine = await on.newMachine();
  const path = await machine.write('mem0.json', await readFile(fixture('mem0-2.2.1.json')));
  expect(await machine.import(path)).toMatchObject({ added: 3, entries: 3 });
  const before = await machine.sources();
  const sent: string[] = [];
  const front = await startHttpFront(on.service.url, ({ body }) => {
    if (!body.includes('mem0/2bd4b574-c911-405f-9e5d-16734f8b97a1')) return undefined;
    sent.push(body);
    return { status: 409, code: 'source_conflict', details: { reason: 'erased' } };
  });
  try {
    machine.env['CONTINUITY_URL'] = front.url;
    expect(await machine.import(path, '--again')).toMatchObject({
      added: 0,
      already: 2,
      left_out: { erased: 1 },
    });
    expect(sent).toHaveLength(1);
    expect(await machine.sources()).toEqual(before);
  } finally {
    front.stop();
  }
});

test('spec 70 §3.8: over a million tokens for a model need --yes', async () => {
  const own = await startService({
    environment: {
      AUTH_TOKENS_FILE: await writeTokens('modelled'),
      MEMORY_AUTO_FLUSH: 'off',
      INFERENCE_GENERATION_MODEL: 'stub',
      INFERENCE_BASE_URL: 'http://127.0.0.1:9/v1',
    },
  });
  const machine = await makeMachine(own, 'modelled');
  onTestFinished(() => machine.remove());
  const lines = Array.from({ length: 25 }, (_, id) =>
    JSON.stringify({ id, text: 'Words of a long text. '.repeat(9_000), scope_id: 'long' }),
  );
  const path = await machine.write('long.ndjson', lines.join('\n'));
  const refused = await machine.run(path);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/1,237,500 tokens .* --yes/);
  expect(await machine.sources()).toEqual([]);
  expect(await machine.import(path, '--yes')).toMatchObject({ added: 25 });
  await own.stop();
});
