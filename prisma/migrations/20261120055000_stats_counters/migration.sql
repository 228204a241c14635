-- What statistics count without reading it (spec 20 T8).

-- Heads of Artifacts, by family. Kept by the table of heads itself, so that no writer of a family can forget it.
CREATE TABLE artifact_counts (
    tenant_id integer NOT NULL,
    scope_key bigint NOT NULL,
    family    text COLLATE "C" NOT NULL,
    heads     bigint NOT NULL,
    PRIMARY KEY (tenant_id, scope_key, family),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);

INSERT INTO artifact_counts (tenant_id, scope_key, family, heads)
SELECT tenant_id, scope_key, family, count(*) FROM artifacts GROUP BY tenant_id, scope_key, family;

CREATE FUNCTION count_artifacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO artifact_counts AS c (tenant_id, scope_key, family, heads)
    SELECT tenant_id, scope_key, family, count(*) FROM added
    GROUP BY tenant_id, scope_key, family ORDER BY tenant_id, scope_key, family
    ON CONFLICT (tenant_id, scope_key, family) DO UPDATE SET heads = c.heads + excluded.heads;
    RETURN NULL;
END
$$;

-- No Artifact is ever deleted, or moved to another Scope.
CREATE TRIGGER count_artifacts AFTER INSERT ON artifacts
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_artifacts();

-- With these the entries of a Scope are counted without adding up its kinds, of which there may be as many as entries.
ALTER TABLE memory_totals ADD COLUMN inactive_entries bigint NOT NULL DEFAULT 0;
UPDATE memory_totals t SET inactive_entries = k.inactive
FROM (
    SELECT tenant_id, scope_key, sum(inactive_entries) AS inactive FROM memory_kinds GROUP BY tenant_id, scope_key
) AS k
WHERE k.tenant_id = t.tenant_id AND k.scope_key = t.scope_key;

-- Kinds that no entry has any more are passed over. The index asks a column that hardly ever changes, so that counting does
-- not touch it (HOT).
ALTER TABLE memory_kinds
    ADD COLUMN is_used boolean GENERATED ALWAYS AS (active_entries + inactive_entries <> 0) STORED;
CREATE INDEX memory_kinds_used ON memory_kinds (tenant_id, scope_key, kind) WHERE is_used;
