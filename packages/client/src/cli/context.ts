import type { Command } from 'commander';
import { type Client, createClient } from '../client.ts';
import { UsageError } from './exit-codes.ts';
import { Output } from './output.ts';
import { type CliSettings, type GlobalOptions, resolveSettings } from './settings.ts';

/** Dependencies of a command. */
export interface Context {
  client: Client;
  settings: CliSettings;
  output: Output;
  /** The chosen Scope. Throws `UsageError` without one. */
  scope(): string;
}

/** Long work, such as a flush of many Sources. */
const timeoutMs = 10 * 60_000;

export async function openContext(options: GlobalOptions): Promise<Context> {
  const settings = await resolveSettings(options, process.env);
  const { url, token, scope } = settings;
  return {
    client: createClient({ baseUrl: url, timeoutMs, ...(token !== undefined && { token }) }),
    settings,
    output: new Output(options.json === true),
    scope: () => {
      if (scope === undefined) {
        throw new UsageError('No Scope is chosen. Pass --scope, set CONTINUITY_SCOPE, or set a profile.');
      }
      return scope;
    },
  };
}

type Action<Options> = (context: Context, args: string[], options: Options) => Promise<void>;

/** Runs an action with its context, its arguments and its options. */
export function withContext<Options extends object>(command: Command, action: Action<Options>): Command {
  return command.action(async () => {
    const options = command.optsWithGlobals<GlobalOptions & Options>();
    await action(await openContext(options), command.processedArgs.flat() as string[], options);
  });
}
