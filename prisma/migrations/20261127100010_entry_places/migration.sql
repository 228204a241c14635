-- The place of an entry: its number in the order of creation in its Memory (spec 26 S15), on its first version. A worker gives places to
-- the entries that exist, and to those of processes of the release before, which leave these columns alone.
ALTER TABLE memory_versions ADD COLUMN place integer;

-- The last place that was given, and the revision up to which all entries have theirs. A writer gives places only where that is the head.
ALTER TABLE artifacts
    ADD COLUMN last_place      integer NOT NULL DEFAULT 0,
    ADD COLUMN placed_revision integer NOT NULL DEFAULT 0;

-- How many entries of the Scope have a place. Where there are more entries, a worker has to give some.
ALTER TABLE memory_totals ADD COLUMN placed bigint NOT NULL DEFAULT 0;
