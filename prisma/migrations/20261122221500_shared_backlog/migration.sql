-- The last reading of the unfinished work, which all gateways share for their metrics.
ALTER TABLE deployment
  ADD COLUMN backlog jsonb,
  ADD COLUMN backlog_at timestamptz(3);

-- The oldest queued job of a queue, and bounded counts.
CREATE INDEX jobs_queued ON jobs (queue, created_at) WHERE status = 'queued';
