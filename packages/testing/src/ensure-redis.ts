// `npm test` runs this before the suite: installs Redis if none is available and the user may install packages.
import { isDockerAvailable } from './docker.ts';
import { installPackage } from './install-package.ts';
import { findRedisServer } from './programs.ts';

const advice =
  'The tests need Redis: install redis-server (Debian, Ubuntu: apt install redis-server; macOS: brew install redis; ' +
  'Fedora: dnf install valkey), start Docker, or set REDIS_URL.';

async function ensureRedis(): Promise<number> {
  if (process.env['REDIS_URL'] || (await findRedisServer()) || (await isDockerAvailable())) return 0;
  if ((await installPackage('redis-server')) && (await findRedisServer())) return 0;
  process.stderr.write(`${advice}\n`);
  return 1;
}

process.exitCode = await ensureRedis();
