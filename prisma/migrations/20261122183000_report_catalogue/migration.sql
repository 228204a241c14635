-- The report catalogue (spec 30 §5). Keys compare in Unicode NFC, so each key is stored as sent and as compared.
CREATE TABLE report_projects (
    tenant_id      integer NOT NULL REFERENCES tenants,
    project_id     uuid NOT NULL,
    project_key    text NOT NULL,
    normalized_key text COLLATE "C" NOT NULL,
    title          text NOT NULL,
    description    text,
    default_locale text COLLATE "C" NOT NULL CHECK (default_locale IN ('zh-CN', 'en')),
    timezone       text COLLATE "C" NOT NULL,
    catalog_state  text COLLATE "C" NOT NULL CHECK (catalog_state IN ('included', 'archived')),
    version        integer NOT NULL DEFAULT 1,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, project_id),
    CONSTRAINT report_projects_key UNIQUE (tenant_id, normalized_key)
);
CREATE INDEX report_projects_state ON report_projects (tenant_id, catalog_state, project_id);

-- Every version of a Project, immutable.
CREATE TABLE report_project_revisions (
    tenant_id  integer NOT NULL,
    project_id uuid NOT NULL,
    version    integer NOT NULL,
    descriptor jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, project_id, version),
    FOREIGN KEY (tenant_id, project_id) REFERENCES report_projects (tenant_id, project_id)
);

-- The Project that each Idempotency-Key has created. Kept forever.
CREATE TABLE report_project_creations (
    tenant_id       integer NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    body_digest     bytea NOT NULL,
    project_id      uuid NOT NULL,
    created_at      timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT report_project_creations_key PRIMARY KEY (tenant_id, idempotency_key),
    FOREIGN KEY (tenant_id, project_id) REFERENCES report_projects (tenant_id, project_id)
);

-- A registered Scope. A Scope belongs to one Project for good, so its id is the key.
CREATE TABLE report_workstreams (
    tenant_id      integer NOT NULL,
    scope_id       text COLLATE "C" NOT NULL,
    project_id     uuid NOT NULL,
    key            text,
    normalized_key text COLLATE "C",
    title          text NOT NULL,
    kind           text COLLATE "C" NOT NULL,
    catalog_state  text COLLATE "C" NOT NULL CHECK (catalog_state IN ('included', 'archived')),
    external_refs  jsonb NOT NULL DEFAULT '[]',
    labels         text[] NOT NULL DEFAULT '{}',
    version        integer NOT NULL DEFAULT 1,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, scope_id),
    CONSTRAINT report_workstreams_key UNIQUE (tenant_id, project_id, normalized_key),
    FOREIGN KEY (tenant_id, scope_id) REFERENCES scopes (tenant_id, scope_id),
    FOREIGN KEY (tenant_id, project_id) REFERENCES report_projects (tenant_id, project_id)
);
CREATE INDEX report_workstreams_project ON report_workstreams (tenant_id, project_id, scope_id);
CREATE INDEX report_workstreams_state ON report_workstreams (tenant_id, project_id, catalog_state, scope_id);

-- Every version of a Workstream, immutable.
CREATE TABLE report_workstream_revisions (
    tenant_id  integer NOT NULL,
    scope_id   text COLLATE "C" NOT NULL,
    version    integer NOT NULL,
    descriptor jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, scope_id, version),
    FOREIGN KEY (tenant_id, scope_id) REFERENCES report_workstreams (tenant_id, scope_id)
);

-- One row for each Project: the lock and the gapless counter of its activities.
CREATE TABLE report_activity_sequences (
    tenant_id   integer NOT NULL,
    project_id  uuid NOT NULL,
    -- The high watermark: the highest cursor ever given. A purge never lowers it.
    last_cursor bigint NOT NULL DEFAULT 0,
    -- Purges that have deleted an event: a report whose snapshot has another number is stale (spec 30 §4.7.5).
    purge_count integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, project_id),
    FOREIGN KEY (tenant_id, project_id) REFERENCES report_projects (tenant_id, project_id)
) WITH (fillfactor = 70);

CREATE TABLE report_activities (
    tenant_id       integer NOT NULL,
    project_id      uuid NOT NULL,
    cursor          bigint NOT NULL,
    event_id        uuid NOT NULL,
    source          text COLLATE "C" NOT NULL,
    source_event_id text COLLATE "C" NOT NULL,
    -- No foreign key: the Scope may be unknown (spec 30 §5.4.4).
    scope_id        text COLLATE "C",
    -- Null for an event without an effective time (spec 30 §4.3.7).
    effective_at    timestamptz(3),
    observed_at     timestamptz(3) NOT NULL,
    -- The whole event as answered, in canonical JSON.
    event           text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, project_id, cursor),
    CONSTRAINT report_activities_identity UNIQUE (tenant_id, source, source_event_id),
    FOREIGN KEY (tenant_id, project_id) REFERENCES report_projects (tenant_id, project_id)
);
CREATE INDEX report_activities_effective ON report_activities (tenant_id, project_id, effective_at, observed_at, event_id);
CREATE INDEX report_activities_source ON report_activities (tenant_id, project_id, source, cursor);
CREATE INDEX report_activities_observed ON report_activities (tenant_id, project_id, observed_at);
-- The sweep looks for old events of any tenant.
CREATE INDEX report_activities_old ON report_activities (observed_at);

CREATE TABLE report_workspaces (
    tenant_id             integer NOT NULL,
    workspace_instance_id text COLLATE "C" NOT NULL,
    project_id            uuid NOT NULL,
    provider              text COLLATE "C" NOT NULL,
    repository_id         text,
    normalized_remote     text,
    subpath               text,
    state                 text COLLATE "C" NOT NULL CHECK (state IN ('confirmed', 'detached')),
    confirmed_at          timestamptz(3) NOT NULL,
    version               integer NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, workspace_instance_id),
    FOREIGN KEY (tenant_id, project_id) REFERENCES report_projects (tenant_id, project_id)
);
