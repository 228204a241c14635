-- Tenants that move to another database server, or have moved. Each of the two servers has a row. On the server before, the state is
--   leaving:  the tenant works here, and its changes are listed in tenant_changes;
--   blocked:  as leaving, but writes are refused until blocked_until;
--   left:     the tenant is on the server `peer`. Its rows stay until they are deleted, and this row stays for good.
-- On the server after, it is
--   incoming: rows are being copied; the tenant does not work here. The row is deleted when the tenant has moved.
CREATE TABLE tenant_moves (
    tenant_id     integer PRIMARY KEY,
    name          text NOT NULL,
    state         text NOT NULL CHECK (state IN ('leaving', 'blocked', 'left', 'incoming')),
    peer          text NOT NULL,
    -- The run of the command that may change the row: an earlier run that wakes up changes nothing.
    run           uuid NOT NULL,
    blocked_until timestamptz(3),
    -- Of an incoming tenant: how far its rows are copied.
    progress      jsonb,
    -- Of a tenant that has left: when its rows were deleted.
    deleted_at    timestamptz(3),
    changed_at    timestamptz(3) NOT NULL DEFAULT now()
);

-- Rows of a leaving tenant that were written since the move began, by their primary keys.
CREATE TABLE tenant_changes (
    change_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id  integer NOT NULL,
    table_name text NOT NULL,
    key        text[] NOT NULL
);
CREATE INDEX tenant_changes_tenant ON tenant_changes (tenant_id, change_id);

-- The trigger of a table while a tenant moves, on both servers. Its first argument is SQL for the primary key of the row $1, the second one
-- the name of the table. The lock lets the command wait for the transactions that have passed this function. The setting
-- continuity.mover has the tenant whose rows the session copies or deletes.
CREATE FUNCTION follow_tenant_move() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed record;
    move tenant_moves;
BEGIN
    IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
    IF current_setting('continuity.mover', true) = changed.tenant_id::text THEN RETURN changed; END IF;
    PERFORM pg_advisory_xact_lock_shared(72707370, changed.tenant_id);
    SELECT * INTO move FROM tenant_moves WHERE tenant_id = changed.tenant_id;
    IF NOT FOUND THEN RETURN changed; END IF;
    IF move.state = 'leaving' OR move.state = 'blocked' AND move.blocked_until <= clock_timestamp() THEN
        EXECUTE format('INSERT INTO tenant_changes (tenant_id, table_name, key) VALUES ($1.tenant_id, $2, %s)', TG_ARGV[0])
            USING changed, TG_ARGV[1];
        IF TG_OP = 'UPDATE' THEN
            EXECUTE format(
                'INSERT INTO tenant_changes (tenant_id, table_name, key) SELECT $1.tenant_id, $2, key FROM (SELECT %s AS key) k WHERE key <> %s',
                TG_ARGV[0], replace(TG_ARGV[0], '$1', '$3'))
                USING OLD, TG_ARGV[1], changed;
        END IF;
        RETURN changed;
    END IF;
    RAISE EXCEPTION 'The tenant is moving to another database server, or has moved.' USING ERRCODE = 'CS002';
END
$$;

-- A copy of rows is complete: it brings its counts along, and is no second tenant.
CREATE OR REPLACE FUNCTION count_artifacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO artifact_counts AS c (tenant_id, scope_key, family, heads)
    SELECT tenant_id, scope_key, family, count(*) FROM added
    WHERE tenant_id::text IS DISTINCT FROM current_setting('continuity.mover', true)
    GROUP BY tenant_id, scope_key, family ORDER BY tenant_id, scope_key, family
    ON CONFLICT (tenant_id, scope_key, family) DO UPDATE SET heads = c.heads + excluded.heads;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION refuse_second_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('continuity.mover', true) = NEW.tenant_id::text THEN RETURN NEW; END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('tenant ' || NEW.name, 0));
    IF TG_TABLE_NAME = 'tenants' AND EXISTS (
        SELECT FROM tenant_servers t, deployment d
        WHERE (t.name = NEW.name OR t.tenant_id = NEW.tenant_id)
            AND (t.name, t.tenant_id, t.server) IS DISTINCT FROM (NEW.name, NEW.tenant_id, d.server))
    THEN
        RAISE EXCEPTION 'The tenant is on another server.' USING ERRCODE = 'CS001';
    END IF;
    IF TG_TABLE_NAME = 'tenant_servers' THEN
        IF EXISTS (
            SELECT FROM tenants t, deployment d
            WHERE (t.name = NEW.name OR t.tenant_id = NEW.tenant_id)
                AND (t.name, t.tenant_id, d.server) IS DISTINCT FROM (NEW.name, NEW.tenant_id, NEW.server))
        THEN
            RAISE EXCEPTION 'The tenant is on this server.' USING ERRCODE = 'CS001';
        END IF;
    END IF;
    RETURN NEW;
END
$$;
