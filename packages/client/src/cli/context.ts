import type { Command } from 'commander';
import { type Client, createClient } from '../client.ts';
import { operations } from '../generated/operations.ts';
import type { ClientOperation } from '../operation.ts';
import { UsageError } from './errors.ts';
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

const byId = new Map<string, ClientOperation>(Object.values(operations).map((one) => [one.id, one]));

/** Adds the chosen Scope to a request that names none, if its operation takes one. */
export function addScope(
  id: string,
  request: Record<string, unknown>,
  scope: string | undefined,
): Record<string, unknown> {
  const field = byId.get(id)?.scope;
  if (scope === undefined || field === undefined || field in request) return request;
  return { ...request, [field]: field === 'scope_id' ? scope : { mode: 'exact', scope_ids: [scope] } };
}
