// `npm run test:cluster`: builds the image with Podman, and runs it with the compose file and with the chart on a Kubernetes of its own.
// CONTRIBUTING.md says what it needs.
//   --check        only says whether this machine can run it at once
//   other arguments go to Vitest, such as the name of a test file
import { main, prepare, run } from './toolchain.mjs';

const args = process.argv.slice(2);

await main(async () => {
  await prepare();
  if (args.includes('--check')) return await run(['scripts/cluster/prepare.ts', '--check']);
  const status = await run(['scripts/cluster/prepare.ts']);
  return status === 0 ? await run(['scripts/cluster/run-apart.ts', ...args]) : status;
});
