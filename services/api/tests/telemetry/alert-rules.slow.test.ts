import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPromtool } from '@continuity/testing';
import { describe, expect, test } from 'vitest';

const execute = promisify(execFile);
const cwd = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = 'deploy/observability';

const promtool = await findPromtool();
const runPromtool = (...args: string[]) => execute(promtool ?? '', args, { cwd });

describe.skipIf(promtool === undefined)('promtool (skipped if not installed: apt install prometheus)', () => {
  test('accepts the example of a configuration', async () => {
    expect((await runPromtool('check', 'config', `${folder}/prometheus.yaml`)).stdout).toContain('SUCCESS');
  });

  test('passes the tests of all alert rules', async () => {
    expect((await runPromtool('test', 'rules', `${folder}/alerts.test.yaml`)).stdout).toContain('SUCCESS');
  });
});
