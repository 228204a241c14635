import { type Command, Option } from 'commander';
import { queueNames } from '../../generated/operations.ts';
import type { RequestOf, ResponseOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import { runServiceProgram, toArguments } from '../service-program.ts';

type Filters = Pick<RequestOf<'list_jobs'>, 'queue' | 'status'> & { limit?: string };
type Job = ResponseOf<'get_job'>;

export function addJobCommands(program: Command): void {
  const jobs = program.command('jobs').description('follow and steer work behind a queue');
  withContext<Filters>(
    jobs
      .command('list')
      .description('list jobs, newest first; --scope lists those of one Scope')
      .addOption(new Option('--queue <queue>', 'only jobs of this queue').choices(queueNames))
      .addOption(
        new Option('--status <status>', 'only jobs of this status').choices([
          'queued',
          'running',
          'succeeded',
          'failed',
          'cancelled',
        ]),
      )
      .option('--limit <number>', 'number of jobs', '50'),
    list,
  );
  withContext(jobs.command('show').description('show a job').argument('<id>'), show);
  withContext(
    jobs.command('wait').description('wait for a job, and print its result').argument('<id>'),
    wait,
  );
  withContext(jobs.command('cancel').description('cancel a job that has not ended').argument('<id>'), cancel);
  withContext(
    jobs.command('retry').description('queue a failed or cancelled job again').argument('<id>'),
    retry,
  );
  addReplayCommand(jobs);
}

async function list({ client, output, settings }: Context, _: string[], filters: Filters) {
  const { queue, status, limit = '50' } = filters;
  const { scope: scope_id } = settings;
  const page = await client.listJobs({
    limit,
    ...(scope_id !== undefined && { scope_id }),
    ...(queue !== undefined && { queue }),
    ...(status !== undefined && { status }),
  });
  if (output.isJson) return output.json(page);
  if (page.items.length === 0) return output.note('No jobs.');
  output.table(
    ['STATUS', 'OPERATION', 'SCOPE', 'CREATED', 'ERROR', 'JOB'],
    page.items.map((job) => [
      statusOf(job),
      job.operation,
      job.scope_id ?? '',
      job.created_at,
      job.error?.code ?? '',
      job.job_id,
    ]),
  );
}

function statusOf({ status, progress }: Pick<Job, 'status' | 'progress'>): string {
  return status === 'running' && progress !== null ? `running ${Math.floor(progress * 100)} %` : status;
}

async function show({ client, output }: Context, [job_id = '']: string[]) {
  output.json(await client.getJob({ job_id }));
}

async function wait({ client, output }: Context, [jobId = '']: string[]) {
  output.json(await client.waitForJob(jobId));
}

async function cancel({ client, output }: Context, [job_id = '']: string[]) {
  const job: Job = await client.cancelJob({ job_id });
  if (output.isJson) output.json(job);
  else output.note(`Job ${job_id} is ${job.status}.`);
}

async function retry({ client, output }: Context, [job_id = '']: string[]) {
  const accepted = await client.retryJob({ job_id });
  if (output.isJson) output.json(accepted);
  else output.note(`Job ${job_id} is ${accepted.status}. Follow it: continuity jobs wait ${job_id}`);
}

/** Adds `jobs replay`. It works on the database and not through the API, so it runs a program of the service. */
export function addReplayCommand(jobs: Command): void {
  jobs
    .command('replay')
    .description('for operators: queue failed jobs of all tenants again, on the database of DATABASE_URL')
    .option('--queue <queue>', `the queue of the jobs, required: ${queueNames.join(', ')}`)
    .option('--code <code>', 'only jobs with this error code')
    .option('--older-than <age>', 'only jobs that failed so long ago, such as 30m, 12h or 7d')
    .option('--dry-run', 'only count them')
    .action((options: Record<string, string | boolean>) =>
      runServiceProgram('replay-jobs.ts', 'jobs replay', toArguments(options)),
    );
}
