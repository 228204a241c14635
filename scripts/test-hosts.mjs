// `npm run test:hosts`: installs the agent hosts of `integrations/hosts.json` into a cache folder, and drives them with stubs of their
// models. To test another version of a host, change its line there.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, prepare, root, run } from './toolchain.mjs';

await main(async () => {
  await prepare();
  const hosts = JSON.parse(readFileSync(join(root, 'integrations/hosts.json'), 'utf8'));
  const folder = join(root, 'node_modules/.cache/agent-hosts');
  mkdirSync(folder, { recursive: true });
  for (const { npm, version, build } of Object.values(hosts)) {
    const installed = join(folder, 'node_modules', npm);
    if (versionOf(installed) !== version) {
      const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', '--prefix', folder];
      execFileSync('npm', ['install', ...options, `${npm}@${version}`], { stdio: 'inherit' });
    }
    if (build !== undefined) execFileSync(process.execPath, [join(installed, build)], { stdio: 'inherit' });
  }
  const env = { AGENT_HOSTS_BIN: join(folder, 'node_modules/.bin') };
  return await run(['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.hosts.config.ts'], { env });
});

function versionOf(folder) {
  const path = join(folder, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : undefined;
}
