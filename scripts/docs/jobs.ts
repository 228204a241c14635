import { jobCatalogue } from '../../packages/contract/src/index.ts';
import { code, generatedNote, table } from './markdown.ts';

/** `docs/jobs.md` from the job catalogue. */
export function jobsPage(): string {
  const rows = Object.entries(jobCatalogue).map(([name, job]) => [
    code(name),
    code(job.queue),
    job.summary,
    job.group === 'scope' ? 'one at a time for each Scope' : 'any number at a time',
    job.coalesces ? 'share one job' : 'get a job each',
    String(job.limits.attempts),
  ]);
  return `# Jobs

${generatedNote}

For operators: the work that runs behind queues. A worker process consumes the queues in \`WORKER_QUEUES\`; each queue scales
by itself.

${table(['Job', 'Queue', 'What it does', 'Concurrency', 'Equal requests at the same time', 'Attempts'], rows)}

A job fails after its last attempt. An attempt counts when its worker was lost, not when the worker was stopped.
`;
}
