// Checks that the committed hook program is built from its sources (`npm run lint`).
import { readFileSync } from 'node:fs';
import { bundleHookProgram, hookProgramPath } from './docs/hook-program.ts';

const committed = readFileSync(new URL(`../${hookProgramPath}`, import.meta.url), 'utf8');
if (committed !== (await bundleHookProgram())) {
  process.stderr.write(
    `${hookProgramPath} is stale. Run npm run docs:generate, and commit what it writes.\n`,
  );
  process.exitCode = 1;
}
