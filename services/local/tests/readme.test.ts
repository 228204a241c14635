import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createDatabase, runProcess } from '@continuity/testing';
import { expect, test } from 'vitest';

const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');

/** The shell commands of one chapter, as they stand there. */
function commandsOf(chapter: string): string {
  const [, text = ''] = readme.split(`## ${chapter}\n`);
  const [body = ''] = text.split('\n## ');
  return [...body.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('\n');
}

test("the README's first session works as it stands there", async () => {
  const database = await createDatabase();
  await using service = runProcess(['services/local/src/main.ts'], { DATABASE_URL: database.url, PORT: '0' });
  const line = await service.waitForLine('runs on');
  const url = line.slice(line.indexOf('http')).trim();
  const commands = commandsOf('A first session');
  expect(commands).toContain('API=http://127.0.0.1:8000\n');
  // Only the port differs, because another service may have it.
  const script = commands.replace('http://127.0.0.1:8000', url);
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script]);
  expect(stderr).toBe('');
  expect(stdout).not.toContain('"error"');
  const answers = stdout.split(/(?<=\})(?=\{)/).map((text) => JSON.parse(text) as Record<string, unknown>);
  const [captured, flushed, remembered, found, revised, read, changes] = answers;
  expect(captured).toMatchObject({ status: 'accepted', position: 1 });
  expect(flushed).toMatchObject({ status: 'processed', current_cursor: 1 });
  expect(remembered).toMatchObject({ entry: { text: 'Deployments happen on Tuesdays.' } });
  expect(found).toMatchObject({ hits: [{ text: 'Deployments happen on Tuesdays.' }] });
  expect(revised).toMatchObject({ entry: { text: 'Deployments happen on Mondays.', version: 2 } });
  expect(read).toMatchObject({ text: 'Deployments happen on Tuesdays.', version: 1 });
  expect(changes).toMatchObject({ revisions: [{}, {}, {}] });
  service.kill('SIGTERM');
  await service.exited;
  await database.drop();
});
