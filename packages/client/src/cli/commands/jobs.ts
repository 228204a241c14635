import type { Command } from 'commander';
import { type Context, withContext } from '../context.ts';

export function addJobCommands(program: Command): void {
  const jobs = program.command('jobs').description('follow work behind a queue');
  withContext(jobs.command('show').description('show a job').argument('<id>'), show);
  withContext(
    jobs.command('wait').description('wait for a job, and print its result').argument('<id>'),
    wait,
  );
}

async function show({ client, output }: Context, [job_id = '']: string[]) {
  output.json(await client.getJob({ job_id }));
}

async function wait({ client, output }: Context, [jobId = '']: string[]) {
  output.json(await client.waitForJob(jobId));
}
