-- Each row is the counter of the Source positions of one Scope, so the table is called a sequence.
ALTER TABLE source_lines RENAME TO source_sequences;
ALTER TABLE source_sequences RENAME CONSTRAINT source_lines_pkey TO source_sequences_pkey;
ALTER TABLE source_sequences RENAME CONSTRAINT source_lines_tenant_id_scope_key_fkey TO source_sequences_tenant_id_scope_key_fkey;
ALTER INDEX source_lines_due RENAME TO source_sequences_due;
ALTER INDEX source_lines_pending RENAME TO source_sequences_pending;
