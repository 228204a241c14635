-- The host whose workers alone run a job, and the host of a worker.
ALTER TABLE jobs ADD COLUMN host_id text COLLATE "C";
ALTER TABLE workers ADD COLUMN host_id text COLLATE "C";
