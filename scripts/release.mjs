// `npm run release`: builds all packages of this version into dist/release/ (docs/release.md).
import { main, prepare, run } from './toolchain.mjs';

await main(async () => {
  await prepare();
  return await run(['scripts/release/main.ts', ...process.argv.slice(2)]);
});
