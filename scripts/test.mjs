// `npm test` and `npm run test:slow`: run test files on real PostgreSQL and Redis. They pass other arguments to Vitest:
// `npm test -- memory`.
import { main, prepare, run } from './toolchain.mjs';

const isSlow = process.argv[2] === '--slow';
const filters = process.argv.slice(isSlow ? 3 : 2);

/** The other tools are installed by the tests that need them. In CI, a tool that is missing fails the run before its tests. */
const tools = {
  fast: ['redis', 'chromium'],
  slow: process.env.CI ? ['redis', 'promtool', 'helm', 'pgbouncer'] : ['redis'],
};

await main(async () => {
  await prepare();
  const status = await run(['packages/testing/src/ensure-tools.ts', ...(isSlow ? tools.slow : tools.fast)]);
  if (status !== 0) return status;
  const config = isSlow ? 'vitest.slow.config.ts' : 'vitest.config.ts';
  return await run(['node_modules/vitest/vitest.mjs', 'run', '--config', config, ...filters]);
});
