import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createDatabase, runProcess } from '@continuity/testing';
import { expect } from 'vitest';

/** Returns the shell commands of a Markdown text. */
export function commandsOf(markdown: string): string {
  return [...markdown.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('\n');
}

/** Reads a document of this repository. */
export function readDocument(path: string): Promise<string> {
  return readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}

/** Runs commands against an empty local service with these settings. Returns the JSON objects that they print. */
export async function runGuide(
  commands: string,
  environment: Record<string, string> = {},
): Promise<Record<string, unknown>[]> {
  const database = await createDatabase();
  await using service = runProcess(['services/local/src/main.ts'], {
    ...environment,
    DATABASE_URL: database.url,
    PORT: '0',
  });
  const line = await service.waitForLine('runs on');
  const url = line.slice(line.indexOf('http')).trim();
  expect(commands).toContain('API=http://127.0.0.1:8000\n');
  // Another service may use the documented port.
  const script = commands.replace('http://127.0.0.1:8000', url);
  const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
  expect(stderr).toBe('');
  expect(stdout).not.toContain('"error"');
  service.kill('SIGTERM');
  await service.exited;
  await database.drop();
  return stdout.split(/(?<=\})\s*(?=\{)/).map((text) => JSON.parse(text) as Record<string, unknown>);
}
