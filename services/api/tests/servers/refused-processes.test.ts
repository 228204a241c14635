import { loadSettings } from '@continuity/kernel/config';
import { Resources } from '@continuity/kernel/process';
import { createLogger, startTelemetry } from '@continuity/kernel/telemetry';
import { createDatabase, type TestDatabase } from '@continuity/testing';
import { startWorkers } from '@continuity/workers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namesOn, writeServers, writeServersFile } from '../support/servers.ts';
import { startTestGateway } from '../support/service.ts';

describe('a process does not start', () => {
  let databases: TestDatabase[];
  let a: string;
  let b: string;

  beforeAll(async () => {
    databases = [await createDatabase(), await createDatabase()];
    [a, b] = databases.map(({ url }) => url) as [string, string];
    await writeServers([
      { name: 'a', url: a },
      { name: 'b', url: b },
    ]);
  });

  afterAll(async () => {
    for (const database of databases) await database.drop();
  });

  const refusalOf = async (environment: Record<string, string>) => {
    const settings = loadSettings({ PORT: '0', LOG_LEVEL: 'silent', ...environment });
    const gateway = await startTestGateway(settings);
    try {
      return await gateway.ready.then(
        () => 'started',
        (error: Error) => error.message,
      );
    } finally {
      await gateway.stop();
    }
  };

  test('on servers whose URLs were exchanged, or in another order', async () => {
    const exchanged = [
      { name: 'a', url: b },
      { name: 'b', url: a },
    ];
    expect(await refusalOf({ DATABASE_SERVERS_FILE: await writeServersFile(exchanged) })).toMatch(
      /The database of the server "[ab]" in DATABASE_SERVERS_FILE is the server "[ab]"/,
    );
    const reversed = [
      { name: 'b', url: b },
      { name: 'a', url: a },
    ];
    expect(await refusalOf({ DATABASE_SERVERS_FILE: await writeServersFile(reversed) })).toContain(
      'the directory of its deployment is on "a", not on "b"',
    );
    expect(await namesOn(a)).toEqual([]);
    expect(await namesOn(b)).toEqual([]);
  });

  test('on a server that was not migrated with the file', async () => {
    const fresh = await createDatabase();
    const servers = [
      { name: 'a', url: a },
      { name: 'b', url: b },
      { name: 'c', url: fresh.url },
    ];
    try {
      expect(await refusalOf({ DATABASE_SERVERS_FILE: await writeServersFile(servers) })).toContain(
        'The database of the server "c" is new in DATABASE_SERVERS_FILE: migrate it',
      );
    } finally {
      await fresh.drop();
    }
  });

  test('with DATABASE_URL, on one of several servers', async () => {
    expect(await refusalOf({ DATABASE_URL: b })).toContain(
      'The database of DATABASE_URL is the server "b" of a deployment with several: set DATABASE_SERVERS_FILE instead.',
    );
  });

  test('a worker with the DATABASE_URL of a server that is not the first', async () => {
    const settings = loadSettings({ LOG_LEVEL: 'silent', DATABASE_URL: b });
    const logger = createLogger(settings, 'test');
    const telemetry = await startTelemetry(settings, 'continuity', { logger, scraped: false });
    const resources = new Resources(logger, { graceMs: settings.SHUTDOWN_GRACE_MS });
    try {
      await expect(startWorkers({ settings, logger, telemetry, resources })).rejects.toThrow(
        'The database of DATABASE_URL is the server "b" of a deployment with several',
      );
    } finally {
      await resources.close();
      await telemetry.shutdown();
    }
  });
});
