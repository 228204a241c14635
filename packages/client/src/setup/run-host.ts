import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface HostAnswer {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The path of a program on the PATH; undefined without one. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    for (const file of names) {
      const path = join(folder, file);
      if (folder !== '' && isProgram(path)) return path;
    }
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Runs a program. A time limit that ends it counts as a failure. Throws if it cannot be started. */
export async function runProgram(
  path: string,
  args: string[],
  { input = '', timeoutMs }: { input?: string; timeoutMs: number },
): Promise<HostAnswer> {
  const child = spawn(path, args, {
    timeout: timeoutMs,
    // `.cmd` files of npm run in a shell alone.
    shell: path.endsWith('.cmd'),
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('close', resolve).once('error', reject),
  );
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
