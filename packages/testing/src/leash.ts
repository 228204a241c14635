import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let keeper: ChildProcess | undefined;

/**
 * Has `pid` killed, or `directory` removed, as soon as this process is gone, in whatever way it goes. Test servers lead
 * their own process groups and would outlive a killed test run.
 */
export const leash = (held: { pid: number } | { directory: string }): void => tell({ hold: held });

/** Takes a process off the leash; its id may belong to another one later. */
export const unleash = (pid: number): void => tell({ release: { pid } });

function tell(message: object): void {
  keeper ??= startKeeper();
  keeper.stdin?.write(`${JSON.stringify(message)}\n`);
}

function startKeeper(): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./leash-keeper.ts', import.meta.url))], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}
