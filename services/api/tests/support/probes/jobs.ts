import { get, type Probes, post } from './probe.ts';

/** Probes of the operations of jobs. */
export const jobProbes = {
  list_queues: () => [get('/v1/queues')],
  list_jobs: ({ scope_id }) => [get('/v1/jobs'), get(`/v1/jobs?scope_id=${scope_id}`)],
  get_job: ({ job_id }) => [get(`/v1/jobs/${job_id}`)],
  cancel_job: ({ job_id }) => [post(`/v1/jobs/${job_id}/cancel`)],
  retry_job: ({ job_id }) => [post(`/v1/jobs/${job_id}/retry`)],
} satisfies Partial<Probes>;
