-- Which Scope a creation made, by the caller's key (spec 10 §4).
CREATE TABLE scope_creations (
    tenant_id       integer NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    body_digest     bytea NOT NULL,
    scope_key       bigint NOT NULL,
    created_at      timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT scope_creations_key PRIMARY KEY (tenant_id, idempotency_key),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
);

-- Which Scope a name of an outside integration leads to (spec 10 §5).
CREATE TABLE scope_bindings (
    tenant_id   integer NOT NULL,
    integration text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    external_id text COLLATE "C" NOT NULL,
    scope_key   bigint NOT NULL,
    bound_at    timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, integration, kind, external_id),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
);
