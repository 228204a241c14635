import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, findProgram, installOnce, installPackage, skipFor, toolDirectory } from './tools.ts';

/** The first version that tracks named statements in transaction mode. */
const oldest = [1, 21] as const;

/**
 * Finds a PgBouncer that tracks named statements, and resolves to the words of its command. Installs Debian's with apt-get. Debian 12
 * has an older one: there, that of Debian 13 is unpacked with its libraries for the tests alone. Undefined, with a sentence on
 * standard output, if there is none.
 */
export async function findPgbouncer(): Promise<string[] | undefined> {
  const unpacked = toolDirectory('pgbouncer-debian13');
  if (existsSync(unpacked)) return await commandIn(unpacked);
  const installed = await findInstalled();
  if (installed !== undefined) return installed;
  const sentence = 'The test of PgBouncer needs PgBouncer 1.21 or newer.';
  if (!(await findProgram('apt-get'))) return skipFor(sentence);
  if (await hasNewCandidate()) {
    await installPackage('pgbouncer');
    return (await findInstalled()) ?? skipFor(sentence);
  }
  process.stdout.write('Unpacking PgBouncer of Debian 13, because the tests need it …\n');
  await installOnce(unpacked, unpack);
  return await commandIn(unpacked);
}

async function findInstalled(): Promise<string[] | undefined> {
  const program = (await findProgram('pgbouncer')) ?? '/usr/sbin/pgbouncer';
  if (!existsSync(program)) return undefined;
  const { stdout } = await execute(program, ['--version']);
  return isNew(stdout) ? [program] : undefined;
}

async function hasNewCandidate(): Promise<boolean> {
  const { stdout } = await execute('apt-cache', ['policy', 'pgbouncer']);
  return isNew(/Candidate: (\S+)/.exec(stdout)?.[1] ?? '');
}

function isNew(text: string): boolean {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(text)?.map(Number) ?? [];
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/** The program, and the libraries that it needs besides those of each other. */
const packages = [
  ...['pgbouncer', 'libc6', 'libcares2', 'libevent-2.1-7t64', 'libpam0g', 'libssl3t64', 'libsystemd0'],
  ...['libaudit1', 'libcap-ng0', 'libcap2', 'libzstd1', 'zlib1g'],
];

async function unpack(draft: string): Promise<void> {
  const work = join(draft, 'apt');
  await mkdir(join(work, 'lists/partial'), { recursive: true });
  await mkdir(join(work, 'cache/archives/partial'), { recursive: true });
  const sources = join(work, 'sources.list');
  await writeFile(sources, 'deb http://deb.debian.org/debian trixie main\n');
  const options = Object.entries({
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(work, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(work, 'cache'),
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  await execute('apt-get', [...options, 'update']);
  await execute('apt-get', [...options, 'download', ...packages], { cwd: work });
  const archives = (await readdir(work)).filter((name) => name.endsWith('.deb'));
  for (const archive of archives) await execute('dpkg-deb', ['-x', join(work, archive), draft]);
  await rm(work, { recursive: true });
}

/** Builds the command that runs the unpacked program with its own loader and libraries. */
async function commandIn(directory: string): Promise<string[]> {
  const libraries = join(directory, 'usr/lib');
  const [architecture = ''] = (await readdir(libraries)).filter((name) => name.endsWith('-linux-gnu'));
  const folder = join(libraries, architecture);
  const loader = (await readdir(folder)).find((name) => name.startsWith('ld-linux')) ?? '';
  return [join(folder, loader), '--library-path', folder, join(directory, 'usr/sbin/pgbouncer')];
}
