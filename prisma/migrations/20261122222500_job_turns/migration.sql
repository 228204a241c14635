-- Queued jobs of a queue by tenant, so that tenants take turns.
CREATE INDEX jobs_turns ON jobs (queue, coalesce(host_id, ''), background, tenant_id, job_id) WHERE status = 'queued';
