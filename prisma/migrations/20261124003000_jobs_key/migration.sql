-- PostgreSQL chooses the newest of the indexes that cost the same, and all cost the same while the table is empty. A plan that was made
-- then looked a job up in jobs_list, which reads every job of the tenant. So the key is made last.
ALTER TABLE jobs DROP CONSTRAINT jobs_pkey, ADD PRIMARY KEY (tenant_id, job_id);
