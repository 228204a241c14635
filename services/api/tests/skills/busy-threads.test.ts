import type { TenantId } from '@continuity/kernel/database';
import { PackageThreads } from '@continuity/shared/skills';
import { expect, onTestFinished, test } from 'vitest';

test('a stored SKILL.md that no thread reads in time is 503', async () => {
  const threads = new PackageThreads({ limitMs: 1 });
  onTestFinished(() => threads.close());
  const metadata = Array.from({ length: 5_000 }, (_, index) => `  key-${index}: value`).join('\n');
  const skillFile = Buffer.from(`---\nname: slow\ndescription: Slow.\nmetadata:\n${metadata}\n---\nText.\n`);
  const read = threads.readFields(1 as TenantId, skillFile);
  await expect(read).rejects.toMatchObject({ code: 'runtime_not_ready', status: 503 });
});
