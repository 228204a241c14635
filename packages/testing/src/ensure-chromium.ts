// `npm test` runs this before the suite: installs Chromium for the test of the report page, if the user may install packages.
import { installPackage } from './install-package.ts';
import { findChromium } from './programs.ts';

const advice =
  'The test of the report page needs Chromium: install chromium (Debian, Ubuntu: apt install chromium).';

async function ensureChromium(): Promise<number> {
  if (await findChromium()) return 0;
  if ((await installPackage('chromium')) && (await findChromium())) return 0;
  process.stderr.write(`${advice}\n`);
  return 1;
}

process.exitCode = await ensureChromium();
