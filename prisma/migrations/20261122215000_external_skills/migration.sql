-- What the last scan of a host has found for a Scope (spec 40 §7). The directories on the host stay the authority.
CREATE TABLE external_skills (
    tenant_id          integer NOT NULL,
    scope_key          bigint NOT NULL,
    external_skill_id  text COLLATE "C" NOT NULL,
    host_id            text COLLATE "C" NOT NULL,
    agent_kind         text COLLATE "C" NOT NULL,
    installation_scope text COLLATE "C" NOT NULL,
    locator            text COLLATE "C" NOT NULL,
    fingerprint        bytea NOT NULL,
    name               text COLLATE "C" NOT NULL,
    description        text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, scope_key, external_skill_id, host_id),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
);
