-- What counting recall (spec 20 P12) would otherwise look up in each preparation of context: the evidence Sources of an entry's
-- version or an Experience's revision, as JSON [position, tokens, position, tokens, ...]. It is worked out when the row is
-- written, since neither what a row cites nor a Source ever changes. Text, because drivers are slow to read arrays. Null where it
-- is not worked out: then a preparation looks it up, as it does for what was there before this migration.
ALTER TABLE memory_versions ADD COLUMN evidence text COLLATE "C";
ALTER TABLE artifact_revisions ADD COLUMN evidence text COLLATE "C";

-- Null for more than 100 references, which are not worth their bytes, and where a Source is not there, or not estimated, and may
-- be one day. What only records how an Artifact was written is no evidence.
CREATE FUNCTION known_evidence(tenant integer, scope bigint, refs jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    IF jsonb_array_length(refs) > 100 THEN
        RETURN NULL;
    END IF;
    RETURN (
        SELECT CASE WHEN count(*) FILTER (WHERE (s.is_lineage OR s.tokens IS NOT NULL) IS NOT TRUE) = 0
               THEN '[' || coalesce(
                   string_agg(DISTINCT s.position || ',' || s.tokens, ',') FILTER (WHERE NOT s.is_lineage), '') || ']'
               END
        FROM jsonb_array_elements(refs) AS ref
        LEFT JOIN LATERAL (
            SELECT position, tokens, record IS NOT DISTINCT FROM 'artifact-write' AS is_lineage FROM sources
            WHERE tenant_id = tenant AND scope_key + 0 = scope
              AND source_type = coalesce(ref ->> 'name', ref ->> 'source_type') AND source_id = ref ->> 'source_id'
            OFFSET 0
        ) AS s ON true
    );
END
$$;

-- By the tables themselves, so that no writer can forget it. All evidence is of the Scope of the Artifact.
CREATE FUNCTION keep_version_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.evidence := CASE WHEN NEW.artifact_refs IS NULL THEN (
        SELECT known_evidence(NEW.tenant_id, a.scope_key, NEW.source_refs) FROM artifacts a
        WHERE a.tenant_id = NEW.tenant_id AND a.artifact_key = NEW.artifact_key
    ) END;
    RETURN NEW;
END
$$;

-- What cites nothing needs no evidence, and its write pays nothing.
CREATE TRIGGER keep_version_evidence BEFORE INSERT OR UPDATE OF source_refs, artifact_refs ON memory_versions
    FOR EACH ROW WHEN (NEW.source_refs IS NOT NULL) EXECUTE FUNCTION keep_version_evidence();

CREATE FUNCTION keep_revision_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.evidence := CASE WHEN NEW.artifacts IS NULL THEN (
        SELECT known_evidence(NEW.tenant_id, a.scope_key, NEW.sources) FROM artifacts a
        WHERE a.tenant_id = NEW.tenant_id AND a.artifact_key = NEW.artifact_key AND a.family = 'experience'
    ) END;
    RETURN NEW;
END
$$;

-- Revisions of a Memory, which have no content here, are no items of a context.
CREATE TRIGGER keep_revision_evidence BEFORE INSERT OR UPDATE OF sources, artifacts ON artifact_revisions
    FOR EACH ROW WHEN (NEW.sources IS NOT NULL AND NEW.content IS NOT NULL) EXECUTE FUNCTION keep_revision_evidence();
