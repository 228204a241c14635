// `npm run bench`: runs the benchmarks. Passes its arguments on: `npm run bench -- growth jobs`.
import { main, prepare, run } from './toolchain.mjs';

await main(async () => {
  await prepare();
  return await run(['bench/src/main.ts', ...process.argv.slice(2)]);
});
