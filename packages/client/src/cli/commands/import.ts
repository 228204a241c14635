import { type Command, Option } from 'commander';
import { withContext } from '../context.ts';
import type { ImportCommandOptions } from '../import-command.ts';

export function addImportCommand(program: Command): void {
  withContext<ImportCommandOptions>(
    program
      .command('import')
      .description(
        'bring what agents and other memory systems already know; without an argument, list what is here',
      )
      .argument(
        '[items...]',
        'formats such as claude-code, files, folders, `-` for lines on standard input, or queue for what hooks could not send',
      )
      .option('--format <name>', 'the format of the paths, if their content does not tell it')
      .option('--since <time>', 'only what was said since a date, a time, or so long ago, such as 30d')
      .addOption(
        new Option('--redact <level>', 'which credentials become [redacted]')
          .choices(['standard', 'strict', 'off'])
          .default('standard'),
      )
      .option('--dry-run', 'print counts and three texts as they would be sent, and send nothing')
      .option('--report <file>', 'write a line of JSON for each item')
      .option('--again', 'read files again that were imported and have not changed')
      .option('--yes', 'import also if a model will read over a million tokens'),
    async (context, args, options) => {
      if (args.length === 1 && args[0] === 'queue') {
        const { importQueue } = await import('../import-queue.ts');
        await importQueue(context);
        return;
      }
      // The readers load only here: no other command needs them.
      const { importItems } = await import('../import-command.ts');
      await importItems(context, args, options);
    },
  );
}
