import { spawn } from 'node:child_process';

/** Characters of the output of a failed program that its error has. */
const shownOutput = 3_000;

interface RunOptions {
  /** Variables besides those of this process. */
  env?: Record<string, string>;
  cwd?: string;
  /** Standard input. Default: none. */
  input?: string;
  /** Milliseconds after which the program is killed. Default: 10 minutes. */
  timeoutMs?: number;
}

/**
 * Runs a program to its end, and resolves to its standard output. Throws an error with the command and the end of its output if the program
 * fails or is killed.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { env = {}, cwd, input, timeoutMs = 600_000 }: RunOptions = {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(cwd !== undefined && { cwd }),
  });
  const output = { all: '', standard: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.standard += text;
    output.all += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.all += text;
  });
  child.stdin?.end(input);
  child.once('error', reject);
  child.once('close', (code, signal) => {
    if (code === 0) return resolve(output.standard.trim());
    const how = signal === null ? `exited with ${code}` : `was ended by ${signal}`;
    reject(new Error(`${program} ${args.join(' ')} ${how}:\n${output.all.slice(-shownOutput)}`));
  });
  return promise;
}
