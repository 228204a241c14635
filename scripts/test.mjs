// `npm test`: runs the suite on real PostgreSQL and Redis. Passes its arguments to Vitest: `npm test -- memory`.
import { main, prepare, run } from './toolchain.mjs';

await main(async () => {
  await prepare();
  // Other runs install what their tests need when they reach them.
  const programs = process.env.CI
    ? ['redis', 'chromium', 'helm', 'pgbouncer', 'promtool']
    : ['redis', 'chromium'];
  for (const program of programs) {
    const status = await run([`packages/testing/src/ensure-${program}.ts`]);
    if (status !== 0) return status;
  }
  return await run(['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]);
});
