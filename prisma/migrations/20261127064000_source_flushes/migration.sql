-- What each flush wrote (spec 60 §3.6): one row for a window of Sources, those behind `after_position` up to `last_position`. `revision` is
-- that of the Scope Memory; null where the window changed nothing. Flushes of earlier releases have no row.
CREATE TABLE source_flushes (
    tenant_id      integer NOT NULL,
    scope_key      bigint NOT NULL,
    last_position  bigint NOT NULL,
    after_position bigint NOT NULL,
    revision       integer,
    PRIMARY KEY (tenant_id, scope_key, last_position),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES source_sequences (tenant_id, scope_key)
);
