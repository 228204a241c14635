-- When a Source was said, as the caller sent it: RFC 3339 with milliseconds and an offset (spec 70 §1.1). Null: not known.
ALTER TABLE sources ADD COLUMN occurred_at text;

-- The content Source that the first statement of a Handoff cites first. Of a Handoff of current work it is the boundary, so that a
-- repeated commit finds its revision (spec 70 §1.3).
ALTER TABLE handoff_summaries ADD COLUMN first_source_id text;
UPDATE handoff_summaries s
SET first_source_id = cited.ref ->> 'source_id'
FROM artifact_revisions r
CROSS JOIN LATERAL (SELECT r.content::jsonb #> '{state,0,citations,0,source_ref}' AS ref) AS cited
WHERE (r.tenant_id, r.artifact_key, r.revision) = (s.tenant_id, s.artifact_key, s.revision)
  AND r.content IS NOT NULL AND cited.ref ->> 'name' = 'content';
CREATE INDEX handoff_summaries_first_source ON handoff_summaries (tenant_id, artifact_key, first_source_id, revision)
    WHERE first_source_id IS NOT NULL;
