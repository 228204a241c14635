import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let helper: ChildProcess | undefined;

/**
 * Kills the process `pid`, or removes `directory`, when this process ends, even if it is killed. Test servers lead their
 * own process groups and would outlive a killed test run.
 */
export const cleanUpOnExit = (item: { pid: number } | { directory: string }): void => send({ add: item });

/** Cancels the clean-up of a process that has ended: another process may get its id. */
export const cancelCleanUp = (pid: number): void => send({ remove: { pid } });

function send(message: object): void {
  helper ??= startHelper();
  helper.stdin?.write(`${JSON.stringify(message)}\n`);
}

function startHelper(): ChildProcess {
  const script = fileURLToPath(new URL('./exit-cleanup-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}
