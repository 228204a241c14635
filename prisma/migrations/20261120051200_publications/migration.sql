-- What was published into a Scope, by the key of its request. Immutable. The source is named as the request named it, the
-- origin as the first address of the chain of publications.
CREATE TABLE artifact_publications (
    tenant_id          integer NOT NULL,
    scope_key          bigint NOT NULL,
    idempotency_key    text COLLATE "C" NOT NULL,
    artifact_key       bigint NOT NULL,
    source_scope_id    text COLLATE "C" NOT NULL,
    source_artifact_id text COLLATE "C" NOT NULL,
    source_revision    integer NOT NULL,
    origin_scope_id    text COLLATE "C" NOT NULL,
    origin_artifact_id text COLLATE "C" NOT NULL,
    origin_revision    integer NOT NULL,
    content_digest     bytea NOT NULL,
    created_at         timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, scope_key, idempotency_key),
    -- Revision one of the target is the published one.
    CONSTRAINT artifact_publications_target UNIQUE (tenant_id, artifact_key),
    FOREIGN KEY (tenant_id, artifact_key) REFERENCES artifacts (tenant_id, artifact_key)
);
