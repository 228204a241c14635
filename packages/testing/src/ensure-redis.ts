// `npm test` runs this before the suite: installs Redis if none is available and the user may install packages.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { dockerAnswers } from './docker.ts';
import { findProgram, findRedisServer } from './programs.ts';

const execute = promisify(execFile);

const ADVICE =
  'The tests need Redis: install redis-server (Debian, Ubuntu: apt install redis-server; macOS: brew install redis; ' +
  'Fedora: dnf install valkey), start Docker, or set REDIS_URL.';

async function ensureRedis(): Promise<number> {
  if (process.env['REDIS_URL'] || (await findRedisServer()) || (await dockerAnswers())) return 0;
  const prefix = await asRoot();
  if (!prefix) return complain(ADVICE);
  process.stdout.write('Installing redis-server with apt-get, because the tests need it …\n');
  try {
    // Missing or old package lists make the install fail. Refreshing them takes longer than the install itself.
    await aptGet(prefix, 'install').catch(async () => {
      await execute(prefix[0] ?? 'apt-get', [...prefix.slice(1), 'update']);
      await aptGet(prefix, 'install');
    });
  } catch (error) {
    return complain(`apt-get could not install redis-server: ${String(error)}\n${ADVICE}`);
  }
  return (await findRedisServer()) ? 0 : complain(ADVICE);
}

const aptGet = ([program = 'apt-get', ...before]: string[], command: string) =>
  execute(program, [...before, command, '-y', '--no-install-recommends', 'redis-server'], {
    // RUNLEVEL=1 prevents that apt-get starts the program as a service.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });

// The command that runs apt-get with the right to install; undefined if this user has no such right.
async function asRoot(): Promise<string[] | undefined> {
  if (!(await findProgram('apt-get'))) return undefined;
  if (process.getuid?.() === 0) return ['apt-get'];
  const isAllowed = await execute('sudo', ['-n', 'true']).then(
    () => true,
    () => false,
  );
  return isAllowed ? ['sudo', '-n', 'apt-get'] : undefined;
}

function complain(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 1;
}

process.exitCode = await ensureRedis();
