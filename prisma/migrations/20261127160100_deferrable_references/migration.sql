-- Commits by itself.
--
-- A move of a tenant replaces changed rows, and checks their references when it commits. All other transactions check them at once.
-- Each table is altered in a transaction of its own. Those who use the table wait while this waits for its lock, so it gives up after 0.2 s, and tries
-- again a second later. Each tenth wait takes up to 1.5 s, all partitions included: a vacuum gives way to those who wait for longer than deadlock_timeout.
DO $$
DECLARE
    altered record;
    part regclass;
    deadline timestamptz;
    failures integer := 0;
BEGIN
    LOOP
        SELECT conrelid::regclass AS name, string_agg(format('ALTER CONSTRAINT %I DEFERRABLE INITIALLY IMMEDIATE', conname), ', ') AS changes
        INTO altered FROM pg_constraint
        WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace AND NOT condeferrable
        GROUP BY conrelid ORDER BY conrelid LIMIT 1;
        EXIT WHEN NOT FOUND;
        BEGIN
            deadline := clock_timestamp() + CASE WHEN failures % 10 = 9 THEN interval '1500 ms' ELSE interval '200 ms' END;
            FOR part IN
                SELECT altered.name UNION ALL SELECT relid FROM pg_partition_tree(altered.name) WHERE relid <> altered.name
            LOOP
                PERFORM set_config('lock_timeout',
                    greatest(1, ceil(extract(epoch FROM deadline - clock_timestamp()) * 1000))::integer::text, true);
                EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', part);
            END LOOP;
            EXECUTE format('ALTER TABLE %s %s', altered.name, altered.changes);
            failures := 0;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            failures := failures + 1;
        END;
        COMMIT;
        IF failures > 0 THEN
            PERFORM pg_sleep(1);
        END IF;
    END LOOP;
END
$$;
