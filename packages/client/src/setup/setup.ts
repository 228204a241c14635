import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SetupHost } from './hosts.ts';
import {
  digestOf,
  digestOfFile,
  pluginFiles,
  removeFile,
  type UserFolders,
  writeIfOther,
} from './plugin-files.ts';
import { SetupRecord } from './record.ts';
import { findProgram, runProgram } from './run-host.ts';

/** Time limits of a host's own command and of one event, in ms. */
const commandMs = 120_000;
const eventMs = 10_000;

/** A reason that a person can mend: exit code 2. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}

/** What `setup` or `--remove` did. */
export interface SetupResult {
  /** Files that were written or removed. */
  changed: string[];
  /** Files that were changed by hand, and stay as they are. */
  kept: string[];
  /** Commands of the host that were run. */
  commands: string[][];
}

/** The commands and the file that connect a host, for people who do it themselves. */
export function plannedSteps(host: SetupHost, folders: UserFolders, version: string): string[] {
  const commands = host.add(join(folders.data, version)).map((args) => [host.command, ...args].join(' '));
  return host.file === undefined ? commands : [...commands, join(folders.config, host.file)];
}

/** Copies the plugin of a host and installs it by the host's own commands. A repeat changes nothing (spec 70 §4.5). */
export async function connectHost(
  host: SetupHost,
  folders: UserFolders,
  version: string,
  env: NodeJS.ProcessEnv,
): Promise<SetupResult> {
  const record = new SetupRecord(folders);
  const program = findProgram(host.command, env);
  if (program === undefined)
    throw new SetupError(
      `${host.command} is not on the PATH. Install ${host.title} (npm install -g ${host.npm}), and run this again.`,
    );
  const result: SetupResult = { changed: [], kept: [], commands: [] };
  const digests = writeFiles(pluginFiles(host, folders, version), folders, record, result);
  const before = record.of(host.name);
  const removed = before === undefined || before.version === version ? [] : host.remove;
  const added = before?.version === version ? [] : host.add(join(folders.data, version));
  // Files are on record before a command can fail, so that `--remove` finds them.
  record.set(host.name, { version: before?.version ?? '', files: digests });
  for (const args of removed) await runProgram(program, args, { timeoutMs: commandMs });
  for (const args of added) {
    await runOrThrow(host, program, args);
    result.commands.push([host.command, ...args]);
  }
  record.set(host.name, { version, files: digests });
  return result;
}

/** Writes what is not yet so, and leaves what was changed by hand. Returns the digests of what this command has written. */
function writeFiles(
  files: Map<string, string>,
  folders: UserFolders,
  record: SetupRecord,
  result: SetupResult,
): Record<string, string> {
  const digests: Record<string, string> = {};
  for (const [path, content] of files) {
    const [found, ours] = [digestOfFile(path), record.digestOf(path)];
    const isOfOthers = found !== undefined && found !== ours && found !== digestOf(content);
    if (isOfOthers && ours === undefined && path.startsWith(folders.config))
      throw new SetupError(`${path} is there, and not of this command. Move it away, and run this again.`);
    if (isOfOthers) result.kept.push(path);
    else if (writeIfOther(path, content)) result.changed.push(path);
    const digest = isOfOthers ? ours : digestOf(content);
    if (digest !== undefined) digests[path] = digest;
  }
  return digests;
}

async function runOrThrow(host: SetupHost, program: string, args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runProgram(program, args, { timeoutMs: commandMs });
  if (code === 0) return;
  const said = (stderr.trim() || stdout.trim()).split('\n').at(-1) ?? '';
  throw new SetupError(`${[host.command, ...args].join(' ')} failed: ${said || `exit code ${code}`}`);
}

/** Sends one event through the installed plugin. Returns what it reports; an empty text if all is well. */
export async function tryPlugin(
  host: SetupHost,
  folders: UserFolders,
  version: string,
  directory: string,
): Promise<string> {
  const program = join(folders.data, version, 'continuity', 'hooks', 'continuity-hook.mjs');
  const session = 'continuity-setup';
  const adapter = host.file && pathToFileURL(join(folders.config, host.file)).href;
  const args =
    adapter === undefined
      ? [program, '--host', host.name, '--event', host.name === 'copilot' ? 'sessionStart' : 'SessionStart']
      : ['--input-type=module', '--eval', openCodeEvent(adapter, directory, session)];
  const input = JSON.stringify({
    ...{ session_id: session, sessionId: session, cwd: directory },
    ...{ hook_event_name: 'SessionStart', source: 'startup' },
  });
  const { code, stderr } = await runProgram(process.execPath, args, { input, timeoutMs: eventMs });
  return code === 0 ? stderr.trim() : stderr.trim() || `The plugin ended with ${code}.`;
}

function openCodeEvent(adapter: string, directory: string, sessionID: string): string {
  const event = { type: 'session.deleted', properties: { sessionID } };
  return `const { Continuity } = await import(${JSON.stringify(adapter)});
const plugin = await Continuity({ directory: ${JSON.stringify(directory)}, client: {} });
await plugin.event({ event: ${JSON.stringify(event)} });`;
}

/** Takes back what `setup` wrote for a host. What was changed by hand stays. */
export async function disconnectHost(
  host: SetupHost,
  folders: UserFolders,
  env: NodeJS.ProcessEnv,
): Promise<SetupResult> {
  const record = new SetupRecord(folders);
  const written = record.of(host.name);
  const result: SetupResult = { changed: [], kept: [], commands: [] };
  if (written === undefined) return result;
  const program = findProgram(host.command, env);
  for (const args of program === undefined ? [] : host.remove) {
    await runProgram(program as string, args, { timeoutMs: commandMs });
    result.commands.push([host.command, ...args]);
  }
  record.set(host.name, undefined);
  for (const [path, digest] of Object.entries(written.files)) {
    const found = digestOfFile(path);
    // Another host may have the same file.
    if (found === undefined || record.digestOf(path) !== undefined) continue;
    if (found === digest) {
      removeFile(path, path.startsWith(folders.data) ? folders.data : folders.config);
      result.changed.push(path);
    } else result.kept.push(path);
  }
  return result;
}
