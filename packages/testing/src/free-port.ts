import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that operating systems give to clients and to servers without a port of their own. */
const firstPort = 20_000;
const portsPerProcess = 1_000;
const processes = 12;

/** Vitest numbers its workers from 1. Ports of one worker are never those of another one. */
const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % processes;

let next = Math.floor(Math.random() * portsPerProcess);

/**
 * Finds a free TCP port on 127.0.0.1. No other test of the run gets it, so that a server that is stopped, killed and started again can
 * keep it.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < portsPerProcess; tries += 1) {
    const port = firstPort + worker * portsPerProcess + (next % portsPerProcess);
    next += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('All ports of this process are in use.');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await once(server.close(), 'close');
  return isListening;
}
