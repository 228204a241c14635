-- Scheduled incubation of Experiences: how far a Scope is read, when it is due, and its retry state (spec 40 §2.3).
ALTER TABLE source_sequences
  ADD COLUMN incubation_cursor bigint NOT NULL DEFAULT 0,
  ADD COLUMN incubation_due_at timestamptz(3),
  -- Null: the usual limit of a window.
  ADD COLUMN incubation_window integer,
  ADD COLUMN incubation_invalid integer NOT NULL DEFAULT 0;

CREATE INDEX source_sequences_incubation_due ON source_sequences (incubation_due_at) WHERE incubation_due_at IS NOT NULL;
CREATE INDEX sources_task_outcomes ON sources (tenant_id, scope_key, position) WHERE record = 'task-outcome';

UPDATE source_sequences q SET incubation_due_at = now()
WHERE EXISTS (
  SELECT FROM sources s WHERE s.tenant_id = q.tenant_id AND s.scope_key = q.scope_key AND s.record = 'task-outcome');
