import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareCompact, recallOf } from '../support/context.ts';
import { conversations } from '../support/conversations.ts';
import { freshScope } from '../support/memory.ts';
import { startService, type TestService } from '../support/service.ts';
import { capture } from '../support/sources.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
});

afterAll(() => service.stop());

interface Recall {
  comparable: number;
  baseline: number;
  recalled: number;
}

/** Captures a talk, flushes it, and prepares a later question in the compact format. */
async function recall(content: string, later: string): Promise<Recall & { status: string }> {
  const scope_id = freshScope('talk');
  await capture(service, scope_id, 'talk', content);
  const { body } = await service.call('flush_memory', { body: { scope_id } });
  expect(body).toMatchObject({ status: 'processed' });
  const { status } = await prepareCompact(service, scope_id, later);
  const [counted] = (await recallOf(service.databaseUrl, scope_id)) as Recall[];
  if (counted === undefined) throw new Error('The preparation was not counted.');
  return { status, ...counted };
}

test.each(conversations)(
  'spec 25 Q12: a context of $name is shorter than the talk',
  async ({ turns, later }) => {
    const { status, comparable, baseline, recalled } = await recall(turns.join('\n\n'), later);
    expect({ status, comparable }).toEqual({ status: 'ready', comparable: 1 });
    expect(recalled).toBeGreaterThan(0);
    expect(recalled).toBeLessThan(baseline);
  },
);
