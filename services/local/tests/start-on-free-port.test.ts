import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { freePort, temporaryDirectory } from '@continuity/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startOnFreePort } from '../src/database.ts';

/** A port that another program has taken. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function newDirectory(): Promise<string> {
  const parent = await temporaryDirectory('ports');
  // Of root's own directories PostgreSQL's account can enter none.
  await chmod(parent, 0o755);
  return join(parent, 'postgres');
}

test('a first start goes on with another port if its port is taken meanwhile', async () => {
  const [taken, free] = [await takenPort(), await freePort()];
  const ports = [taken, free];
  const server = await startOnFreePort(await newDirectory(), 'password', async () => ports.shift() ?? 0);
  onTestFinished(() => server.stop());
  expect(new URL(server.url()).port).toBe(String(free));
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  await client.end();
});

test('a start that finds no free port fails, and says why', async () => {
  const taken = await takenPort();
  let tries = 0;
  const start = startOnFreePort(await newDirectory(), 'password', async () => {
    tries += 1;
    return taken;
  });
  await expect(start).rejects.toThrow('could not bind');
  expect(tries).toBe(5);
});
