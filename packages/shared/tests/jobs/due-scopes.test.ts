import type { TenantId } from '@continuity/kernel/database';
import {
  type DueScope,
  DueScopeScheduler,
  dueBatch,
  lostAfterMs,
  type NewJob,
} from '@continuity/shared/jobs';
import { afterEach, expect, test, vi } from 'vitest';
import { activateProfile } from '../../src/memory/embedding/profile.ts';
import { scheduleEmbeddings } from '../../src/memory/embedding/worker.ts';
import { flushJob } from '../../src/memory/flush/schedule.ts';
import { openOwnDatabase } from '../support/database.ts';
import { testProfile } from '../support/embed.ts';
import { rememberFact } from '../support/memory.ts';

const { database, tenantId } = await openOwnDatabase('due-scopes', 2);

afterEach(() => {
  vi.useRealTimers();
});

/** A scheduler that writes jobs, except for those of the Scopes in `refused`. */
function startScheduler() {
  const queued: (string | null | undefined)[] = [];
  const refused = new Set<string>();
  const scheduler = new DueScopeScheduler(async ({ scopeId }: NewJob) => {
    if (refused.has(scopeId ?? '')) throw new Error('The database is gone.');
    queued.push(scopeId);
    return true;
  }, database.epochs);
  const queueJobs = (...scopeIds: string[]) =>
    scheduler.queueJobs(
      async () => scopeIds.map((scope_id) => ({ tenant_id: 1 as TenantId, scope_id })),
      ({ tenant_id, scope_id }) => flushJob(tenant_id, scope_id),
    );
  return { scheduler, queued, refused, queueJobs };
}

test('a Scope whose embedding job cannot be written gets its job at the next check', async () => {
  const { scheduler, queued, refused } = startScheduler();
  await rememberFact(database, { tenantId, scopeId: 'due' }, 'The port is 8,000.');
  const profileKey = await activateProfile(database.sql, testProfile);
  const schedule = () => scheduleEmbeddings(database.sql, { profileKey, isEndpointDown: false }, scheduler);
  refused.add('due');
  await expect(schedule()).rejects.toThrow('The database is gone.');
  refused.clear();
  await schedule();
  expect(queued).toEqual(['due']);
  await schedule();
  expect(queued).toEqual(['due']);
});

test('Scopes that were taken with a failed one are queued at the next check, even if none can be taken meanwhile', async () => {
  const { scheduler, queued, refused, queueJobs } = startScheduler();
  refused.add('b');
  await expect(queueJobs('a', 'b', 'c')).rejects.toThrow('The database is gone.');
  expect(queued).toEqual(['a']);
  const failing = () => Promise.reject(new Error('The database is still gone.'));
  await expect(scheduler.queueJobs(failing, () => expect.unreachable())).rejects.toThrow('still gone');
  refused.clear();
  await queueJobs('d');
  expect(queued).toEqual(['a', 'c', 'b', 'd']);
});

test('a Scope whose job can never be written does not hold up the others, and is forgotten when it is due again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { queued, refused, queueJobs } = startScheduler();
  refused.add('broken');
  await expect(queueJobs('broken', 'a', 'b')).rejects.toThrow('The database is gone.');
  expect(queued).toEqual([]);
  await expect(queueJobs('c')).rejects.toThrow('The database is gone.');
  expect(queued).toEqual(['a', 'b']);
  await expect(queueJobs()).rejects.toThrow('The database is gone.');
  expect(queued).toEqual(['a', 'b', 'c']);
  vi.advanceTimersByTime(lostAfterMs);
  await queueJobs('d');
  expect(queued).toEqual(['a', 'b', 'c', 'd']);
});

test('a scheduler that cannot write jobs leaves further due Scopes to other workers', async () => {
  const { refused, scheduler, queueJobs } = startScheduler();
  const many = Array.from({ length: dueBatch }, (_, index) => `many-${index}`);
  refused.add('many-0');
  await expect(queueJobs(...many)).rejects.toThrow('The database is gone.');
  for (const scopeId of many) refused.add(scopeId);
  const taken = vi.fn(async () => []);
  const jobOf = ({ tenant_id, scope_id }: DueScope) => flushJob(tenant_id, scope_id);
  await expect(scheduler.queueJobs(taken, jobOf)).rejects.toThrow('The database is gone.');
  expect(taken).not.toHaveBeenCalled();
  refused.clear();
  await scheduler.queueJobs(taken, jobOf);
  await scheduler.queueJobs(taken, jobOf);
  expect(taken).toHaveBeenCalledOnce();
});

test('Scopes that were taken before a failover are forgotten: the database may have lost them, and finds its own due again', async () => {
  const { queued, refused, queueJobs } = startScheduler();
  refused.add('lost');
  await expect(queueJobs('lost', 'other')).rejects.toThrow('The database is gone.');
  database.epochs.begin();
  refused.clear();
  await queueJobs('new');
  expect(queued).toEqual(['new']);
});
