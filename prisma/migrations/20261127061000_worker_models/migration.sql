-- What a worker says of its models, with each heartbeat: the extractor of its last Source, and why an answer was refused. Null: a worker
-- of an older release.
ALTER TABLE workers ADD COLUMN models jsonb;
