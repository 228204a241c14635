import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leash } from './leash.ts';

/** A new directory that is removed when this process ends. */
export async function temporaryDirectory(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `continuity-${name}-`));
  leash({ directory });
  return directory;
}
