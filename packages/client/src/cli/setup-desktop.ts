import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { packageVersion } from '../request.ts';
import { type DesktopClient, settingsFileOf } from '../setup/desktop-clients.ts';
import { userFolders } from '../setup/plugin-files.ts';
import { SetupRecord } from '../setup/record.ts';
import { runProgram } from '../setup/run-host.ts';
import { removeEntry, SettingsError, writeEntry } from '../setup/settings-entry.ts';
import type { Context } from './context.ts';
import { UsageError } from './errors.ts';
import { type GlobalOptions, resolveSettings } from './settings.ts';

/** Time limit of the first call through the entry, in ms. */
const firstCallMs = 30_000;

export interface SetupOptions {
  print?: boolean;
  remove?: boolean;
}

/**
 * `continuity setup` of a program that starts `continuity mcp` by an entry in its settings (spec 70 §5.5). Throws `UsageError` for what a
 * person can mend; the settings are then as before.
 */
export async function setUpDesktop(
  context: Context,
  desktop: DesktopClient,
  options: SetupOptions & GlobalOptions,
): Promise<void> {
  const [path, folders] = [settingsFileOf(desktop, process.env), userFolders(process.env)];
  if (path === undefined || folders === undefined)
    throw new UsageError('This user has no home folder. Set HOME.');
  const record = new SetupRecord(folders);
  try {
    if (options.remove === true) disconnect(context, desktop, path, record);
    else await connect(context, desktop, { path, record, options });
  } catch (error) {
    throw error instanceof SettingsError ? new UsageError(error.message) : error;
  }
}

function disconnect(context: Context, desktop: DesktopClient, path: string, record: SetupRecord): void {
  const written = record.of(desktop.name)?.entry;
  const isRemoved = written === undefined || removeEntry(path, desktop.key, written);
  if (isRemoved) record.set(desktop.name, undefined);
  const changed = written === undefined || !isRemoved ? [] : [path];
  report(context, desktop, { changed, kept: isRemoved ? [] : [path] }, 'It was not connected.');
}

async function connect(
  context: Context,
  desktop: DesktopClient,
  { path, record, options }: { path: string; record: SetupRecord; options: SetupOptions & GlobalOptions },
): Promise<void> {
  const { output } = context;
  const entry = { command: process.execPath, args: await commandOf(context, options) };
  if (options.print === true) {
    output.text(JSON.stringify({ [desktop.key]: { continuity: entry } }, null, 2));
    return;
  }
  await tryEntry(entry);
  const before = record.of(desktop.name)?.entry;
  const added = writeEntry(path, desktop.key, entry, before);
  if (added !== undefined)
    record.set(desktop.name, {
      version: packageVersion,
      files: {},
      // The bytes before a second entry are those of the first one, which `--remove` must not bring back.
      entry: before === undefined ? added : { ...added, digest: '' },
    });
  const changed = added === undefined ? [] : [path];
  report(context, desktop, { changed, kept: [] }, `${desktop.title} is connected already.`);
  output.note(desktop.next);
}

/** Arguments of Node that start the bridge. A desktop program has no variables of a shell, so the settings go into them or the profile. */
async function commandOf({ settings }: Context, options: GlobalOptions): Promise<string[]> {
  const program = realpathSync(process.argv[1] ?? '');
  if (program.includes(`${sep}_npx${sep}`))
    throw new UsageError(
      'npx may remove this program at any time. Install it first: npm install -g @continuity/client',
    );
  const profile = options.profile ?? process.env['CONTINUITY_PROFILE'];
  const kept = await resolveSettings(profile ? { profile } : {}, {
    ...process.env,
    CONTINUITY_URL: '',
    CONTINUITY_TOKEN: '',
    CONTINUITY_SCOPE: '',
  });
  if (settings.token !== kept.token)
    throw new UsageError(
      'A desktop program does not see CONTINUITY_TOKEN. Keep the token in a profile: continuity profile set NAME --token-stdin, then continuity profile use NAME.',
    );
  return [
    program,
    'mcp',
    ...(profile ? ['--profile', profile] : []),
    ...(settings.url === kept.url ? [] : ['--url', settings.url]),
    ...(settings.scope === undefined || settings.scope === kept.scope ? [] : ['--scope', settings.scope]),
  ];
}

/** Lists the tools by the very command of the entry, from a folder and with variables that say nothing. */
async function tryEntry({ command, args }: { command: string; args: string[] }): Promise<void> {
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`;
  const { stdout, stderr } = await runProgram(command, args, { input, timeoutMs: firstCallMs });
  const answer =
    stdout === '' ? {} : (JSON.parse(stdout) as { result?: unknown; error?: { message: string } });
  if (answer.result === undefined)
    throw new UsageError(
      `The service gives no tools, so nothing was changed: ${answer.error?.message ?? stderr.trim()}`,
    );
}

function report(
  { output }: Context,
  { name }: DesktopClient,
  { changed, kept }: { changed: string[]; kept: string[] },
  none: string,
): void {
  if (output.isJson) {
    output.json({ host: name, changed, kept, commands: [] });
    return;
  }
  for (const path of changed) output.text(`changed ${path}`);
  for (const path of kept) output.text(`changed by hand, left as it is: ${path}`);
  if (changed.length + kept.length === 0) output.text(none);
}
