import { createHash, randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { readInput } from '../input.ts';
import { Output } from '../output.ts';

export function addTokenCommands(program: Command): void {
  const tokens = program.command('token').description('make tokens for AUTH_TOKENS_FILE');
  tokens
    .command('new')
    .description('print a random token and its hash')
    .action((_options, command: Command) => print(command, randomBytes(32).toString('base64url')));
  tokens
    .command('hash')
    .description('read a token from standard input, and print its hash')
    .action(async (_options, command: Command) => {
      const token = (await readInput('-')).trim();
      if (!/^[\x21-\x7e]{16,}$/.test(token)) {
        throw new UsageError(
          'A token has at least 16 visible ASCII characters. `continuity token new` makes one.',
        );
      }
      print(command, token, { isTokenKnown: true });
    });
}

function print(command: Command, token: string, { isTokenKnown = false } = {}): void {
  const token_sha256 = createHash('sha256').update(token).digest('hex');
  const output = new Output(command.optsWithGlobals<{ json?: boolean }>().json === true);
  const fields = { ...(!isTokenKnown && { token }), token_sha256 };
  if (output.isJson) output.json(fields);
  else for (const [name, value] of Object.entries(fields)) output.text(`${name.padEnd(12)}  ${value}`);
}
