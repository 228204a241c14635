-- Recall counting (spec 20 P12) follows the references of the recalled items in one statement, so no row stores its evidence.
DROP TRIGGER keep_version_evidence ON memory_versions;
DROP TRIGGER keep_revision_evidence ON artifact_revisions;
DROP FUNCTION keep_version_evidence();
DROP FUNCTION keep_revision_evidence();
DROP FUNCTION known_evidence(integer, bigint, jsonb);

ALTER TABLE memory_versions DROP COLUMN evidence;
ALTER TABLE artifact_revisions DROP COLUMN evidence;
