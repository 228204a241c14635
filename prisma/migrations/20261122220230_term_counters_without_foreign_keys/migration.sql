-- A Create of 100 long texts in Chinese writes half a million of these counters, and the check of each foreign key took as long as
-- its row. The statement that writes them also writes memory_totals or document_totals, whose foreign keys check the same Scope.
ALTER TABLE memory_terms DROP CONSTRAINT memory_terms_tenant_id_scope_key_fkey;
ALTER TABLE document_terms DROP CONSTRAINT document_terms_tenant_id_scope_key_fkey;
