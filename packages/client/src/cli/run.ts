import { CommanderError } from 'commander';
import { ServiceError } from '../errors.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { Output } from './output.ts';
import { createProgram } from './program.ts';

/** Runs one command line. Returns its exit code. */
export async function runCli(args: string[]): Promise<number> {
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: 'user' });
    // `doctor` prints what it found, and sets the code.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    report(new Output(program.opts<{ json?: boolean }>().json === true), error);
    return exitCodeOf(error);
  }
}

/** With `--json`, a refusal is its envelope. */
function report(output: Output, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (!output.isJson) {
    output.error(error instanceof ServiceError ? `${message} (${error.code})` : message);
    return;
  }
  const { code, details } = error instanceof ServiceError ? error : { code: 'client_error', details: {} };
  output.errorJson({ error: { code, message, details } });
}
