-- When a statement holds (spec 26 M22): part of an immutable version. Null: ever since, or open.
ALTER TABLE memory_versions ADD COLUMN holds_from timestamptz(3);
ALTER TABLE memory_versions ADD COLUMN holds_until timestamptz(3);
-- The entry of the same Memory that took its place.
ALTER TABLE memory_versions ADD COLUMN superseded_by uuid;

-- Copies of a current active row, by which a search filters without its version.
ALTER TABLE memory_states ADD COLUMN holds_from timestamptz(3);
ALTER TABLE memory_states ADD COLUMN holds_until timestamptz(3);
-- Whether the statement had ended when the row was written. The terms of such a row are negative: a search without `as_of` does not
-- look them up, so that ended entries cost it nothing. Its vectors have the negative key of their profile for the same reason.
ALTER TABLE memory_states ADD COLUMN ended boolean NOT NULL DEFAULT false;

-- Of the active entries, those whose rows are `ended`.
ALTER TABLE memory_totals ADD COLUMN ended_entries bigint NOT NULL DEFAULT 0;
ALTER TABLE memory_terms ADD COLUMN ended integer NOT NULL DEFAULT 0;
