-- When a Source was said, as the caller sent it: RFC 3339 with milliseconds and an offset (spec 70 §1.1). Null: not known.
ALTER TABLE sources ADD COLUMN occurred_at text;

-- The content Source that the first statement of a Handoff cites first. Of a Handoff of current work it is the boundary, so that a
-- repeated commit finds its revision (spec 70 §1.3). The next migration fills it: this one locks captures out until it commits.
ALTER TABLE handoff_summaries ADD COLUMN first_source_id text;
