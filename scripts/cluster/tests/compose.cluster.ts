import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../../../packages/testing/src/client.ts';
import { type ComposeDeployment, startCompose } from '../compose.ts';
import { image } from '../image.ts';
import { runFolder } from '../node-settings.ts';
import { podman } from '../podman.ts';
import { documentedBlocks } from '../release.ts';
import { waitUntil } from '../wait.ts';

describe('the image', () => {
  test('is at most 130 MB larger by the built-in embedder', async () => {
    const parts = 'services/embedder node_modules/.pnpm/onnxruntime-*';
    const command = `cd /app && du --total --summarize --block-size=1 ${parts} | tail -1`;
    const bytes = Number.parseInt(await inImage('sh', '-c', command), 10);
    process.stdout.write(`The embedder adds ${(bytes / 1e6).toFixed(1)} MB to the image.\n`);
    expect(bytes).toBeLessThanOrEqual(130_000_000);
  });

  test('runs as a user without rights, and names a program for each process', async () => {
    expect(await inImage('id', '--user')).toBe('1000');
    const files = (await inImage('ls', 'dist')).split('\n');
    for (const name of ['api', 'embedder', 'migrate', 'reports', 'workers'])
      expect(files).toContain(`${name}.mjs`);
  });

  test('has no package that only tests use', async () => {
    const packages = await inImage('ls', 'node_modules/.pnpm');
    for (const name of ['vitest', 'playwright-core', 'axe-core', 'testcontainers'])
      expect(packages).not.toContain(`${name}@`);
  });
});

/** Runs a program of the image, and resolves to its output. */
const inImage = (program: string, ...args: string[]): Promise<string> =>
  podman('run', '--rm', '--network', 'none', '--entrypoint', program, image, ...args);

describe('docker compose up', () => {
  const { call } = clientFor('http://127.0.0.1:8000');
  const scope_id = 'compose';
  const readiness = () => call('get_readiness').catch(() => undefined);
  const tokensFile = join(runFolder(), 'tokens.json');
  const text = 'The nightly backup of the customer records is kept for thirty days.';
  let deployment: ComposeDeployment;

  beforeAll(async () => {
    deployment = await startCompose({ TOKENS_FILE: tokensFile });
  });
  afterAll(() => deployment?.stop());

  test('every part is ready, and every health check passes', async () => {
    await waitUntil(async () => (await readiness())?.body.status === 'ready');
    for (const name of ['gateway', 'workers', 'reports', 'embedder', 'postgres', 'redis'])
      await waitUntil(async () => {
        const format = ['--format', '{{.State.Health.Status}}'];
        return (await podman('inspect', ...format, `continuity-${name}-1`)) === 'healthy';
      });
  });

  test('Sources become Memory, which is found by its meaning', async () => {
    const content = 'We decided to use Postgres 18. Never log tokens. Next step: write the runbook.';
    await call('capture_content_source', { body: { scope_id, source_id: 'standup-1', content } });
    const flushed = await call('flush_memory', { body: { scope_id } });
    expect(flushed.body).toMatchObject({ status: 'processed' });
    await call('remember_memory', { body: { scope_id, kind: 'fact', text } });
    const query = 'how long do we retain database snapshots?';
    await waitUntil(async () => {
      const { body } = await call('search_memory', { body: { scope_id, query, limit: 1 } });
      return body.hits[0]?.text === text && body.hits[0].matched_by.includes('vector');
    });
  });

  test('the processes export their traces to the collector', async () => {
    await waitUntil(async () => (await deployment.compose('logs', 'collector')).includes('/v1/traces'));
  });

  test('the command of the documentation counts failed jobs', async () => {
    const command = ['services/api/src/replay-jobs.ts', '--queue', 'memory-flush', '--dry-run'];
    expect(await deployment.compose('run', '--rm', 'gateway', ...command)).toContain(
      '0 failed jobs of memory-flush would be queued again.',
    );
  });

  test('the documented commands add a second database server, which new tenants use', async () => {
    const tokens = ['default', 'acme', 'globex'].map((tenant) => [tenant, randomBytes(32).toString('hex')]);
    const entries = tokens.map(([tenant, token = '']) => ({
      tenant,
      token_sha256: createHash('sha256').update(token).digest('hex'),
    }));
    await writeFile(tokensFile, JSON.stringify({ tokens: entries }));
    const [start = '', show = ''] = (await documentedBlocks('database-servers.md', 'sh')).filter((block) =>
      block.startsWith('docker compose '),
    );
    const run = (block: string) => deployment.compose(...argumentsOf(block).slice(2));
    await run(start);
    await waitUntil(async () => {
      const { body } = (await readiness()) ?? {};
      return body?.checks?.['database.b'] === 'ready' && body.status === 'ready';
    });
    const clients = tokens.map(([, token]) =>
      clientFor('http://127.0.0.1:8000', { authorization: `Bearer ${token}` }),
    );
    const search = { body: { scope_id, query: 'backup' } };
    for (const [index, client] of clients.entries()) {
      // The gateway creates a new tenant within about a second after its start.
      await waitUntil(async () => (await client.call('search_memory', search)).status === 200);
      const body = { scope_id, kind: 'fact', text: `The tenant ${index} stores this backup.` };
      expect(await client.call('remember_memory', { body })).toMatchObject({ status: 200 });
    }
    const found = await Promise.all(
      clients.map(async (client) => {
        const { body } = await client.call('search_memory', search);
        return body.hits.map((hit: { text: string }) => hit.text).sort();
      }),
    );
    const own = (index: number) => `The tenant ${index} stores this backup.`;
    expect(found).toEqual([[text, own(0)], [own(1)], [own(2)]]);
    const shown = await run(show);
    expect(shown).toMatch(/default\s+\| a/);
    expect(shown).toMatch(/(acme|globex)\s+\| b/);
  });
});

/** The words of a command of the documentation, without their quotes. */
const argumentsOf = (command: string): string[] =>
  [...command.trim().matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''));
