-- The boundaries of the Handoffs before `first_source_id`. It reads the content of each Handoff once.
UPDATE handoff_summaries s
SET first_source_id = cited.ref ->> 'source_id'
FROM artifact_revisions r
CROSS JOIN LATERAL (SELECT r.content::jsonb #> '{state,0,citations,0,source_ref}' AS ref) AS cited
WHERE (r.tenant_id, r.artifact_key, r.revision) = (s.tenant_id, s.artifact_key, s.revision)
  AND r.content IS NOT NULL AND cited.ref ->> 'name' = 'content';
CREATE INDEX handoff_summaries_first_source ON handoff_summaries (tenant_id, artifact_key, first_source_id, revision)
    WHERE first_source_id IS NOT NULL;
