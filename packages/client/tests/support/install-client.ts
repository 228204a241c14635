import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClientPackage } from '../../../../scripts/release/client/client-package.ts';
import { packageVersion } from '../../src/request.ts';

const run = promisify(execFile);

/** Builds the released package of the client, installs it in an empty project, and resolves to the folder of the project. */
export async function installClient(): Promise<{ project: string; archive: string }> {
  const project = await mkdtemp(join(tmpdir(), 'continuity-client-'));
  const archive = await buildClientPackage(project, packageVersion, 1_700_000_000);
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  await run('npm', ['install', '--no-audit', '--no-fund', `./${archive}`], { cwd: project });
  return { project, archive: join(project, archive) };
}
