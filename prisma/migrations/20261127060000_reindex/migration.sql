-- How many of the texts that entered a corpus have the terms of analyzer.v2. A release before it leaves the counter alone, so its texts
-- make the counter fall behind `entered`, and a worker analyzes the corpus again. A later analyzer gets a column of its own.
ALTER TABLE memory_totals ADD COLUMN analyzed_v2 bigint NOT NULL DEFAULT 0;
ALTER TABLE document_totals ADD COLUMN analyzed_v2 bigint NOT NULL DEFAULT 0;

-- Corpora that are being analyzed again. A row exists from the first batch to the last one.
CREATE TABLE reindexes (
    tenant_id     integer NOT NULL,
    scope_key     bigint NOT NULL,
    -- 'memory', or the Family of the documents.
    corpus        text COLLATE "C" NOT NULL,
    -- The worker that has it: each claim draws a new id, and what an older one writes is ignored.
    claim         uuid NOT NULL,
    claimed_until timestamptz(3) NOT NULL,
    -- What the counter gets at the end: how far it was behind at the beginning.
    behind        bigint NOT NULL,
    -- The last text that was analyzed.
    artifact_key  bigint NOT NULL DEFAULT 0,
    entry_id      uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    PRIMARY KEY (tenant_id, scope_key, corpus),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
);
