import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { metricDefinitions } from '../../src/telemetry/metric-definitions.ts';

const guide = new URL('../../../../docs/observability.md', import.meta.url);

test.for(Object.values(metricDefinitions))('the guide for operators names $name', async ({ name, unit }) => {
  const suffix = { s: '_seconds', By: '_bytes' }[unit] ?? '';
  expect(await readFile(guide, 'utf8')).toContain(`\`${name.replaceAll('.', '_')}${suffix}`);
});
