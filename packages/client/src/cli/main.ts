#!/usr/bin/env node
import module from 'node:module';

// The compile cache halves the start time of a command. It caches only later imports, and Node 20 does not have it.
module.enableCompileCache?.();
process.stdout.on('error', endWithoutOutput);
const { runCli } = await import('./run.ts');

process.exitCode = await runCli(process.argv.slice(2));

/** A reader that has read enough, such as `head`, ends the command. A full disk fails it. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`error: Standard output cannot be written to: ${message}\n`);
  process.exit(1);
}
