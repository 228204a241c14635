import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  clientFor,
  createDatabase,
  hasRedis,
  redisFor,
  runProcess,
  temporaryDirectory,
  waitUntil,
} from '@continuity/testing';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface ComposeService {
  command: string[];
  environment: Record<string, string | number>;
}

/** A service of the compose file with its defaults filled in and its hosts replaced by those of this test. */
async function composeService(name: string, replaced: Record<string, string>) {
  const text = await readFile(new URL('../../../../docker-compose.yml', import.meta.url), 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  const service = services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no ${name}`);
  const environment = Object.entries(service.environment).map(([key, value]) => [
    key,
    String(value).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
  ]);
  return {
    command: service.command,
    environment: { ...(Object.fromEntries(environment) as Record<string, string>), ...replaced },
  };
}

test.skipIf(!hasRedis())(
  'the processes of docker-compose.yml, started alone with its environment, are one service',
  async () => {
    const database = await createDatabase();
    const redis = redisFor();
    const { hostname, port, username, password, pathname } = new URL(database.url);
    const replaced = {
      DATABASE_HOST: hostname,
      DATABASE_PORT: port,
      DATABASE_NAME: pathname.slice(1),
      DATABASE_USER: decodeURIComponent(username),
      DATABASE_PASSWORD: decodeURIComponent(password),
      REDIS_URL: redis.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: '',
      HOST: '127.0.0.1',
      PORT: '0',
      LIVENESS_FILE: join(await temporaryDirectory('alive'), 'alive'),
    };
    const run = async (name: string, own: Record<string, string> = {}) => {
      const { command, environment } = await composeService(name, { ...replaced, ...own });
      return runProcess(command, environment);
    };
    const urlOf = (line: string) => (JSON.parse(line) as { url: string }).url;
    await using migrate = await run('migrate');
    expect(await migrate.exited).toEqual({ code: 0, signal: null });
    await using embedder = await run('embedder');
    const model = { EMBEDDER_URL: urlOf(await embedder.waitForLine('the embedder listens')) };
    await using gateway = await run('gateway', model);
    await using workers = await run('workers', model);
    await using reports = await run('reports');
    const listening = await gateway.waitForLine('the gateway listens');
    await workers.waitForLine('consumes its queues');
    const client = clientFor(urlOf(listening));
    await waitUntil(async () => (await client.call('get_readiness')).body.status === 'ready');
    const scope_id = 'compose';
    await client.call('capture_content_source', {
      body: { scope_id, source_id: 'a', content: 'We decided to use Postgres 18.' },
    });
    const flushed = await client.call('flush_memory', { body: { scope_id } });
    expect(flushed.body).toMatchObject({ status: 'processed', current_cursor: 1 });
    const found = await client.call('search_memory', { body: { scope_id, query: 'postgres' } });
    expect(found.body.hits.map(({ text }) => text)).toEqual(['We decided to use Postgres 18.']);
    for (const process of [gateway, workers, reports, embedder]) {
      process.kill('SIGTERM');
      expect(await process.exited).toEqual({ code: 0, signal: null });
    }
    await database.drop();
  },
);
