import { jobAccepted, jobOperations, jobView } from '@continuity/contract/jobs';
import { serviceError } from '@continuity/kernel/errors';
import { newId } from '@continuity/kernel/text';
import { readJob } from '@continuity/shared/jobs';
import { waitUntil } from '@continuity/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  adaptStatements,
  beginLong,
  type Deployment,
  echo,
  endWithEffect,
  gate,
  lockWaits,
  openDeployment,
} from './deployment.ts';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await openDeployment();
});
afterEach(() => deployment.close());

/** Starts a worker whose jobs wait until the gate opens. */
async function startHeldWorker(): Promise<ReturnType<typeof gate>> {
  const hold = gate();
  const run = echo(deployment.database);
  await deployment.worker(async (job, context) => {
    await hold.opened;
    await run(job, context);
  });
  return hold;
}

const running = async () => (await deployment.jobRows()).some(({ status }) => status === 'running');
const ended = async () => (await deployment.jobRows()).every(({ finished_at }) => finished_at !== null);

describe('a request that reaches its time limit', () => {
  it('gets job_timeout; one equal request receives the result, and the next one starts a new job', async () => {
    const hold = await startHeldWorker();
    const impatient = await deployment.gateway({ waitMs: 300 });

    const timeout = await impatient
      .submit(deployment.job({ request: { a: 1, b: 2 } }))
      .catch((error) => error);
    const [row] = await deployment.jobRows();
    expect(timeout).toMatchObject({ code: 'job_timeout', details: { job_id: row?.['job_id'] } });
    hold.open();
    await waitUntil(ended);
    const gateway = await deployment.gateway();

    await gateway.submit(deployment.job({ request: { b: 2, a: 1 } }));
    expect(await deployment.jobRows()).toHaveLength(1);
    await gateway.submit(deployment.job({ request: { a: 1, b: 2 } }));
    expect(await deployment.jobRows()).toHaveLength(2);
  });

  it('names `get_job` if its job never coalesces (spec 40 §7, hosts rule 7)', async () => {
    const hold = await startHeldWorker();
    const impatient = await deployment.gateway({ waitMs: 300 });
    const job = () => deployment.job({ coalesces: 'never' });

    const timeout = await impatient.submit(job()).catch((error) => error);
    expect(timeout).toMatchObject({ code: 'job_timeout', message: expect.stringContaining('`get_job`') });
    expect(timeout.message).not.toContain('Send the same request again');
    hold.open();
    await waitUntil(ended);
    const gateway = await deployment.gateway();

    await gateway.submit(job());
    expect(await deployment.jobRows()).toHaveLength(2);
    const { sql } = deployment.database;
    expect((await readJob(sql, deployment.tenants[0], timeout.details.job_id)).result).toBeTypeOf('string');
  });

  it('shares its running job with exactly one equal request', async () => {
    const hold = await startHeldWorker();
    const impatient = await deployment.gateway({ waitMs: 200 });
    await expect(impatient.submit(deployment.job())).rejects.toMatchObject({ code: 'job_timeout' });
    const gateway = await deployment.gateway();

    const both = Promise.all([gateway.submit(deployment.job()), gateway.submit(deployment.job())]);
    await waitUntil(async () => (await deployment.jobRows()).length === 2);
    hold.open();
    await both;

    expect(await deployment.jobRows()).toHaveLength(2);
    expect(await deployment.effects()).toHaveLength(2);
  });

  it('gets job_timeout also if another request takes over the job before this process reads it', async () => {
    const hold = await startHeldWorker();
    const gateway = await deployment.gateway({ waitMs: 700 });
    const ask = (group: string) => gateway.submit(deployment.job({ group })).catch((error) => error);
    // The end of the first wait stays in its row: what would clear it waits behind the lock.
    const awaitedUntil = async (group: string) =>
      Number((await deployment.jobRows()).find((row) => row['job_group'] === group)?.['awaited_until'] ?? 0);
    const outside = await deployment.database.pool.connect();

    const busy = ask('busy');
    await waitUntil(running);
    await outside.query(beginLong);
    // What the gateway writes when the first time is used up waits here, and holds up what comes after it.
    await outside.query("SELECT FROM jobs WHERE job_group = 'busy' FOR UPDATE");
    const first = ask('shared');
    await waitUntil(async () => (await deployment.jobRows()).length === 2);
    const firstUntil = await awaitedUntil('shared');
    await waitUntil(async () => (await awaitedUntil('shared')) < Date.now());
    const second = ask('shared');
    await waitUntil(async () => (await awaitedUntil('shared')) > firstUntil);
    await outside.query('COMMIT');
    outside.release();

    for (const answer of [busy, first, second]) expect(await answer).toMatchObject({ code: 'job_timeout' });
    hold.open();
    expect(await deployment.jobRows()).toHaveLength(2);
  });

  it('shares its job also if the equal request arrives while the result is committed', async () => {
    const hold = gate();
    await deployment.worker(async (job) => {
      await hold.opened;
      await endWithEffect(deployment.database, job, 'done');
    });
    const impatient = await deployment.gateway({ waitMs: 200 });
    await expect(impatient.submit(deployment.job())).rejects.toMatchObject({ code: 'job_timeout' });
    const gateway = await deployment.gateway();

    const outside = await deployment.database.pool.connect();
    await outside.query(beginLong);
    await outside.query('SELECT FROM jobs FOR UPDATE');
    hold.open();
    await waitUntil(async () => (await lockWaits(deployment.database)) === 1);
    const answer = gateway.submit(deployment.job());
    await waitUntil(async () => (await lockWaits(deployment.database)) === 2);
    await outside.query('COMMIT');
    outside.release();

    expect(await answer).toBe('done');
    expect(await deployment.jobRows()).toHaveLength(1);
  });

  it('leaves no result to another tenant, to a later hour, or to another body', async () => {
    const hold = await startHeldWorker();
    const impatient = await deployment.gateway({ waitMs: 200 });
    await expect(impatient.submit(deployment.job())).rejects.toMatchObject({ code: 'job_timeout' });
    hold.open();
    await waitUntil(ended);
    const gateway = await deployment.gateway();

    await gateway.submit(deployment.job({ tenantId: deployment.tenants[1] }));
    await gateway.submit(deployment.job({ request: { scope_id: 'scope', more: true } }));
    await deployment.database.pool.query("UPDATE jobs SET created_at = created_at - interval '61 minutes'");
    expect(await gateway.takeUndelivered(deployment.job())).toBeUndefined();
    await gateway.submit(deployment.job());

    expect(await deployment.effects()).toHaveLength(4);
  });
});

