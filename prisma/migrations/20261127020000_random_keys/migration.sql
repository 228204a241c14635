-- A sequence gives a number out twice if the server loses its last commits: after the promotion of a standby that lacks them, or after
-- the restore of a backup. A process that still holds the lost number would then work on the data of another tenant or Scope. Random
-- keys are not given out again. The first 32 and the last 62 bits of `gen_random_uuid` come from the server's strong random source.
-- Keys stay positive; bigint keys have 53 bits, so that a JavaScript number holds them.
ALTER TABLE tenants
    ALTER COLUMN tenant_id DROP IDENTITY,
    ALTER COLUMN tenant_id SET DEFAULT greatest(('x' || left(gen_random_uuid()::text, 8))::bit(32)::integer & 2147483647, 1);

ALTER TABLE scopes
    ALTER COLUMN scope_key DROP IDENTITY,
    ALTER COLUMN scope_key SET DEFAULT
        greatest(('x' || translate(right(gen_random_uuid()::text, 17), '-', ''))::bit(64)::bigint & 9007199254740991, 1);

ALTER TABLE artifacts
    ALTER COLUMN artifact_key DROP IDENTITY,
    ALTER COLUMN artifact_key SET DEFAULT
        greatest(('x' || translate(right(gen_random_uuid()::text, 17), '-', ''))::bit(64)::bigint & 9007199254740991, 1);

ALTER TABLE embedding_profiles
    ALTER COLUMN profile_key DROP IDENTITY,
    ALTER COLUMN profile_key SET DEFAULT greatest(('x' || left(gen_random_uuid()::text, 8))::bit(32)::integer & 2147483647, 1);
