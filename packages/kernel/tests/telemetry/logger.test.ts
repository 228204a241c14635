import { runProcess } from '@continuity/testing';
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
