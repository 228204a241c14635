import { type Command, CommanderError } from 'commander';
import { packageVersion } from '../request.ts';
import { exitCodeOf, exitCodes, toEnvelope, toText } from './errors.ts';
import { requireDecoded } from './input.ts';
import { Output } from './output.ts';
import { createProgram } from './program.ts';

/** Runs one command line. Returns its exit code. */
export async function runCli(args: string[]): Promise<number> {
  const program = createProgram();
  const isJson = () => program.opts<{ json?: boolean }>().json === true;
  muteUsageErrors(program, isJson);
  if (args.includes('--version') && args.every((arg) => arg.startsWith('-'))) {
    process.stdout.write(`${packageVersion}\n`);
    return 0;
  }
  try {
    for (const [index, arg] of args.entries()) requireDecoded(arg, `Argument ${index + 1}`);
    await program.parseAsync(args, { from: 'user' });
    // `doctor` prints what it found, and sets the code.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      report(new Output(isJson()), error);
      return exitCodeOf(error);
    }
    if (error.exitCode === 0) return 0;
    // Without `--json`, Commander has printed the error or the help.
    if (isJson()) report(new Output(true), error);
    return exitCodes.usage;
  }
}

/** With `--json`, standard error gets an envelope in place of what Commander prints there about wrong arguments. */
function muteUsageErrors(command: Command, isJson: () => boolean): void {
  command.configureOutput({
    writeErr: (text) => {
      if (!isJson()) process.stderr.write(text);
    },
  });
  for (const child of command.commands) muteUsageErrors(child, isJson);
}

/** With `--json`, an error is an envelope. */
function report(output: Output, error: unknown): void {
  // The command may have failed while a progress text was shown.
  output.endProgress();
  if (output.isJson) output.errorJson(toEnvelope(error));
  else output.error(toText(error));
}
