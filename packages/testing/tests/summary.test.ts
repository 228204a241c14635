import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/summarize.mjs', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'continuity-summary-'));

afterAll(() => rm(folder, { recursive: true, force: true }));

type File = { status: 'passed' | 'failed'; tests: ('passed' | 'failed' | 'skipped')[] };

interface Run {
  files: File[];
  exitCode: number;
}

async function writeReport({ files }: Run, name: string): Promise<string> {
  const path = join(folder, name);
  const statuses = files.flatMap((file) => file.tests);
  const report = {
    numTotalTests: statuses.length,
    numPassedTests: statuses.filter((status) => status === 'passed').length,
    testResults: files.map(({ status, tests }, file) => ({
      name: `${file}.test.ts`,
      status,
      message: status === 'failed' && tests.length === 0 ? 'cannot be loaded' : '',
      assertionResults: tests.map((test, index) => ({
        status: test,
        fullName: `test ${index}`,
        failureMessages: test === 'failed' ? ['Error: expected 2'] : [],
      })),
    })),
  };
  await writeFile(path, JSON.stringify(report));
  return path;
}

interface Summary {
  line: string;
  details: string[];
  code: number;
}

async function summarize(runs: Run[]): Promise<Summary> {
  const pairs = runs.map(async (run, index) => [
    await writeReport(run, `${index}.json`),
    String(run.exitCode),
  ]);
  const reports = (await Promise.all(pairs)).flat();
  return await new Promise((resolve) => {
    execFile(process.execPath, [script, ...reports], (error, stdout) => {
      const lines = stdout.trimEnd().split('\n');
      resolve({ line: lines.at(-1) ?? '', details: lines.slice(0, -1), code: Number(error?.code ?? 0) });
    });
  });
}

test.each<[string, File[], number, string]>([
  ['all passed', [{ status: 'passed', tests: ['passed', 'passed'] }], 0, '2 passed, 0 failed'],
  ['one failed', [{ status: 'failed', tests: ['passed', 'failed'] }], 1, '1 passed, 1 failed'],
  ['one skipped', [{ status: 'passed', tests: ['passed', 'skipped'] }], 0, '1 passed, 1 failed'],
  ['a file that cannot be loaded', [{ status: 'failed', tests: [] }], 1, '0 passed, 1 failed'],
  ['a failing hook', [{ status: 'failed', tests: ['skipped'] }], 1, '0 passed, 1 failed'],
  ['an error outside any test', [{ status: 'passed', tests: ['passed'] }], 1, '1 passed, 1 failed'],
  ['no test at all', [], 0, '0 passed, 1 failed'],
])('counts %s', async (_, files, exitCode, line) => {
  const code = line.endsWith(' 0 failed') ? 0 : 1;
  expect(await summarize([{ files, exitCode }])).toMatchObject({ line, code });
});

test('counts several runs together', async () => {
  const passed: Run = { files: [{ status: 'passed', tests: ['passed', 'passed'] }], exitCode: 0 };
  const failed: Run = { files: [{ status: 'failed', tests: ['passed', 'failed'] }], exitCode: 1 };
  expect(await summarize([passed, passed])).toEqual({ line: '4 passed, 0 failed', details: [], code: 0 });
  expect(await summarize([passed, failed])).toMatchObject({ line: '3 passed, 1 failed', code: 1 });
  expect(await summarize([])).toEqual({ line: '0 passed, 0 failed', details: [], code: 1 });
});

test('names before its last line what did not pass, with the error', async () => {
  const files: File[] = [
    { status: 'failed', tests: ['passed', 'failed', 'skipped'] },
    { status: 'failed', tests: [] },
  ];
  const { details } = await summarize([{ files, exitCode: 1 }]);
  expect(details).toEqual([
    'failed: 0.test.ts: test 1',
    '  Error: expected 2',
    'skipped: 0.test.ts: test 2',
    '1.test.ts',
    '  cannot be loaded',
  ]);
  const unexplained = await summarize([{ files: [{ status: 'passed', tests: ['passed'] }], exitCode: 1 }]);
  expect(unexplained.details).toEqual(['A run of 1 passed tests ended with exit code 1']);
});
