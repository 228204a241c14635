import type { Command } from 'commander';
import type { ResponseOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';

type Scope = ResponseOf<'get_scope'>;

export function addScopeCommands(program: Command): void {
  const scopes = program.command('scopes').description('list, show and create Scopes');
  withContext(scopes.command('list').description('list all Scopes'), list);
  withContext(
    scopes.command('show').description('show a Scope').argument('[id]', 'default: the chosen Scope'),
    show,
  );
  withContext<{ title: string; summary?: string; key?: string }>(
    scopes
      .command('create')
      .description('create a Scope')
      .requiredOption('--title <text>', 'its title')
      .option('--summary <text>', 'what it holds (default: the title)')
      .option('--key <text>', 'idempotency key: a repeat with the same key returns the same Scope'),
    create,
  );
}

async function list({ client, output }: Context) {
  const scopes: Scope[] = [];
  for await (const scope of client.each.listScopes()) scopes.push(scope);
  if (output.isJson) return output.json({ items: scopes });
  if (scopes.length === 0) return output.note('No Scope.');
  output.table(
    ['SCOPE', 'TITLE'],
    scopes.map(({ scope_id, title }) => [scope_id, title]),
  );
}

async function show({ client, output, scope }: Context, [id]: string[]) {
  output.json(await client.getScope({ scope_id: id ?? scope() }));
}

async function create(
  { client, output }: Context,
  _args: string[],
  { title, summary = title, key = crypto.randomUUID() }: { title: string; summary?: string; key?: string },
) {
  const created = await client.createScope({ title, summary, idempotency_key: key });
  if (output.isJson) output.json(created);
  else output.text(created.scope_id);
}
