import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { startService } from '../../../api/tests/support/service.ts';
import { strictBash } from './shell.ts';

/** Returns the shell commands of a Markdown text. */
export function commandsOf(markdown: string): string {
  return [...markdown.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('\n');
}

/** Reads a document of this repository. */
export function readDocument(path: string): Promise<string> {
  return readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}

/** Runs commands against an empty service with these settings. Returns the JSON objects that they print. */
export async function runGuide(
  commands: string,
  environment: Record<string, string> = {},
): Promise<Record<string, unknown>[]> {
  expect(commands).toContain('API=http://127.0.0.1:8000\n');
  // On a busy machine, a background flush would come before that of the guide.
  const settings = { MEMORY_AUTO_FLUSH: 'off', ...environment };
  const service = await startService({ environment: settings, workers: true });
  try {
    const script = commands.replace('http://127.0.0.1:8000', service.url);
    const { stdout, stderr } = await promisify(execFile)('bash', [...strictBash, script]);
    expect(stderr).toBe('');
    expect(stdout).not.toContain('"error"');
    return stdout.split(/(?<=\})\s*(?=\{)/).map((text) => JSON.parse(text) as Record<string, unknown>);
  } finally {
    await service.stop();
  }
}
