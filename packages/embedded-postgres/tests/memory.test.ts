import { expect, test } from 'vitest';
import { sharedBuffers } from '../src/memory.ts';

const GB = 2 ** 30;

test.each([
  ['a container of 256 MB', GB / 4, '128MB'],
  ['1 GB', GB, '128MB'],
  ['a laptop of 4 GB', 4 * GB, '512MB'],
  ['8 GB', 8 * GB, '1024MB'],
  ['a server of 512 GB', 512 * GB, '1024MB'],
])('of %s the server keeps as much data in memory as leaves room for all else', (_, memory, kept) => {
  expect(sharedBuffers(memory)).toBe(kept);
});
