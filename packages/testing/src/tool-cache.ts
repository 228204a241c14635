import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

export const execute = promisify(execFile);

/** Directory of a tool that the tests install for this user. `name` has the version. */
export function toolDirectory(name: string): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'continuity-tests', name);
}

/** Fills `directory` by `install` if it is missing. `install` works in another directory, so that none is ever half full. */
export async function installOnce(
  directory: string,
  install: (draft: string) => Promise<void>,
): Promise<void> {
  if (existsSync(directory)) return;
  await mkdir(dirname(directory), { recursive: true });
  const draft = await mkdtemp(join(dirname(directory), `.${basename(directory)}-`));
  try {
    await install(draft);
    // Another process may have been first.
    await rename(draft, directory).catch(async (error: unknown) => {
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Says in a sentence why a test is skipped. In CI, nothing may be missing: throws the sentence instead. */
export function skipFor(sentence: string): undefined {
  if (process.env['CI']) throw new Error(sentence);
  process.stdout.write(`Skipped: ${sentence}\n`);
}
