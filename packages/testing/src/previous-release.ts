import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execute, installOnce, skipFor, toolDirectory } from './tools.ts';

const rootDirectory = fileURLToPath(new URL('../../../', import.meta.url));

/** Limit of the output of the installation, in bytes. */
const maxBuffer = 64 * 1024 * 1024;

/**
 * Checks out a commit with its own dependencies, once for this user, and resolves to its directory. Undefined, with a sentence on
 * standard output, if the clone has no such commit.
 */
export async function checkOutRelease(commit: string): Promise<string | undefined> {
  const directory = toolDirectory(`release-${commit.slice(0, 12)}`);
  if (existsSync(directory)) return directory;
  const isKnown = await execute('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: rootDirectory }).then(
    () => true,
    () => false,
  );
  if (!isKnown)
    return skipFor(`The test of an upgrade needs the commit ${commit}: clone with the full history.`);
  process.stdout.write('Installing the previous release, because the test of an upgrade runs it …\n');
  await installOnce(directory, async (draft) => {
    const archive = `git archive ${commit} | tar --extract --directory "$DRAFT"`;
    await execute('sh', ['-c', archive], {
      cwd: rootDirectory,
      env: { ...process.env, DRAFT: draft },
      maxBuffer,
    });
    await execute(process.execPath, ['scripts/prepare.mjs'], { cwd: draft, maxBuffer });
  });
  return directory;
}
