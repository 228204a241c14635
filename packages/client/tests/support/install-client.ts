import { execFile } from 'node:child_process';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Packs the client and what it depends on, installs all in an empty project, and resolves to the folder of the project. */
export async function installClient(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'continuity-client-'));
  const filters = ['contract', 'skill-packages', 'client'].flatMap((name) => [
    '--filter',
    `./packages/${name}`,
  ]);
  await run('npx', ['pnpm@12.21.0', ...filters, 'pack', '--pack-destination', project], { cwd: root });
  const archives = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  await run('npm', ['install', '--no-audit', '--no-fund', ...archives.map((name) => `./${name}`)], {
    cwd: project,
  });
  return project;
}
