-- The lexical projection of a head whose content is one document (Experience, Skill). A head that no search may find has none.
CREATE TABLE document_projections (
    tenant_id        integer NOT NULL,
    artifact_key     bigint NOT NULL,
    scope_key        bigint NOT NULL,
    -- Ascending, so that a term is found by halving: a document has many. The term of its batch is below all others.
    terms            bigint[] NOT NULL,
    term_frequencies smallint[] NOT NULL,
    length           smallint NOT NULL,
    PRIMARY KEY (tenant_id, artifact_key),
    FOREIGN KEY (tenant_id, artifact_key) REFERENCES artifacts (tenant_id, artifact_key)
) WITH (fillfactor = 90);
-- Hashes do not compress: trying costs each write and each read.
ALTER TABLE document_projections ALTER COLUMN terms SET STORAGE EXTERNAL;
-- Terms are hashed together with tenant, Scope and Family, so that this index is local to them without a leading column. The
-- pending list is off: a search would have to read all of it.
CREATE INDEX document_projections_terms ON document_projections USING gin (terms) WITH (fastupdate = off);

-- Counters of a Scope's projections in one Family, for BM25. Written under the lock of the Scope's line of Sources.
CREATE TABLE document_totals (
    tenant_id    integer NOT NULL,
    scope_key    bigint NOT NULL,
    family       text COLLATE "C" NOT NULL,
    documents    bigint NOT NULL DEFAULT 0,
    total_length bigint NOT NULL DEFAULT 0,
    -- How often a document was written: numbers the batches in which search meets common words.
    entered      bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope_key, family),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);

-- In how many projections of the Scope a term occurs; the Family is in the term.
CREATE TABLE document_terms (
    tenant_id integer NOT NULL,
    scope_key bigint NOT NULL,
    term      bigint NOT NULL,
    documents integer NOT NULL,
    PRIMARY KEY (tenant_id, scope_key, term),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 80);
