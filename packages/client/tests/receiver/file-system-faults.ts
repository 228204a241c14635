import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type Change = (...args: never[]) => Promise<unknown>;

/** Runs `work` while a function of the file system is replaced. `before` sees its arguments, and may throw. */
export async function intercept<Result>(
  name: 'open' | 'rename' | 'rm' | 'mkdir',
  before: (path: string, to: string) => unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  const original = fs[name] as Change;
  const replaced = async (...args: never[]) => {
    await before(String(args[0]), String(args[1]));
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
