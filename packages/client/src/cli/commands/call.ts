import type { Command } from 'commander';
import { operations } from '../../generated/operations.ts';
import { type Context, withContext } from '../context.ts';
import { UsageError } from '../exit-codes.ts';
import { readJsonInput } from '../input.ts';

/** Any operation of the API, so that scripts need no second client. */
export function addCallCommand(program: Command): void {
  withContext<{ file?: string }>(
    program
      .command('call')
      .description('call any operation, and print its answer as JSON')
      .argument('<operation>', 'id, such as get_stats')
      .option(
        '--file <path>',
        'path parameters, query and body as one JSON object; `-` reads standard input',
      ),
    call,
  );
}

async function call({ client, output, settings }: Context, [id = '']: string[], { file }: { file?: string }) {
  const name = Object.entries(operations).find(([, operation]) => operation.id === id)?.[0];
  if (name === undefined) throw new UsageError(`No operation is named ${JSON.stringify(id)}.`);
  const given = file === undefined ? {} : await readJsonInput(file);
  const request =
    settings.scope === undefined || 'scope_id' in given ? given : withScope(name, settings.scope, given);
  const method = (client as object as Record<string, (request: object) => Promise<unknown>>)[name];
  output.json(await method?.(request));
}

/** The chosen Scope for operations whose path names one. The body of others may not have the field. */
function withScope(name: string, scope_id: string, given: Record<string, unknown>): Record<string, unknown> {
  const { path } = operations[name as keyof typeof operations];
  return path.includes('{scope_id}') ? { ...given, scope_id } : given;
}
