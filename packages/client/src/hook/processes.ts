import { fileURLToPath } from 'node:url';
import { lazyModules } from './lazy-modules.ts';

/** Limit of the requests of one event, in ms. */
export const requestMs = 1_400;

/** Starts a process that no host waits for. It takes its settings from the environment, so that no token stands in a list of processes. */
export function startBackground(host: string): void {
  // Inside a host that is no Node, such as OpenCode, Node is on the path. This module is in the file of the hook.
  const node = process.versions['bun'] === undefined ? process.execPath : 'node';
  const child = lazyModules.childProcess.spawn(
    node,
    [fileURLToPath(import.meta.url), 'background', '--host', host],
    {
      detached: true,
      stdio: 'ignore',
    },
  );
  child.on('error', () => undefined);
  child.unref();
}

const reported = new Set<string>();

/** Writes a failure as one line, once. */
export function report(message: string): void {
  if (reported.has(message)) return;
  reported.add(message);
  process.stderr.write(`continuity: ${message}\n`);
}
