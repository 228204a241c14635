// `npm test`: runs the suite on real PostgreSQL and Redis. Passes its arguments to Vitest: `npm test -- memory`.
import { main, prepare, run } from './toolchain.mjs';

await main(async () => {
  await prepare();
  const redis = await run(['packages/testing/src/ensure-redis.ts']);
  if (redis !== 0) return redis;
  return await run(['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]);
});
