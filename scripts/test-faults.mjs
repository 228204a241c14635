// `npm run test:faults`: injects faults into a deployment under load, and checks that nothing is lost or doubled.
//   --long         at least 200 faults in random order instead of one of each kind
//   --seed N       repeats the order of a long run
//   --only TEXT    only the faults whose name contains the text
import { parseArgs } from 'node:util';
import { main, prepare, run } from './toolchain.mjs';

await main(async () => {
  const text = { type: 'string' };
  const options = { long: { type: 'boolean', default: false }, seed: text, only: text };
  const { long, seed, only } = parseArgs({ options }).values;
  await prepare();
  const status = await run(['packages/testing/src/ensure-tools.ts', 'redis']);
  if (status !== 0) return status;
  const env = {
    ...(long && { FAULTS: 'long' }),
    ...(seed && { FAULTS_SEED: seed }),
    ...(only && { FAULTS_ONLY: only }),
  };
  return await run(['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.faults.config.ts'], { env });
});
