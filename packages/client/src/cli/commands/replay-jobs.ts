import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { UsageError } from '../exit-codes.ts';

/** Path of the program in a checkout or container of the service. */
const script = fileURLToPath(new URL('../../../../../services/api/src/replay-jobs.ts', import.meta.url));

/** Adds `jobs replay`. It works on the database and not through the API, so it runs a program of the service. */
export function addReplayCommand(jobs: Command): void {
  jobs
    .command('replay')
    .description('for operators: queue failed jobs of all tenants again, on the database of DATABASE_URL')
    .option('--queue <queue>', 'the queue of the jobs; required')
    .option('--code <code>', 'only jobs with this error code')
    .option('--older-than <age>', 'only jobs that failed so long ago, such as 30m, 12h or 7d')
    .option('--dry-run', 'only count them')
    .action(async (options: Record<string, string | boolean>) => {
      if (!existsSync(script)) {
        throw new UsageError(
          '`jobs replay` works on the database: run it in a checkout or container of the service.',
        );
      }
      const child = spawn(process.execPath, [script, ...toArguments(options)], { stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number | null];
      process.exitCode = code ?? 1;
    });
}

function toArguments(options: Record<string, string | boolean>): string[] {
  return Object.entries(options).map(([name, value]) => {
    const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? option : `${option}=${value}`;
  });
}
