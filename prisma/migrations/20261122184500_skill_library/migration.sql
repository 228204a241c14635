-- The library lists Skills by name and id from an index: all of a state that it shows, without the retired ones.
ALTER TABLE managed_skills ADD COLUMN artifact_id text COLLATE "C";
UPDATE managed_skills m SET artifact_id = a.artifact_id
FROM artifacts a WHERE a.tenant_id = m.tenant_id AND a.artifact_key = m.artifact_key;
ALTER TABLE managed_skills ALTER COLUMN artifact_id SET NOT NULL;

DROP INDEX managed_skills_by_name;
CREATE INDEX managed_skills_listed ON managed_skills (tenant_id, scope_key, name, artifact_id) WHERE lifecycle_state <> 'retired';
CREATE INDEX managed_skills_active ON managed_skills (tenant_id, scope_key, name, artifact_id) WHERE lifecycle_state = 'active';
