// `npm run continuity`: the command line, in the folder from which npm was called.
import { join } from 'node:path';
import { built, main, prepare, run } from './toolchain.mjs';

await main(async () => {
  await prepare();
  return await run([join(built, 'continuity.mjs'), ...process.argv.slice(2)], { cwd: process.env.INIT_CWD });
});
