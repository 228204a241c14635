import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
/** A user who has the programs of the hosts. */
let home: string;

beforeAll(async () => {
  [service, home] = await Promise.all([startService(), mkdtemp(join(tmpdir(), 'continuity-quick-'))]);
  await mkdir(join(home, 'bin'));
  for (const name of ['claude', 'codex']) {
    const path = join(home, 'bin', name);
    await writeFile(path, '#!/bin/sh\nexit 0\n');
    await chmod(path, 0o755);
  }
});

afterAll(async () => {
  await service.stop();
  await rm(home, { recursive: true });
});

test.each(['claude-code', 'codex', 'cursor', 'vscode', 'claude-desktop'])(
  'the commands of the quick start of %s work as they stand',
  async (host) => {
    const page = await readFile(new URL(`../../../../docs/quick-starts/${host}.md`, import.meta.url), 'utf8');
    const commands = page.split('\n').flatMap((line) => {
      const [, args] = /^ *npm run --silent continuity -- (.*)$/.exec(line) ?? [];
      return args === undefined ? [] : [args.split(' ')];
    });
    const env = {
      HOME: home,
      PATH: [join(home, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      CONTINUITY_URL: service.url,
    };
    const remember = ['remember', '--scope', 'project:shop', 'We deploy on Tuesdays.', '--kind', 'decision'];
    const results = [];
    for (const args of [commands[0] ?? [], remember, ...commands.slice(1)])
      results.push(await runCli(args, { env }));
    const [connected, , found, removed] = results;
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(connected?.stdout).toMatch(/^(ran|changed) /m);
    expect(found?.stdout).toContain('We deploy on Tuesdays.');
    expect(removed?.stdout).toMatch(/^(ran|changed) /m);
  },
);
