import { operations } from '@continuity/contract/operations';
import type { TenantId } from '@continuity/kernel/database';
import { expect, onTestFinished, test } from 'vitest';
import { BodyReader } from '../../src/bodies/body-reader.ts';

test('a body that no thread reads in time is 503: the gateway is busy, and the body may be right', async () => {
  const reader = new BodyReader({ limitMs: 1 });
  onTestFinished(() => reader.close());
  const create = operations.find(({ id }) => id === 'create_source');
  if (create === undefined) throw new Error('There is no operation create_source.');
  const content = Array.from({ length: 100_000 }, (_, index) => ({ [`key-${index}`]: 1 }));
  const body = Buffer.from(JSON.stringify({ content }));
  const read = reader.read(1 as TenantId, create, { scope_id: 'scope' }, body);
  await expect(read).rejects.toMatchObject({ code: 'runtime_not_ready', status: 503 });
});
