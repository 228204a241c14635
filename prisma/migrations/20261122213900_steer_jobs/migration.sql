-- Jobs that their tenant lists, cancels and retries (spec 00 §8).
ALTER TABLE jobs DROP CONSTRAINT jobs_status_check;
ALTER TABLE jobs ADD CONSTRAINT jobs_status_check
  CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled'));

-- Lost workers that count against the job, and whether it was running when a worker was lost that ran other jobs too.
ALTER TABLE jobs ADD COLUMN lost_workers integer NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN is_suspect boolean NOT NULL DEFAULT false;

-- Lists, newest first: a page reads one range for each queue and status.
CREATE INDEX jobs_list ON jobs (tenant_id, queue, status, created_at, job_id);
CREATE INDEX jobs_list_of_scope ON jobs (tenant_id, scope_id, queue, status, created_at, job_id) WHERE scope_id IS NOT NULL;

-- Failed jobs are kept longer than the others.
DROP INDEX jobs_finished;
CREATE INDEX jobs_ended ON jobs (finished_at) WHERE finished_at IS NOT NULL AND status <> 'failed';
CREATE INDEX jobs_failed ON jobs (finished_at) WHERE status = 'failed';