describe('a caller that has disconnected', () => {
  it('ends its wait, not its job, and leaves the result to an equal request', async () => {
    const hold = gate();
    await deployment.worker(async (job) => {
      await hold.opened;
      await endWithEffect(deployment.database, job, 'kept');
    });
    const gateway = await deployment.gateway();
    const caller = new AbortController();

    const gone = gateway.submit(deployment.job(), caller.signal);
    await waitUntil(running);
    caller.abort();
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
    hold.open();
    await waitUntil(ended);

    expect(await gateway.submit(deployment.job())).toBe('kept');
    expect(await deployment.effects()).toHaveLength(1);
  });

  it('delays no other answer while a frozen process has locked the row of its job', async () => {
    const hold = gate();
    const run = echo(deployment.database);
    await deployment.worker(async (job, context) => {
      if (job.group === 'locked') await hold.opened;
      await run(job, context);
    });
    const gateway = await deployment.gateway();
    const caller = new AbortController();
    const gone = gateway.submit(deployment.job({ group: 'locked' }), caller.signal);
    await waitUntil(running);
    const client = await deployment.database.pool.connect();
    await client.query(beginLong);
    await client.query('SELECT FROM jobs FOR UPDATE');
    caller.abort();
    await expect(gone).rejects.toBe(caller.signal.reason);
    const answer = gateway.submit(deployment.job({ group: 'other' }));
    const isBlocked = waitUntil(async () => (await lockWaits(deployment.database)) > 0).then(() => 'blocked');
    isBlocked.catch(() => undefined);
    const first = await Promise.race([answer, isBlocked]);
    await client.query('ROLLBACK');
    client.release();
    hold.open();
    await waitUntil(ended);
    expect(first).toMatchObject({ attempt: 1 });
  });

  it('leaves the result also if it disconnects during the delivery', async () => {
    const hold = gate();
    await deployment.worker(() => hold.opened);
    const gateway = await deployment.gateway();
    const caller = new AbortController();
    const gone = gateway.submit(deployment.job(), caller.signal);
    await waitUntil(running);

    // One transaction ends the job, and the next one in line keeps the delivery waiting.
    const [ending, keeping] = [
      await deployment.database.pool.connect(),
      await deployment.database.pool.connect(),
    ];
    await ending.query(beginLong);
    await ending.query(`UPDATE jobs SET status = 'succeeded', result = '"kept"', finished_at = now()`);
    await keeping.query(beginLong);
    const kept = keeping.query('SELECT FROM jobs FOR UPDATE');
    await waitUntil(async () => (await lockWaits(deployment.database)) === 1);
    await ending.query('COMMIT');
    await kept;
    await waitUntil(async () => (await lockWaits(deployment.database)) === 1);
    caller.abort();
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
    await keeping.query('COMMIT');
    ending.release();
    keeping.release();
    await waitUntil(async () => (await deployment.jobRows())[0]?.['awaited_until'] === null);
    hold.open();

    expect(await gateway.submit(deployment.job())).toBe('kept');
    expect(await deployment.jobRows()).toHaveLength(1);
  });
});

