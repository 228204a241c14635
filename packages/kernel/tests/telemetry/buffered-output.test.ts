import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { BufferedOutput } from '../../src/telemetry/buffered-output.ts';

const folder = await mkdtemp(join(tmpdir(), 'continuity-output-'));

afterAll(() => rm(folder, { recursive: true }));

function openPipe(): { reader: number; writer: number } {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) };
}

/** What a pipe holds at the moment. */
function readAvailable(reader: number): string {
  const piece = Buffer.alloc(262_144);
  try {
    return piece.toString('utf8', 0, readSync(reader, piece));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
    throw error;
  }
}

test('a reader that was busy gets every line, also if no further line comes', async () => {
  const { reader, writer } = openPipe();
  const output = new BufferedOutput(writer);
  // More than a pipe holds.
  const lines = Array.from({ length: 4_000 }, (_, number) => `${String(number).padStart(99, '0')}\n`);
  for (const line of lines) output.write(line);
  let read = '';
  await waitUntil(async () => {
    read += readAvailable(reader);
    return read.length >= 400_000;
  });
  expect(read).toBe(lines.join(''));
  closeSync(reader);
  closeSync(writer);
});
