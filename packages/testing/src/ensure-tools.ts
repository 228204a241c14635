// The commands that run tests run this first, with the names of the tools that their tests need: installs what is missing, if this user
// may install packages. Names in one line what stays missing: its tests are skipped, or in CI the run fails.
import { ensureHelm, kubernetesDefinitions, kubernetesVersions } from './helm.ts';
import { findPgbouncer } from './pgbouncer-program.ts';
import { canProvideRedis } from './shared-servers.ts';
import {
  findChromium,
  findProgram,
  findPromtool,
  findRedisServer,
  headlessShell,
  installPackage,
  isPackageKnown,
} from './tools.ts';

interface Tool {
  /** Resolves to false if the tool is missing and could not be installed. */
  ensure(): Promise<boolean>;
  /** What a person without the tool reads. */
  tests: string;
}

const tools: Record<string, Tool> = {
  redis: {
    // Clusters and Sentinels need the program, also where a container engine answers.
    ensure: () => ensurePackage(process.env['CI'] ? hasRedisServer : canProvideRedis, 'redis-server'),
    tests:
      'tests of queues in Redis (install redis-server or valkey-server, start Docker, or set REDIS_URL); the queue is in PostgreSQL',
  },
  chromium: {
    ensure: ensureChromium,
    tests: 'tests in a browser (install chromium)',
  },
  promtool: {
    ensure: () => ensurePackage(async () => Boolean(await findPromtool()), 'prometheus'),
    tests: 'tests of the alert rules (install prometheus)',
  },
  helm: {
    async ensure() {
      const definitions = await Promise.all(kubernetesVersions.map(kubernetesDefinitions));
      return (await ensureHelm()) !== undefined && definitions.every((found) => found !== undefined);
    },
    tests: 'tests of the Helm chart (install Helm 3 or Go, and python3 with pip)',
  },
  pgbouncer: {
    ensure: async () => (await findPgbouncer()) !== undefined,
    tests: 'tests of PgBouncer (install pgbouncer 1.21 or newer)',
  },
};

const hasRedisServer = async (): Promise<boolean> => Boolean(await findRedisServer());

/** Installs the Debian package `name` unless `isFound`. */
const ensurePackage = async (isFound: () => Promise<boolean>, name: string): Promise<boolean> =>
  (await isFound()) || ((await installPackage(name)) && (await isFound()));

/** Installs the headless shell where there is one, also beside a Chromium; else Chromium. */
async function ensureChromium(): Promise<boolean> {
  if (await findProgram(headlessShell)) return true;
  const hasBrowser = async () => Boolean(await findChromium());
  const isWorthwhile = !(await hasBrowser()) || (await isPackageKnown(headlessShell));
  if (isWorthwhile && (await installPackage(headlessShell))) return await hasBrowser();
  return await ensurePackage(hasBrowser, 'chromium');
}

async function main(names: readonly string[]): Promise<number> {
  const missing: string[] = [];
  for (const name of names) {
    const tool = tools[name];
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    if (!(await tool.ensure())) missing.push(tool.tests);
  }
  if (missing.length === 0) return 0;
  process.stderr.write(`Left out: ${missing.join('; ')}.\n`);
  return process.env['CI'] ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
