-- Vectors of Memory entries (spec 20 S12). They are rows of their own and no columns of memory_states: a worker adds them after
-- the fact, and a row that carries the lexical index must not be rewritten for that.

-- Vector spaces that this deployment has searched in. The last activated one is what workers embed into; an older one stays
-- until no process has used it for a day, so that gateways of the version before go on searching.
CREATE TABLE embedding_profiles (
    profile_key  integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile_id   text COLLATE "C" NOT NULL,
    model        text COLLATE "C" NOT NULL,
    dimension    integer NOT NULL,
    activated_at timestamptz(3) NOT NULL DEFAULT now(),
    seen_at      timestamptz(3) NOT NULL DEFAULT now(),
    -- How far the Scopes were marked for embedding since the activation; null when all are.
    marked_tenant integer,
    marked_scope  bigint,
    CONSTRAINT embedding_profiles_identity UNIQUE (profile_id, model, dimension)
);

-- A row exists only for an active entry, and only for its current text: a write that changes one or the other removes it.
CREATE TABLE memory_embeddings (
    tenant_id    integer NOT NULL,
    scope_key    bigint NOT NULL,
    profile_key  integer NOT NULL,
    artifact_key bigint NOT NULL,
    entry_id     uuid NOT NULL,
    -- Unit length.
    embedding    real[] NOT NULL,
    PRIMARY KEY (tenant_id, scope_key, profile_key, artifact_key, entry_id),
    FOREIGN KEY (tenant_id, artifact_key) REFERENCES artifacts (tenant_id, artifact_key)
);
-- Floats do not compress; trying to costs more than the rest of the write.
ALTER TABLE memory_embeddings ALTER COLUMN embedding SET STORAGE EXTERNAL;

-- How many rows of memory_embeddings a Scope has in a profile: says without counting how many of its entries lack theirs.
CREATE TABLE memory_embedding_totals (
    tenant_id   integer NOT NULL,
    scope_key   bigint NOT NULL,
    profile_key integer NOT NULL,
    embedded    bigint NOT NULL DEFAULT 0,
    -- Runs in a row that the model did not answer.
    failed_runs integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope_key, profile_key),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);

-- Not tenant-first on purpose: workers remove the rows of profiles that are used no more.
CREATE INDEX memory_embedding_totals_profile ON memory_embedding_totals (profile_key);

-- Up to which revision the changes of a Memory went through embedding.
CREATE TABLE memory_embedding_cursors (
    tenant_id    integer NOT NULL,
    artifact_key bigint NOT NULL,
    profile_key  integer NOT NULL,
    revision     integer NOT NULL,
    PRIMARY KEY (tenant_id, artifact_key, profile_key),
    FOREIGN KEY (tenant_id, artifact_key) REFERENCES artifacts (tenant_id, artifact_key)
) WITH (fillfactor = 70);

-- Texts that the model gave no vector for while others of their batch got one. Without retry_at: parked for good.
CREATE TABLE failed_embeddings (
    tenant_id    integer NOT NULL,
    scope_key    bigint NOT NULL,
    profile_key  integer NOT NULL,
    artifact_key bigint NOT NULL,
    entry_id     uuid NOT NULL,
    version      integer NOT NULL,
    reason       text NOT NULL,
    failures     integer NOT NULL,
    retry_at     timestamptz(3),
    PRIMARY KEY (tenant_id, scope_key, profile_key, artifact_key, entry_id),
    FOREIGN KEY (tenant_id, artifact_key) REFERENCES artifacts (tenant_id, artifact_key)
);
CREATE INDEX failed_embeddings_retry ON failed_embeddings (tenant_id, scope_key, profile_key, retry_at)
    WHERE retry_at IS NOT NULL;
-- Not tenant-first on purpose: operators see how many there are in the deployment.
CREATE INDEX failed_embeddings_parked ON failed_embeddings (profile_key) WHERE retry_at IS NULL;

-- When a worker looks for entries of the Scope without a vector. Set by the write that makes one, and only where it is not set
-- yet, so that it costs the others nothing. What is here already is due.
ALTER TABLE memory_totals ADD COLUMN embedding_due_at timestamptz(3) DEFAULT now();
ALTER TABLE memory_totals ALTER COLUMN embedding_due_at DROP DEFAULT;
CREATE INDEX memory_totals_embedding_due ON memory_totals (embedding_due_at) WHERE embedding_due_at IS NOT NULL;

-- Where the extension is there and may be made; the service works without it.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') THEN
        CREATE EXTENSION IF NOT EXISTS vector;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'The extension vector is there, but this role may not make it: search stays exact.';
END
$$;
