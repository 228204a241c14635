import { packageVersion } from '../request.ts';
import { desktopClients } from '../setup/desktop-clients.ts';
import { setupHosts } from '../setup/hosts.ts';
import { userFolders } from '../setup/plugin-files.ts';
import {
  connectHost,
  disconnectHost,
  plannedSteps,
  SetupError,
  type SetupResult,
  tryPlugin,
} from '../setup/setup.ts';
import type { Context } from './context.ts';
import { UsageError } from './errors.ts';
import { type GlobalOptions, resolveSettings } from './settings.ts';
import { type SetupOptions, setUpDesktop } from './setup-desktop.ts';

/** `continuity setup HOST` (spec 70 §4.5). Throws `UsageError` for what a person can mend. */
export async function setUp(
  context: Context,
  name: string,
  options: SetupOptions & GlobalOptions,
): Promise<void> {
  const desktop = desktopClients.find((one) => one.name === name);
  if (desktop !== undefined) return await setUpDesktop(context, desktop, options);
  const host = setupHosts.find((one) => one.name === name);
  const folders = userFolders(process.env);
  if (host === undefined) throw new UsageError(`The host ${JSON.stringify(name)} is not known.`);
  if (folders === undefined) throw new UsageError('This user has no home folder. Set HOME.');
  const { output } = context;
  try {
    if (options.print === true) {
      const steps = plannedSteps(host, folders, packageVersion);
      if (output.isJson) output.json({ host: name, steps });
      else output.text(steps.join('\n'));
    } else if (options.remove === true) {
      report(context, name, await disconnectHost(host, folders, process.env), 'It was not connected.');
    } else {
      await requireService(context);
      const result = await connectHost(host, folders, packageVersion, process.env);
      const failure = await tryPlugin(host, folders, packageVersion, process.cwd());
      if (failure !== '')
        throw new SetupError(`The plugin is installed, and its first event failed: ${failure}`);
      report(context, name, result, `${host.title} is connected already.`);
      output.note(host.next);
    }
  } catch (error) {
    throw error instanceof SetupError ? new UsageError(error.message) : error;
  }
}

/** Throws unless the service answers with the settings that hooks will have: they take no options. */
async function requireService({ client, settings }: Context): Promise<void> {
  const { url, token } = await resolveSettings({}, process.env);
  if (url !== settings.url || token !== settings.token)
    throw new UsageError(
      'Hooks take no options. Keep the address and token in a profile: continuity profile set NAME --url ADDRESS, then continuity profile use NAME.',
    );
  await client.getCapabilities();
}

function report(
  { output }: Context,
  host: string,
  { changed, kept, commands }: SetupResult,
  none: string,
): void {
  if (output.isJson) {
    output.json({ host, changed, kept, commands: commands.map((command) => command.join(' ')) });
    return;
  }
  for (const command of commands) output.text(`ran ${command.join(' ')}`);
  for (const path of changed) output.text(`changed ${path}`);
  for (const path of kept) output.text(`changed by hand, left as it is: ${path}`);
  if (changed.length + kept.length + commands.length === 0) output.text(none);
}
