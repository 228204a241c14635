import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from './errors.ts';

/**
 * Runs a program of the service, for an operator's command that works on the database and not through the API. Throws a `UsageError`
 * outside of a checkout or container of the service.
 *
 * @param name file in `services/api/src`
 */
export async function runServiceProgram(
  name: string,
  command: string,
  args: readonly string[],
): Promise<void> {
  const script = fileURLToPath(new URL(`../../../../services/api/src/${name}`, import.meta.url));
  if (!existsSync(script))
    throw new UsageError(
      `\`${command}\` works on the database: run it in a checkout or container of the service.`,
    );
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}

/** The options of a command as arguments of a program. */
export function toArguments(options: Readonly<Record<string, string | boolean>>): string[] {
  return Object.entries(options).map(([name, value]) => {
    const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? option : `${option}=${value}`;
  });
}
