-- The seal of the move that brought the tenant to its server, by the server itself and by the directory; null if the tenant was created there.
-- They differ if one of the two was restored to a backup from before the move: what the server has of the tenant is not its last state then.
ALTER TABLE tenants ADD COLUMN move_seal uuid;
ALTER TABLE tenant_servers ADD COLUMN move_seal uuid;