describe('callers that disconnect one after the other', () => {
  it('leave their jobs to equal requests', async () => {
    const hold = gate();
    await deployment.worker(() => hold.opened);
    const held = { jobs_deliver: gate(), jobs_release: gate() };
    const asked = { jobs_deliver: gate(), jobs_release: gate() };
    const gateway = await deployment.gateway({
      adapt: (database) =>
        adaptStatements(database, async (name, ask) => {
          if (name !== 'jobs_deliver' && name !== 'jobs_release') return await ask();
          asked[name].open();
          await held[name].opened;
          return await ask();
        }),
    });
    const jobs = ['one', 'two'].map((group) => deployment.job({ group }));
    const callers = jobs.map(() => new AbortController());
    const gone = jobs.map((job, index) =>
      gateway.submit(job, callers[index]?.signal).catch(({ name }) => name),
    );
    const areAwaited = async (count: number) =>
      (await deployment.jobRows()).filter((row) => row['awaited_until'] !== null).length === count;
    await waitUntil(() => areAwaited(2));
    // The poll fetches both jobs. One caller leaves during the fetch, the other during the release of the first.
    await asked.jobs_deliver.opened;
    callers[0]?.abort();
    held.jobs_deliver.open();
    await asked.jobs_release.opened;
    callers[1]?.abort();
    held.jobs_release.open();
    expect(await Promise.all(gone)).toEqual(['AbortError', 'AbortError']);
    await waitUntil(() => areAwaited(0));
    hold.open();
  });
});

describe('a request that was answered', () => {
  it('leaves no result to an equal request', async () => {
    await deployment.worker();
    const gateway = await deployment.gateway();
    await gateway.submit(deployment.job());
    await deployment.database.pool.query("UPDATE jobs SET awaited_until = now() - interval '1 s'");
    await gateway.submit(deployment.job());
    expect(await deployment.effects()).toHaveLength(2);
  });
});

describe('a request that does not wait', () => {
  it('gets the id immediately and the result by the id, which counts as delivery', async () => {
    const hold = gate();
    await deployment.worker(async (job, { progress }) => {
      await progress(0.5);
      await hold.opened;
      await endWithEffect(deployment.database, job, { flushed: true });
    });
    const gateway = await deployment.gateway();

    const accepted = await gateway.submitAsync(deployment.job());
    expect(accepted).toEqual({
      job_id: expect.any(String),
      status: 'queued',
      status_url: `/v1/jobs/${accepted.job_id}`,
    });
    const view = async () => {
      const { sql } = deployment.database;
      const { summary, result } = await readJob(sql, deployment.tenants[0], accepted.job_id);
      return { ...summary, result: JSON.parse(result ?? 'null') };
    };
    await waitUntil(async () => (await view()).progress === 0.5);
    expect(await view()).toMatchObject({ status: 'running', result: null, error: null, finished_at: null });
    hold.open();
    await waitUntil(ended);

    expect(await view()).toEqual({
      job_id: accepted.job_id,
      queue: 'memory-flush',
      operation: 'flush_memory',
      scope_id: 'scope',
      status: 'succeeded',
      progress: 1,
      result: { flushed: true },
      error: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      started_at: expect.any(String),
      finished_at: expect.any(String),
    });
    expect(jobAccepted.parse(accepted)).toEqual(accepted);
    expect(jobView.parse(await view())).toEqual(await view());
    await gateway.submit(deployment.job());
    expect(await deployment.effects()).toHaveLength(2);
  });
});

describe('the contract', () => {
  it('has examples that match the real answers', () => {
    for (const { response } of jobOperations.get_job.examples)
      expect(jobView.parse(response)).toEqual(response);
  });
});

describe('a job', () => {
  it('is unknown to other tenants and by a malformed id', async () => {
    await deployment.worker();
    const gateway = await deployment.gateway();
    const { job_id: jobId } = await gateway.submitAsync(deployment.job());
    const [owner, other] = deployment.tenants;
    const { sql } = deployment.database;

    expect((await readJob(sql, owner, jobId)).summary).toMatchObject({ job_id: jobId });
    const strangers = [readJob(sql, other, jobId), readJob(sql, owner, newId()), readJob(sql, owner, 'x')];
    const refused = await Promise.all(strangers.map((one) => one.catch((error) => error)));
    expect(refused.map(({ code }) => code)).toEqual(Array(3).fill('job_not_found'));
    expect(new Set(refused.map(({ message }) => message)).size).toBe(1);
  });

  it('that fails returns its error without the details of the log', async () => {
    await deployment.worker(async (job) => {
      if (job.request === 'known') {
        throw serviceError('inference_unavailable', { message: 'No model.', details: { reason: 'refused' } });
      }
      if (job.request === 'unknown') throw new Error('SELECT secret FROM tokens');
    });
    const gateway = await deployment.gateway();
    const errorOf = (request: string) => gateway.submit(deployment.job({ request })).catch((error) => error);

    expect(await errorOf('known')).toMatchObject({
      code: 'inference_unavailable',
      message: 'No model.',
      details: { reason: 'refused' },
    });
    expect((await errorOf('unknown')).toEnvelope().error).toEqual({
      code: 'internal_error',
      message: 'The service failed. Report it with the X-Service-Request-ID of the request.',
      details: {},
    });
    expect(await errorOf('a handler that forgets its job')).toMatchObject({ code: 'internal_error' });
    await waitUntil(() => deployment.events.filter(({ event }) => event === 'failed').length === 3);
  });
});
