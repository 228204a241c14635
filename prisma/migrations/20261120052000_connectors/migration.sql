-- Types of Sources that connectors bring, immutable under (name, version).
CREATE TABLE source_definitions (
    tenant_id     integer NOT NULL REFERENCES tenants (tenant_id),
    name          text COLLATE "C" NOT NULL,
    version       text COLLATE "C" NOT NULL,
    -- SHA-256 over the canonical JSON of the manifest without it: equal for equal definitions.
    fingerprint   bytea NOT NULL,
    -- Canonical JSON of the manifest.
    manifest      text COLLATE "C" NOT NULL,
    registered_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, name, version)
);

-- What a Source of an observed type was submitted as, projections included (as a set): decides whether another under its
-- name is equal. Null for Sources that are no observations.
ALTER TABLE sources ADD COLUMN observation_digest bytea;

-- Other forms of an observed Source, for those that do not know its type; extraction reads one of them. They are written by
-- the statement that writes the Source. A foreign key to it would cost more than it gives: PostgreSQL keeps the plan of its
-- check for as long as a connection lives, and one that was made while there were few Sources looks through all of the tenant.
CREATE TABLE source_projections (
    tenant_id integer NOT NULL REFERENCES tenants (tenant_id),
    scope_key bigint NOT NULL,
    position  bigint NOT NULL,
    name      text COLLATE "C" NOT NULL,
    version   text COLLATE "C" NOT NULL,
    -- Canonical JSON.
    value     text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, scope_key, position, name, version)
);

-- Where each connector goes on in a Scope. Opaque: compared, and never read.
CREATE TABLE connector_checkpoints (
    tenant_id         integer NOT NULL,
    scope_key         bigint NOT NULL,
    binding_id        text COLLATE "C" NOT NULL,
    connector_name    text COLLATE "C" NOT NULL,
    connector_version text COLLATE "C" NOT NULL,
    -- Canonical JSON.
    checkpoint        text COLLATE "C" NOT NULL,
    committed_at      timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, scope_key, binding_id),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);
