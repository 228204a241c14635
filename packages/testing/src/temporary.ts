import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpOnExit } from './exit-cleanup.ts';

/** Creates a directory that is removed when this process ends. */
export async function temporaryDirectory(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `continuity-${name}-`));
  cleanUpOnExit({ directory });
  return directory;
}
