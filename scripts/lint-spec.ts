// Checks that each citation of a rule or scenario exists in `docs/spec`, and that a test names each scenario (`npm run lint`).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { lintSpec } from './spec/lint.ts';

const root = new URL('..', import.meta.url);
const cited = /\.(?:ts|mjs|js|sql|py|prisma|md|ya?ml)$/;
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
/** The test of the lint has citations that do not exist. */
const skipped = ['packages/testing/tests/spec-citations.test.ts', 'pnpm-lock.yaml'];
const paths = listed.split('\0').filter((path) => cited.test(path) && !skipped.includes(path));
const problems = lintSpec(new Map(paths.flatMap((path) => read(path))));
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0)
  process.stderr.write(`${problems.length} problems; docs/spec/README.md has the grammar\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** The text of a file. None for a deleted file that git still lists. */
function read(path: string): [string, string][] {
  try {
    return [[path, readFileSync(new URL(path, root), 'utf8')]];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
