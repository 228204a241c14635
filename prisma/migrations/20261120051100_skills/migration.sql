-- A Skill's package: immutable, once for each tree and Scope (spec 40 §5.6). Nothing is shared between Scopes or tenants.
CREATE TABLE skill_packages (
    tenant_id         integer NOT NULL,
    scope_key         bigint NOT NULL,
    tree_digest       bytea NOT NULL,
    archive_digest    bytea NOT NULL,
    file_count        integer NOT NULL,
    uncompressed_size integer NOT NULL,
    archive_size      integer NOT NULL,
    -- Canonical JSON: the list of the files, and what SKILL.md says. Both follow from the archive.
    files             text COLLATE "C" NOT NULL,
    says              text COLLATE "C" NOT NULL,
    -- Out of the row where it is not small, so that only who asks for it reads it.
    archive           bytea NOT NULL,
    created_at        timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, scope_key, tree_digest),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
);

-- What is decided about a Skill apart from its revisions (spec 40 §6.5), and by which name its head is listed.
CREATE TABLE managed_skills (
    tenant_id               integer NOT NULL,
    artifact_key            bigint NOT NULL,
    scope_key               bigint NOT NULL,
    name                    text COLLATE "C" NOT NULL,
    lifecycle_state         text COLLATE "C" NOT NULL DEFAULT 'active'
                            CHECK (lifecycle_state IN ('active', 'deprecated', 'retired')),
    replacement_artifact_id text COLLATE "C",
    governance_generation   integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, artifact_key),
    FOREIGN KEY (tenant_id, artifact_key) REFERENCES artifacts (tenant_id, artifact_key)
) WITH (fillfactor = 80);
CREATE INDEX managed_skills_by_name ON managed_skills (tenant_id, scope_key, name) WHERE lifecycle_state <> 'retired';
