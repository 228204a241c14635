-- Key of the work of a job (spec 40 §2.1): requests of one key are the same work, whatever else their bodies say.
ALTER TABLE jobs ADD COLUMN work_key bytea;

-- One unfinished job for each key.
CREATE UNIQUE INDEX jobs_work_key ON jobs (tenant_id, work_key)
  WHERE work_key IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX jobs_work_key_undelivered ON jobs (tenant_id, work_key, job_id)
  WHERE work_key IS NOT NULL AND delivered_at IS NULL;
