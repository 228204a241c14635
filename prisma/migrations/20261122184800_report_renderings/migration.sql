-- Finished Handoff Reports (spec 30 §4.7). A row answers equal selections while it is `reusable`, and jobs until `kept_until`.
CREATE TABLE report_renderings (
    tenant_id        integer NOT NULL REFERENCES tenants,
    rendering_id     uuid NOT NULL,
    -- Null for a report of a selection of Scopes.
    project_id       uuid,
    selection_digest bytea NOT NULL,
    renderer_version text COLLATE "C" NOT NULL,
    form             text COLLATE "C" NOT NULL,
    locale           text COLLATE "C" NOT NULL,
    report_digest    bytea NOT NULL,
    body             text COLLATE "C" NOT NULL,
    -- Bytes of the body in UTF-8.
    bytes            integer NOT NULL,
    reusable         boolean NOT NULL,
    created_at       timestamptz(3) NOT NULL DEFAULT now(),
    kept_until       timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, rendering_id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX report_renderings_key
    ON report_renderings (tenant_id, selection_digest, renderer_version, form, locale) WHERE reusable;
CREATE INDEX report_renderings_project ON report_renderings (tenant_id, project_id) WHERE project_id IS NOT NULL;
-- The total of a tenant is read from this index alone.
CREATE INDEX report_renderings_size ON report_renderings (tenant_id, created_at, rendering_id) INCLUDE (bytes) WHERE reusable;
-- The sweep looks for old renderings of any tenant.
CREATE INDEX report_renderings_kept ON report_renderings (kept_until);

-- A purge of activities deletes the ended report jobs of a Project.
CREATE INDEX jobs_report_project ON jobs (tenant_id, (request ->> 'project_id')) WHERE queue = 'report-render';
