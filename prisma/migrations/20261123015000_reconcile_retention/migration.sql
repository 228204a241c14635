-- The sweep deletes ended reconciles long before other ended jobs.
CREATE INDEX jobs_ended_reconciles ON jobs (finished_at) WHERE queue = 'remote-reconcile' AND status IN ('succeeded', 'cancelled');
