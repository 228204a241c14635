import { createLogger } from '@continuity/kernel/telemetry';
import { newId } from '@continuity/kernel/text';
import { type ClaimedJob, DueScopeScheduler, type NewJob } from '@continuity/shared/jobs';
import { expect, test } from 'vitest';
import { activateProfile } from '../../../src/memory/embedding/profile.ts';
import { runEmbed } from '../../../src/memory/embedding/run.ts';
import { scheduleEmbeddings } from '../../../src/memory/embedding/worker.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { testProfile, vectorOf } from '../../support/embed.ts';
import { rememberFact } from '../../support/memory.ts';

const { database, tenantId } = await openOwnDatabase('switch-profile', 4);
const scopeId = 'busy';

async function addRunningJob(): Promise<ClaimedJob> {
  const jobId = newId();
  await database.pool.query(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, attempt)
     VALUES ($1, $2, 'memory-embed', 'embed_memory', 'busy', '{}', 'running', 1)`,
    [tenantId, jobId],
  );
  return { tenantId, jobId, scopeId, attempt: 1 } as ClaimedJob;
}

/** The jobs that a worker with this profile schedules in one round. */
async function scheduled(profileKey: number): Promise<NewJob[]> {
  const jobs: NewJob[] = [];
  const scheduler = new DueScopeScheduler(async (job) => {
    jobs.push(job);
    return true;
  }, database.epochs);
  await scheduleEmbeddings(database.sql, { profileKey, isEndpointDown: false }, scheduler);
  return jobs;
}

test('a Scope that is embedded while another profile is activated is embedded again with that profile', async () => {
  await rememberFact(database, { tenantId, scopeId }, 'The port is 8,000.');
  const oldKey = await activateProfile(database.sql, { ...testProfile, profileId: 'old' });
  expect(await scheduled(oldKey)).toHaveLength(1);
  let newKey = 0;
  const embedder = {
    profile: { ...testProfile, profileId: 'old' },
    async embed(texts: string[]) {
      // A worker of a new release starts, and marks all Scopes.
      newKey = await activateProfile(database.sql, { ...testProfile, profileId: 'new' });
      await scheduled(newKey);
      return {
        vectors: texts.map(vectorOf),
        usage: { requests: 1 as const, input_tokens: 1, output_tokens: null },
      };
    },
  };
  await runEmbed(
    {
      database,
      logger: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
      embedder,
      batchSize: 64,
      onEndpoint: () => undefined,
      onStored: () => undefined,
    },
    oldKey,
    await addRunningJob(),
    { scope_id: scopeId, profile_key: oldKey },
    new AbortController().signal,
  );
  expect(await scheduled(newKey)).toMatchObject([{ request: { scope_id: scopeId, profile_key: newKey } }]);
});
