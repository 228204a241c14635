// Shared by the commands of package.json. Plain JavaScript with Node's own modules only, because it runs before the
// dependencies are installed, and on an older Node than the pinned one.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pnpmPackage = 'pnpm@12.21.0';
const oldestNode = 20;
const oneSignalMs = 500;
const parentWatchMs = 500;
// By default, package managers retry for more than a minute before they report that there is no network.
const quickRetries = ['--config.fetchRetryMintimeout=1000', '--config.fetchRetryMaxtimeout=4000'];
const windows = process.platform === 'win32';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folder of the programs that `build.mjs` bundles. */
export const built = join(root, 'dist');

/**
 * Cache of compiled modules, for all Node processes that the commands start. With it, a service starts from its source with 40 % less
 * processor time.
 */
const compileCache = join(root, 'node_modules', '.cache', 'compiled');

/** A failure whose message is enough for the person at the terminal. It is printed without a stack. */
export class UserError extends Error {}

/** Shows progress. Standard output is for the results of a command. */
const say = (line) => process.stderr.write(`${line}\n`);

/** Runs a command's main function and sets the exit code. Prints what it throws, and then exits with 1. */
export async function main(command) {
  try {
    process.exitCode = await command();
  } catch (error) {
    process.stderr.write(`${error instanceof UserError ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}

/** Paths of the files of the Prisma schema, below the root. */
export function schemaFiles() {
  const folder = 'prisma/schema';
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.prisma'));
  return names.sort().map((name) => `${folder}/${name}`);
}

/** Inputs of the generated files. */
const generatedFrom = [
  ...schemaFiles(),
  'prisma.config.ts',
  'pnpm-lock.yaml',
  'scripts/generate.mjs',
  'scripts/generate-prisma-results.mjs',
  'scripts/generate-tables.mjs',
  'scripts/prisma-schema.mjs',
];

/** Inputs of the programs: all sources of the packages and services, whether or not a program imports them. */
function bundledFrom() {
  const sources = ['packages', 'services'].flatMap((kind) =>
    readdirSync(join(root, kind)).flatMap((name) => filesBelow(join(kind, name, 'src'))),
  );
  return [
    'pnpm-lock.yaml',
    'scripts/build.mjs',
    'scripts/build-console.ts',
    'scripts/install-build.ts',
    'scripts/remove-foreign-binaries.ts',
    ...sources,
  ];
}

function filesBelow(folder) {
  const path = join(root, folder);
  const names = existsSync(path) ? readdirSync(path, { recursive: true }) : [];
  return names.map((name) => join(folder, name)).filter((file) => statSync(join(root, file)).isFile());
}

/**
 * Prepares the checkout: installs the dependencies of the lock file, generates the database client, and bundles the programs.
 */
export async function prepare() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < oldestNode) {
    throw new UserError(
      `Node ${oldestNode} or newer is needed; this is ${process.version}. See https://nodejs.org/.`,
    );
  }
  await onceFor(stampPath('installed'), ['pnpm-lock.yaml', 'pnpm-workspace.yaml'], install);
  await onceFor(stampPath('generated'), generatedFrom, () =>
    runStep('scripts/generate.mjs', 'The database client could not be generated'),
  );
  await onceFor(join(built, '.sources'), bundledFrom(), () =>
    runStep('scripts/build.mjs', 'The programs could not be bundled'),
  );
}

async function runStep(script, failure) {
  const { code, output } = await capture(pinnedNode(), [script]);
  if (code !== 0) throw new UserError(`${failure}:\n${tail(output)}`);
}

/** Path of the Node that the lock file pins. It exists after `prepare`. */
export function pinnedNode() {
  return join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
}

/**
 * Runs the pinned Node and resolves to its exit code (128 + n if signal n ended it). Forwards each signal once, and waits
 * until the child has ended.
 *
 * `cwd`: the folder of the child; the root if absent.
 *
 * `ownGroup`: the child leads its own process group. Ctrl-C then reaches it once, through this process, and does not
 * reach the servers that it runs. The event `disconnect` tells the child that this process has ended.
 */
export function run(args, { cwd = root, ownGroup = false, env = {} } = {}) {
  const child = spawn(pinnedNode(), args, {
    cwd,
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...env },
    stdio: ownGroup ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    detached: ownGroup && !windows,
  });
  endWithParent(child);
  forwardSignals(child, { terminalDelivers: !ownGroup && process.stdin.isTTY === true });
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        new UserError(`Node could not be started (${error.message}). Remove node_modules and try again.`),
      ),
    );
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signalNumbers[signal] ?? 0)));
  });
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 };

// npm runs a script through a shell, and does not forward SIGHUP. If npm is ended, this process gets another parent, or the shell does.
function endWithParent(child) {
  const parents = parentsUpToNpm();
  const watch = setInterval(() => {
    if (parentsUpToNpm() === parents) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, parentWatchMs);
  watch.unref();
}

/** The parent; under npm on Linux also the parent of npm's shell. */
function parentsUpToNpm() {
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined) return String(parent);
  try {
    // The fields after the name, which is in parentheses: state, parent …
    const [, shellParent] = readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return `${parent} ${shellParent}`;
  } catch {
    return String(parent);
  }
}

// npm forwards a signal that the terminal has delivered too, so a signal that repeats within a moment counts once.
function forwardSignals(child, { terminalDelivers }) {
  const last = {};
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const now = Date.now();
      const repeated = now - (last[signal] ?? 0) < oneSignalMs;
      last[signal] = now;
      if (!repeated && !(terminalDelivers && signal === 'SIGINT')) child.kill(signal);
    });
  }
}

async function install() {
  const first = !existsSync(join(root, 'node_modules'));
  say(first ? 'Installing dependencies (first run, about 20 s) …' : 'Updating dependencies …');
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new UserError(`${root} is not writable; dependencies are installed into it.`);
  }
  const { code, output } = await capture('npx', [
    '--yes',
    pnpmPackage,
    'install',
    '--frozen-lockfile',
    '--config.confirmModulesPurge=false',
    ...quickRetries,
  ]);
  if (code !== 0) throw new UserError(`${whyInstallFailed(output)}\n\n${tail(output)}`);
}

function whyInstallFailed(output) {
  if (/ENOSPC/.test(output)) return 'Dependencies could not be installed: the disk is full.';
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return `Dependencies could not be installed: a folder cannot be written to (${root} or the npm cache).`;
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|dns error|client error .Connect/.test(
      output,
    )
  ) {
    return 'Dependencies could not be installed: the package registry does not answer. Is there a network?';
  }
  return 'Dependencies could not be installed. Last output of the package manager:';
}

const tail = (output) => output.trimEnd().split('\n').slice(-20).join('\n');

const stampPath = (name) => join(root, 'node_modules', '.continuity', name);

// Runs `step` unless it has succeeded before for the same content of `files`, of which the file `stamp` has a digest.
async function onceFor(stamp, files, step) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file))).update('\0');
  const content = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === content) return;
  await step();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, content);
}

// Collects stdout and stderr, to print them if the command fails. On Windows, npx is a script and needs a shell.
function capture(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: windows && command === 'npx',
      env: {
        ...process.env,
        npm_config_fetch_retry_mintimeout: '1000',
        npm_config_fetch_retry_maxtimeout: '4000',
      },
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.once('error', (error) =>
      reject(new UserError(`${command} could not be started: ${error.message}.`)),
    );
    child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}
