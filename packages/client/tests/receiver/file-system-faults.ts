import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { pathOf } from './descriptor-paths.ts';

type Change = (...args: never[]) => Promise<unknown>;

/** Runs `work` while a function of the file system is replaced. `before` sees the paths of each change, and may throw. */
export async function intercept<Result>(
  name: 'open' | 'rename' | 'unlink' | 'rmdir' | 'mkdir',
  before: (path: string, to: string) => unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  const original = fs[name] as Change;
  const replaced = async (...args: never[]) => {
    // Opening to read changes nothing.
    const isRead = name === 'open' && (Number(args[1]) & 3) === 0;
    if (!isRead) await before(pathOf(args[0]), pathOf(args[1]));
    return await original(...args);
  };
  Object.assign(fs, { [name]: replaced });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(fs, { [name]: original });
    syncBuiltinESMExports();
  }
}

/** An error of the operating system. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code, syscall: 'open' });
}
