-- Current entries that have an end and had not ended when they were written: a search leaves those out that have ended since, and a
-- worker looks for them. A migration of its own: writers wait for it, but the columns come first.
CREATE INDEX memory_states_ending ON memory_states (tenant_id, scope_key, holds_until)
    WHERE valid_to IS NULL AND active AND NOT ended AND holds_until IS NOT NULL;
