-- The children of a Scope by id, so that a page of them reads its own length. It serves the statements of the index that it replaces.
CREATE INDEX scopes_children ON scopes (tenant_id, parent_scope_id, scope_id) WHERE parent_scope_id IS NOT NULL;
DROP INDEX scopes_parent;
