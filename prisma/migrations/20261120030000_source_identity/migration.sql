-- The identity of a Source as an index of its own kind: what looks a Source up says `scope_key + 0`, and no other index
-- serves that. With the plain column the planner could take the primary key as well, wherever it believes that Scopes are
-- small, and would read all Sources of a large Scope for each one that it looks up.
ALTER TABLE sources DROP CONSTRAINT sources_identity;
CREATE UNIQUE INDEX sources_identity ON sources (tenant_id, (scope_key + 0), source_type, source_id);
