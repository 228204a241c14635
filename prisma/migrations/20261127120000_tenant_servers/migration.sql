-- In a deployment with several database servers, each tenant lives on one of them. `server` is the name of this server, `directory` that of
-- the server whose table `tenant_servers` lists the tenants of all. Both stay empty in a deployment with one server.
ALTER TABLE deployment ADD COLUMN server text, ADD COLUMN directory text;

CREATE TABLE tenant_servers (
    tenant_id  integer PRIMARY KEY
        DEFAULT greatest(('x' || left(gen_random_uuid()::text, 8))::bit(32)::integer & 2147483647, 1),
    name       text NOT NULL,
    server     text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX tenant_servers_name_key ON tenant_servers (name);

-- A tenant never exists on two servers, nor two tenants with one id: the server of the directory refuses a tenant of its own that the
-- directory has elsewhere, and the other way round. The lock makes one of two concurrent transactions see the other.
CREATE FUNCTION refuse_second_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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

CREATE TRIGGER refuse_second_tenant BEFORE INSERT ON tenants
    FOR EACH ROW EXECUTE FUNCTION refuse_second_tenant();
CREATE TRIGGER refuse_second_tenant BEFORE INSERT ON tenant_servers
    FOR EACH ROW EXECUTE FUNCTION refuse_second_tenant();
