// `.ci/run` runs this before the suite: installs promtool, which tests the alert rules, if the user may install packages.
import { installPackage } from './install-package.ts';
import { findPromtool } from './programs.ts';

const advice =
  'The tests of the alert rules need promtool: install prometheus (Debian, Ubuntu: apt install prometheus).';

async function ensurePromtool(): Promise<number> {
  if (await findPromtool()) return 0;
  if ((await installPackage('prometheus')) && (await findPromtool())) return 0;
  process.stderr.write(`${advice}\n`);
  return 1;
}

process.exitCode = await ensurePromtool();
