import { jobCatalog } from '../../packages/contract/src/index.ts';
import { code, generatedNote, table } from './markdown.ts';

/** Generates `docs/jobs.md` from the job catalog. */
export function jobsPage(): string {
  const rows = Object.entries(jobCatalog).map(([name, job]) => [
    code(name),
    code(job.queue),
    job.summary,
    concurrencyOf(job.group),
    job.coalesces.startsWith('until-') ? 'share one job' : 'get a job each',
    String(job.limits.attempts),
  ]);
  return `# Jobs

${generatedNote}

For operators: the jobs of each queue, and their limits. A worker process takes jobs of the queues in \`WORKER_QUEUES\`.

${table(['Job', 'Queue', 'What it does', 'Concurrency', 'Equal requests at the same time', 'Attempts'], rows)}

If a worker dies, another worker runs its jobs again. A job fails when it has used its attempts. The loss of a worker counts as an
attempt of a job in two cases:

- The worker ran no other job.
- The job has been on a lost worker before. Such a job runs alone in its worker process.

A worker that stops returns its jobs without an attempt. [Operations](operations.md#cancel-and-retry-jobs) says how to cancel and
retry jobs.
`;
}

function concurrencyOf(group: (typeof jobCatalog)[keyof typeof jobCatalog]['group']): string {
  if (group === 'scope') return 'one at a time for each Scope';
  return group === 'target' ? 'one at a time for each target' : 'any number at a time';
}
