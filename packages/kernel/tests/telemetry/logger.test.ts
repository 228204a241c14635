import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess, temporaryDirectory } from '@continuity/testing';
import { expect, test } from 'vitest';

test('many loggers of a process write one after the other, to the last line before it exits, and nothing else', async () => {
  await using program = runProcess([
    '--input-type=module',
    '--eval',
    `import { createLogger } from './packages/kernel/src/telemetry/index.ts';
     const loggers = Array.from({ length: 12 }, (_, place) => createLogger({ LOG_LEVEL: 'info' }, String(place)));
     for (const round of [1, 2]) for (const logger of loggers) logger.info({ round }, 'said');
     process.exit(0);`,
  ]);
  expect(await program.exited).toEqual({ code: 0, signal: null });
  const lines = program.output().trimEnd().split('\n');
  const said = lines.map((line) => JSON.parse(line)).map(({ round, service }) => `${round} ${service}`);
  expect(said).toEqual(
    [1, 2].flatMap((round) => Array.from({ length: 12 }, (_, place) => `${round} ${place}`)),
  );
});

test('a process whose log nobody reads any more ends all the same', async () => {
  const pipe = join(await temporaryDirectory('log'), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, 'w');
  const program = `
    import { createLogger } from './packages/kernel/src/telemetry/index.ts';
    const logger = createLogger({ LOG_LEVEL: 'info' }, 'test');
    process.stdin.once('data', () => {
      logger.info('stopped');
      process.exit(0);
    });
    process.stderr.write('waits');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: fileURLToPath(new URL('../../../../', import.meta.url)),
    stdio: ['pipe', writer, 'pipe'],
  });
  const exited = once(child, 'exit');
  try {
    closeSync(writer);
    if (child.stderr !== null) await once(child.stderr, 'data');
    closeSync(reader);
    // The exit flushes the line into a pipe without a reader.
    child.stdin?.write('stop');
    expect(await exited).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
