import { runProcess } from '@continuity/testing';
import { expect, test } from 'vitest';

test('an idle process returns the memory of a past load', async () => {
  await using hoarder = runProcess(['packages/kernel/tests/hoarder.ts']);
  const line = await hoarder.waitForLine('returned');
  expect(JSON.parse(line)).toMatchObject({ returnedMb: expect.any(Number) });
});
