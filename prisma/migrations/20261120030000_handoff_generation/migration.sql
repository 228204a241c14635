-- Position of the last boundary that a Handoff was drafted for (spec 30 §3.4): moved in the transaction of its job.
ALTER TABLE source_lines ADD COLUMN handoff_cursor bigint NOT NULL DEFAULT 0;
