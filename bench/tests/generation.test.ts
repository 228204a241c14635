import { createBuiltinExperienceGenerator } from '@continuity/shared/generation';
import { expect, test } from 'vitest';
import { bundles } from '../src/generation-set/bundles.ts';
import { measureGeneration } from '../src/quality/generation.ts';

test('the built-in generator decides right, stays with the evidence, and says nothing twice', async () => {
  const quality = await measureGeneration(createBuiltinExperienceGenerator(), bundles);
  expect(bundles).toHaveLength(20);
  expect(quality).toMatchObject({ decided: 1, grounded: 1, duplicates: 0 });
  expect(quality.complete).toBeGreaterThanOrEqual(0.9);
});
