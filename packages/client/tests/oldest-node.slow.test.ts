import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScripted } from './scripted-server.ts';
import { installClient } from './support/install-client.ts';

const run = promisify(execFile);

let project: string;
/** A Node of the oldest version that the client supports. */
let oldNode: string;

beforeAll(async () => {
  ({ project } = await installClient());
  const { engines } = JSON.parse(
    await readFile(join(project, 'node_modules/@continuity/client/package.json'), 'utf8'),
  );
  const [, major] = /^>=(\d+)$/.exec(engines.node) ?? [];
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', `node@${major}`], { cwd: project });
  oldNode = join(project, 'node_modules/node/bin/node');
  const { stdout } = await run(oldNode, ['--version']);
  expect(stdout).toMatch(new RegExp(`^v${major}\\.`));
});

afterAll(() => rm(project, { recursive: true }));

test('the client and the command line run on the oldest Node that the package names', async () => {
  const server = await startScripted([{ status: 200, body: { status: 'ok' } }]);
  const program = `
    import { createClient } from '@continuity/client';
    import { checkAnswer } from '@continuity/client/check';
    const client = createClient({ baseUrl: process.argv[1], checkAnswer });
    console.log(JSON.stringify(await client.getLiveness()));`;
  const { stdout } = await run(oldNode, ['--input-type=module', '-e', program, server.url], { cwd: project });
  await server.stop();
  expect(JSON.parse(stdout)).toEqual({ status: 'ok' });
  const command = join(project, 'node_modules/.bin/continuity');
  const token = await run(oldNode, [command, 'token', 'new', '--json']);
  expect(JSON.parse(token.stdout)).toMatchObject({ token_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const receiver = run(oldNode, [command, 'receiver', 'status', '--agent', 'codex', '--project', project]);
  await expect(receiver).rejects.toMatchObject({ code: 5 });
});
