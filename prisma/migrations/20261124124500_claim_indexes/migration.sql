-- While few jobs are queued, all indexes of queued jobs cost the same, and a plan that was made then read every queued job of its queue in
-- jobs_queued at each claim. IS FALSE binds an index to the statements that say it, which match no other index of queued jobs.
DROP INDEX jobs_turns, jobs_group;
CREATE INDEX jobs_turns ON jobs (queue, coalesce(host_id, ''), background, tenant_id, job_id) WHERE (status <> 'queued') IS FALSE;
CREATE INDEX jobs_group ON jobs (tenant_id, queue, job_group, background, job_id) WHERE (status <> 'queued') IS FALSE;
