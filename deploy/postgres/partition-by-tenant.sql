-- Partitions every table of a tenant by hash of tenant_id. PostgreSQL 17 or newer.
--
--   psql "$DATABASE_URL" --set=ON_ERROR_STOP=1 --file deploy/postgres/partition-by-tenant.sql
--
-- Run it while no process of the service runs: it copies the rows and locks the tables. It runs in one transaction, and skips tables
-- that are partitioned already, so run it again after a migration that adds tables. docs/scaling.md says what changes.
DO $partition$
DECLARE
  partitions constant int := 8;
  t record;
  item record;
  part text;
  columns text;
  statements text[];
BEGIN
  -- Excludes `tenants`, which has one row for each tenant. Excludes tables with a unique index without tenant_id: the service reads
  -- them before it knows the tenant.
  CREATE TEMPORARY TABLE to_partition ON COMMIT DROP AS
    SELECT c.oid, c.relname AS name
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition AND c.relname <> 'tenants'
      AND NOT EXISTS (SELECT FROM pg_index x WHERE x.indrelid = c.oid AND x.indisunique AND NOT a.attnum = ANY (x.indkey));

  -- Removes the triggers of these tables and all foreign keys of and to them, and restores them at the end.
  CREATE TEMPORARY TABLE kept ON COMMIT DROP AS
    SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS statement,
           format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS removal
    FROM pg_constraint
    WHERE contype = 'f' AND conparentid = 0
      AND (conrelid IN (SELECT oid FROM to_partition) OR confrelid IN (SELECT oid FROM to_partition))
    UNION ALL
    SELECT pg_get_triggerdef(oid), format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass)
    FROM pg_trigger WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM to_partition);
  FOR item IN SELECT removal FROM kept LOOP EXECUTE item.removal; END LOOP;

  FOR t IN SELECT * FROM to_partition ORDER BY name LOOP
    -- Constraints come first, because they create their indexes.
    SELECT array_agg(statement ORDER BY is_index, statement) INTO statements FROM (
      SELECT false AS is_index, format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.name, conname, pg_get_constraintdef(oid)) AS statement
      FROM pg_constraint WHERE conrelid = t.oid AND contype IN ('p', 'u')
      UNION ALL
      SELECT true, pg_get_indexdef(indexrelid) FROM pg_index
      WHERE indrelid = t.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
    ) AS definitions;
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO columns
    FROM pg_attribute WHERE attrelid = t.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '';

    EXECUTE format('ALTER TABLE %I RENAME TO %I', t.name, t.name || '_whole');
    EXECUTE format(
      'CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE INCLUDING CONSTRAINTS)
       PARTITION BY HASH (tenant_id)', t.name, t.name || '_whole');
    FOR part_number IN 0 .. partitions - 1 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
        t.name || '_p' || part_number, t.name, partitions, part_number);
    END LOOP;
    EXECUTE format('INSERT INTO %I (%s) SELECT %s FROM %I', t.name, columns, columns, t.name || '_whole');
    EXECUTE format('DROP TABLE %I', t.name || '_whole');
    FOR item IN SELECT unnest(statements) AS statement LOOP EXECUTE item.statement; END LOOP;
    -- Names each index of a partition after that of its table, so that an error names the violated constraint.
    FOR item IN
      SELECT child.relname AS old, parent.relname || substring(part_table.relname FROM '_p[0-9]+$') AS new
      FROM pg_inherits h JOIN pg_class child ON child.oid = h.inhrelid JOIN pg_class parent ON parent.oid = h.inhparent
      JOIN pg_index x ON x.indexrelid = child.oid JOIN pg_class part_table ON part_table.oid = x.indrelid
      JOIN pg_index px ON px.indexrelid = parent.oid
      WHERE px.indrelid = t.name::regclass
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', item.old, item.new);
    END LOOP;
  END LOOP;

  FOR item IN SELECT statement FROM kept LOOP EXECUTE item.statement; END LOOP;
  -- Each connection plans a statement once, so the planner needs statistics of the new tables first.
  FOR t IN SELECT name FROM to_partition LOOP EXECUTE format('ANALYZE %I', t.name); END LOOP;
END
$partition$;
