import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageFile from '../../../../packages/client/package.json' with { type: 'json' };
import { cliProgram, runCli } from '../support/cli.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

/** Runs commands in bash, where "$0" is Node and "$1" the command line. Returns what they write to standard error. */
async function errorsOf(script: string): Promise<string> {
  return (await promisify(execFile)('bash', ['-c', script, process.execPath, cliProgram])).stderr;
}

test('ids and advice are printed whole, and long texts are cut', async () => {
  const scope_id = `team-${'a'.repeat(120)}`;
  const env = { CONTINUITY_URL: service.url, CONTINUITY_SCOPE: scope_id };
  expect(await runCli(['remember', 'A statement.'], { env })).toMatchObject({ code: 0 });
  const { stdout } = await runCli(['scopes', 'list'], { env });
  // The title of a Scope that nobody has created is its id.
  expect(stdout).toContain(`\n${scope_id}  ${scope_id.slice(0, 99)}…\n`);
  const unserved = await runCli(['doctor'], { env: { CONTINUITY_URL: 'http://127.0.0.1:9' } });
  expect(unserved.stdout).toContain('or correct --url or CONTINUITY_URL.');
});

test('--version prints the version of the client package, without a service', async () => {
  const env = { CONTINUITY_URL: 'http://127.0.0.1:9' };
  const printed = { code: 0, stdout: `${packageFile.version}\n`, stderr: '' };
  expect(await runCli(['--version'], { env })).toEqual(printed);
});

test('a command whose reader has read enough ends without an error', async () => {
  expect(await errorsOf('("$0" "$1" --help; echo "code $?" >&2) | true')).toBe('code 0\n');
});

test.runIf(process.platform === 'linux')(
  'a command that cannot write its result fails in one line',
  async () => {
    const errors = await errorsOf('"$0" "$1" --help > /dev/full || echo "code $?" >&2');
    expect(errors).toMatch(/^error: Standard output cannot be written to: ENOSPC.+\ncode 1\n$/);
  },
);

test('npm run continuity reads files from the folder of its caller', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-caller-'));
  await writeFile(join(folder, 'stats.json'), '{ "selection": { "mode": "all" }, "period": "today" }');
  const { INIT_CWD: _, ...environment } = process.env;
  const env = { ...environment, CONTINUITY_URL: service.url };
  const command = ['run', '--silent', '--prefix', process.cwd(), 'continuity', '--'];
  const request = ['call', 'get_stats', '--file', 'stats.json'];
  const { stdout } = await promisify(execFile)('npm', [...command, ...request], { cwd: folder, env });
  await rm(folder, { recursive: true });
  expect(JSON.parse(stdout)).toMatchObject({ selection: { mode: 'all' } });
});
