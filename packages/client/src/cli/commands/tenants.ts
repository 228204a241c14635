import type { Command } from 'commander';
import { runServiceProgram, toArguments } from '../service-program.ts';

const program = 'tenants.ts';

/** Adds the commands for operators that move tenants between database servers. */
export function addTenantCommands(root: Command): void {
  const tenants = root
    .command('tenants')
    .description('for operators: move tenants between the servers of DATABASE_SERVERS_FILE');
  tenants
    .command('move')
    .description('move a tenant while it is used, or go on with a move that was interrupted')
    .argument('<tenant>', 'its name in AUTH_TOKENS_FILE')
    .requiredOption('--to <server>', 'name of the server')
    .option('--abort', 'abort the move, unless the tenant works on the other server already')
    .action((tenant: string, options: Record<string, string | boolean>) =>
      runServiceProgram(program, 'tenants move', [...toArguments(options), '--', 'move', tenant]),
    );
  tenants
    .command('clean')
    .description('delete the rows of moved tenants on their servers before')
    .option(
      '--older-than <age>',
      'only of tenants that moved so long ago, such as 30m, 12h or 7d; default 1d',
    )
    .action((options: Record<string, string | boolean>) =>
      runServiceProgram(program, 'tenants clean', [...toArguments(options), '--', 'clean']),
    );
}
