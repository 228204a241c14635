import { DueScopes, lostAfterMs, type NewJob } from '@continuity/shared/jobs';
import type { TenantId } from '@continuity/shared/kernel';
import { afterEach, expect, test, vi } from 'vitest';
import { activateProfile } from '../../src/memory/embedding/profile.ts';
import { scheduleEmbeddings } from '../../src/memory/embedding/schedule.ts';
import { flushJob } from '../../src/memory/flush/schedule.ts';
import { openOwnDatabase } from '../support/database.ts';
import { testProfile } from '../support/embed.ts';
import { rememberFact } from '../support/memory.ts';

const { database, tenantId } = await openOwnDatabase('due-scopes', 2);

afterEach(() => {
  vi.useRealTimers();
});

/** Due Scopes whose jobs are written, except for those of the Scopes in `refused`. */
function dueScopes() {
  const queued: (string | null | undefined)[] = [];
  const refused = new Set<string>();
  const due = new DueScopes(async ({ scopeId }: NewJob) => {
    if (refused.has(scopeId ?? '')) throw new Error('The database is gone.');
    queued.push(scopeId);
    return true;
  });
  const queueJobs = (...scopeIds: string[]) =>
    due.queueJobs(
      async () => scopeIds.map((scope_id) => ({ tenant_id: 1 as TenantId, scope_id })),
      ({ tenant_id, scope_id }) => flushJob(tenant_id, scope_id),
    );
  return { due, queued, refused, queueJobs };
}

test('a Scope whose embedding job cannot be written is embedded after the next check', async () => {
  const { due, queued, refused } = dueScopes();
  await rememberFact(database, { tenantId, scopeId: 'due' }, 'The port is 8,000.');
  const profileKey = await activateProfile(database.sql, testProfile);
  const schedule = () => scheduleEmbeddings(database.sql, { profileKey, isEndpointDown: false }, due);
  refused.add('due');
  await expect(schedule()).rejects.toThrow('The database is gone.');
  refused.clear();
  await schedule();
  expect(queued).toEqual(['due']);
  await schedule();
  expect(queued).toEqual(['due']);
});

test('Scopes that were taken with a failed one are queued at the next check, also if nothing more can be taken', async () => {
  const { due, queued, refused, queueJobs } = dueScopes();
  refused.add('b');
  await expect(queueJobs('a', 'b', 'c')).rejects.toThrow('The database is gone.');
  expect(queued).toEqual(['a']);
  const failing = () => Promise.reject(new Error('The database is still gone.'));
  await expect(due.queueJobs(failing, () => expect.unreachable())).rejects.toThrow('still gone');
  refused.clear();
  await queueJobs('d');
  expect(queued).toEqual(['a', 'c', 'b', 'd']);
});

test('a Scope whose job can never be written does not hold up the others, and is forgotten when it is due again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { queued, refused, queueJobs } = dueScopes();
  refused.add('broken');
  await expect(queueJobs('broken', 'a', 'b')).rejects.toThrow();
  await expect(queueJobs('c')).rejects.toThrow();
  expect(queued).toEqual(['a', 'b']);
  await expect(queueJobs()).rejects.toThrow();
  expect(queued).toEqual(['a', 'b', 'c']);
  vi.advanceTimersByTime(lostAfterMs);
  await queueJobs('d');
  expect(queued).toEqual(['a', 'b', 'c', 'd']);
});
