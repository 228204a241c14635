-- What extraction left out of a Source (spec 25 Q13). A Source without rows lost nothing, or was extracted before this release.
CREATE TABLE source_left_out (
    tenant_id integer NOT NULL,
    scope_key bigint NOT NULL,
    position  bigint NOT NULL,
    reason    text NOT NULL,
    count     integer NOT NULL,
    PRIMARY KEY (tenant_id, scope_key, position, reason),
    FOREIGN KEY (tenant_id, scope_key, position) REFERENCES sources (tenant_id, scope_key, position)
);
