// `npm start`: everything on this machine, with no Docker and nothing to configure.
import { main, prepare, run } from './toolchain.mjs';

await main(async () => {
  await prepare();
  return await run(['dist/local.mjs', ...process.argv.slice(2)], { ownGroup: true });
});
