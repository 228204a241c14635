-- Not tenant-first on purpose: workers look for the entries of the deployment whose end has passed.
CREATE INDEX memory_states_end_due ON memory_states (holds_until)
    WHERE valid_to IS NULL AND active AND NOT ended AND holds_until IS NOT NULL;
