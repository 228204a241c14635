import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Path of the bundled command line. */
export const cliProgram = fileURLToPath(new URL('../../../../dist/continuity.mjs', import.meta.url));

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts `continuity` as a process of its own, with these variables alone. */
export function startCli(args: string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [cliProgram, ...args], { env: { PATH: process.env['PATH'] ?? '', ...env } });
}

/** Runs `continuity` to its end. */
export async function runCli(
  args: string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string | Buffer } = {},
): Promise<CliResult> {
  const child = startCli(args, env);
  // A command that ends before it has read its input closes the pipe.
  child.stdin.on('error', () => undefined).end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
