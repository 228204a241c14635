-- Capture times never decrease along the positions of a Scope, so that one index look-up finds the last position before a time.
ALTER TABLE source_sequences ADD COLUMN last_captured_at timestamptz(3);
UPDATE sources SET created_at = ordered.captured_at
FROM (
    SELECT tenant_id, scope_key, position,
           max(created_at) OVER (PARTITION BY tenant_id, scope_key ORDER BY position) AS captured_at
    FROM sources
) AS ordered
WHERE (sources.tenant_id, sources.scope_key, sources.position) = (ordered.tenant_id, ordered.scope_key, ordered.position)
  AND sources.created_at <> ordered.captured_at;
UPDATE source_sequences q SET last_captured_at = s.created_at
FROM sources s WHERE (s.tenant_id, s.scope_key, s.position) = (q.tenant_id, q.scope_key, q.last_position);
-- The predicate keeps the index away from queries that do not order by time: only those that say `position > 0` can use it.
CREATE INDEX sources_captured ON sources (tenant_id, scope_key, created_at, position) WHERE position > 0;

-- Counts of the work records of a Scope. A count of a kind is of its valid records.
ALTER TABLE source_sequences
    ADD COLUMN work_contracts integer NOT NULL DEFAULT 0,
    ADD COLUMN work_boundaries integer NOT NULL DEFAULT 0,
    ADD COLUMN work_receipts integer NOT NULL DEFAULT 0,
    ADD COLUMN work_outcomes integer NOT NULL DEFAULT 0,
    ADD COLUMN invalid_work_records integer NOT NULL DEFAULT 0;

-- Projection of each Source that claims to be a work record (spec 30 §2.7.1): whether it is valid, and what an event shows of it.
CREATE TABLE work_records (
    tenant_id         integer NOT NULL,
    scope_key         bigint NOT NULL,
    position          bigint NOT NULL,
    kind              text COLLATE "C" NOT NULL,
    source_id         text COLLATE "C" NOT NULL,
    -- Null for an invalid record, which has none of the following either.
    status            text COLLATE "C",
    summary           text,
    actor             text,
    -- Revision of the Scope's Handoff that a receipt names.
    selected_revision integer,
    -- The receipt that an outcome names: type and id of its Source.
    receipt_name      text COLLATE "C",
    receipt_id        text COLLATE "C",
    receiver_checks   jsonb,
    -- The counts of source_sequences, up to and including this record.
    work_contracts       integer NOT NULL,
    work_boundaries      integer NOT NULL,
    work_receipts        integer NOT NULL,
    work_outcomes        integer NOT NULL,
    invalid_work_records integer NOT NULL,
    PRIMARY KEY (tenant_id, scope_key, position),
    FOREIGN KEY (tenant_id, scope_key, position) REFERENCES sources (tenant_id, scope_key, position)
);
CREATE INDEX work_records_valid ON work_records (tenant_id, scope_key, position) WHERE status IS NOT NULL;
CREATE INDEX work_records_receipts ON work_records (tenant_id, scope_key, selected_revision, position)
    WHERE selected_revision IS NOT NULL;
CREATE INDEX work_records_outcomes ON work_records (tenant_id, scope_key, receipt_id, position) WHERE receipt_id IS NOT NULL;

-- Scopes whose records are not projected yet. `migrate` projects them, because only the service can decide which are valid.
CREATE TABLE work_record_backfills (
    tenant_id integer NOT NULL,
    scope_key bigint NOT NULL,
    PRIMARY KEY (tenant_id, scope_key),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
);
INSERT INTO work_record_backfills (tenant_id, scope_key)
SELECT DISTINCT tenant_id, scope_key FROM sources
WHERE source_type = 'content'
  AND metadata::jsonb ->> 'kind' IN ('work-contract', 'handoff-boundary', 'handoff-receipt', 'task-outcome');

-- What a report shows of each revision of a Handoff, so that it reads no older content.
CREATE TABLE handoff_summaries (
    tenant_id           integer NOT NULL,
    artifact_key        bigint NOT NULL,
    revision            integer NOT NULL,
    disposition         text COLLATE "C" NOT NULL,
    objective_excerpt   text NOT NULL,
    next_action_excerpt text,
    state_count         integer NOT NULL,
    omission_count      integer NOT NULL,
    -- Bytes of the content in canonical JSON.
    content_bytes       integer NOT NULL,
    -- Never decreases along the revisions.
    committed_at        timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, artifact_key, revision),
    FOREIGN KEY (tenant_id, artifact_key, revision) REFERENCES artifact_revisions (tenant_id, artifact_key, revision)
);
-- As for sources_captured: only queries that say `revision > 0` can use it.
CREATE INDEX handoff_summaries_committed ON handoff_summaries (tenant_id, artifact_key, committed_at, revision)
    WHERE revision > 0;

-- An excerpt has each run of white space as one space, and ends with an ellipsis after 239 of more than 240 characters.
INSERT INTO handoff_summaries
SELECT tenant_id, artifact_key, revision, disposition,
       CASE WHEN char_length(objective) > 240 THEN left(objective, 239) || '…' ELSE objective END,
       CASE WHEN char_length(next_action) > 240 THEN left(next_action, 239) || '…' ELSE next_action END,
       state_count, omission_count, content_bytes, committed_at
FROM (
    SELECT r.tenant_id, r.artifact_key, r.revision, c.content ->> 'disposition' AS disposition,
           btrim(regexp_replace(c.content ->> 'objective', white.space, ' ', 'g'), ' ') AS objective,
           btrim(regexp_replace(c.content #>> '{next_action,text}', white.space, ' ', 'g'), ' ') AS next_action,
           jsonb_array_length(c.content -> 'state') AS state_count,
           jsonb_array_length(c.content -> 'omissions') AS omission_count,
           octet_length(r.content) AS content_bytes,
           max(r.created_at) OVER (PARTITION BY r.tenant_id, r.artifact_key ORDER BY r.revision) AS committed_at
    FROM artifacts a
    JOIN artifact_revisions r USING (tenant_id, artifact_key)
    CROSS JOIN LATERAL (SELECT r.content::jsonb AS content) AS c
    CROSS JOIN (
        VALUES ('[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+')
    ) AS white(space)
    WHERE a.family = 'handoff' AND r.content IS NOT NULL
) AS handoffs;
