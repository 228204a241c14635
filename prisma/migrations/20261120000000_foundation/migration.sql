-- Every table of a tenant's data begins its keys with tenant_id, so that no query can reach across and every index
-- is local to a tenant. Identifiers that callers choose compare code point by code point: collation "C".

CREATE TABLE tenants (
    tenant_id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name              text COLLATE "C" NOT NULL,
    default_scope_key bigint,
    created_at        timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT tenants_name_key UNIQUE (name)
);

-- What the processes of one deployment share: the key that signs cursors.
CREATE TABLE deployment (
    singleton  boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    cursor_key bytea NOT NULL
);
INSERT INTO deployment (cursor_key)
VALUES (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- A descriptor is one row: it names its parent and references by id, because a Scope is never renamed or deleted.
CREATE TABLE scopes (
    tenant_id           integer NOT NULL REFERENCES tenants,
    scope_key           bigint GENERATED ALWAYS AS IDENTITY,
    scope_id            text COLLATE "C" NOT NULL,
    title               text NOT NULL,
    summary             text NOT NULL,
    parent_scope_id     text COLLATE "C",
    -- Ascending, as they are answered.
    context_references  text[] COLLATE "C" NOT NULL DEFAULT '{}',
    external_references jsonb NOT NULL DEFAULT '[]',
    version             integer NOT NULL DEFAULT 1,
    -- Size of the descriptor as JSON, so that a page is cut before its rows are read: 1,000 of the largest would be 2 GB.
    -- Zero for one that a first write made: those are small.
    descriptor_bytes    integer NOT NULL DEFAULT 0,
    created_at          timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, scope_key),
    CONSTRAINT scopes_scope_id_key UNIQUE (tenant_id, scope_id),
    FOREIGN KEY (tenant_id, parent_scope_id) REFERENCES scopes (tenant_id, scope_id)
);
CREATE INDEX scopes_parent ON scopes (tenant_id, parent_scope_id) WHERE parent_scope_id IS NOT NULL;

ALTER TABLE tenants
    ADD FOREIGN KEY (tenant_id, default_scope_key) REFERENCES scopes (tenant_id, scope_key);

-- One row a Scope that has Sources: the lock and the gapless counter of their positions, and how far extraction went.
-- Apart from the descriptor, because each capture writes it. The fillfactor keeps its updates on the page (HOT).
CREATE TABLE source_lines (
    tenant_id           integer NOT NULL,
    scope_key           bigint NOT NULL,
    last_position       bigint NOT NULL DEFAULT 0,
    extraction_cursor   bigint NOT NULL DEFAULT 0,
    eligible_count      bigint NOT NULL DEFAULT 0,
    extracted_count     bigint NOT NULL DEFAULT 0,
    pending_since       timestamptz(3),
    flush_due_at        timestamptz(3),
    failed_flushes      integer NOT NULL DEFAULT 0,
    -- Window size that the next flush may take after invalid output; null is the configured one.
    window_limit        integer,
    invalid_outputs     integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope_key),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);
-- Not tenant-first on purpose: the workers of the deployment look for the next due Scope of any tenant.
CREATE INDEX source_lines_due ON source_lines (flush_due_at) WHERE flush_due_at IS NOT NULL;
CREATE INDEX source_lines_pending ON source_lines (pending_since) WHERE pending_since IS NOT NULL;

CREATE TABLE sources (
    tenant_id      integer NOT NULL,
    scope_key      bigint NOT NULL,
    position       bigint NOT NULL,
    source_type    text COLLATE "C" NOT NULL,
    source_id      text COLLATE "C" NOT NULL,
    -- Canonical JSON: jsonb would respell numbers, and the digest is over these bytes.
    content        text COLLATE "C" NOT NULL,
    content_digest bytea NOT NULL,
    -- Canonical JSON of the metadata; null is the empty object.
    metadata       text COLLATE "C",
    -- Evidence that extraction reads. False for the lineage-only Sources that Artifact writes make.
    eligible       boolean NOT NULL,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, scope_key, position),
    CONSTRAINT sources_identity UNIQUE (tenant_id, scope_key, source_type, source_id),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
);
CREATE INDEX sources_eligible ON sources (tenant_id, scope_key, position) WHERE eligible;

-- Sources that the configured extractor could not read and the built-in one did (spec 20 F12): visible, never in the way.
CREATE TABLE parked_sources (
    tenant_id  integer NOT NULL,
    scope_key  bigint NOT NULL,
    position   bigint NOT NULL,
    reason     text NOT NULL,
    parked_at  timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, scope_key, position),
    FOREIGN KEY (tenant_id, scope_key, position) REFERENCES sources (tenant_id, scope_key, position)
);

-- The head of each Artifact: the lock of its writers and the gapless counter of its revisions.
CREATE TABLE artifacts (
    tenant_id     integer NOT NULL,
    artifact_key  bigint GENERATED ALWAYS AS IDENTITY,
    scope_key     bigint NOT NULL,
    family        text COLLATE "C" NOT NULL,
    artifact_id   text COLLATE "C" NOT NULL,
    head_revision integer NOT NULL DEFAULT 0,
    created_at    timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, artifact_key),
    CONSTRAINT artifacts_identity UNIQUE (tenant_id, scope_key, family, artifact_id),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);

-- Immutable. Content and digest of a Memory revision are computed from its rows when a read asks (spec 20 M8), so they are
-- null here until then.
CREATE TABLE artifact_revisions (
    tenant_id      integer NOT NULL,
    artifact_key   bigint NOT NULL,
    revision       integer NOT NULL,
    sources        jsonb,
    artifacts      jsonb,
    content        text COLLATE "C",
    content_digest bytea,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, artifact_key, revision),
    FOREIGN KEY (tenant_id, artifact_key) REFERENCES artifacts (tenant_id, artifact_key)
);

-- One immutable content of one Memory entry.
CREATE TABLE memory_versions (
    tenant_id        integer NOT NULL,
    artifact_key     bigint NOT NULL,
    entry_id         uuid NOT NULL,
    version          integer NOT NULL,
    entry_version_id uuid NOT NULL,
    kind             text COLLATE "C" NOT NULL,
    text             text COLLATE "C" NOT NULL,
    source_refs      jsonb,
    artifact_refs    jsonb,
    -- SHA-256 of the content, so that a manifest is read without the texts that it stands for.
    content_hash     bytea NOT NULL,
    PRIMARY KEY (tenant_id, artifact_key, entry_id, version),
    FOREIGN KEY (tenant_id, artifact_key) REFERENCES artifacts (tenant_id, artifact_key)
);

-- State of an entry in the revisions [valid_from, valid_to) (spec 20 M7); valid_to null: at the head. A current active row
-- also carries its lexical projection: index terms, how often each occurs, and the length in words.
CREATE TABLE memory_states (
    tenant_id        integer NOT NULL,
    artifact_key     bigint NOT NULL,
    entry_id         uuid NOT NULL,
    valid_from       integer NOT NULL,
    valid_to         integer,
    version          integer NOT NULL,
    active           boolean NOT NULL,
    scope_key        bigint NOT NULL,
    -- First 64 bits of SHA-256 over kind and text: finds equal entries (M13); equality itself is decided on the text.
    equality_hash    bigint NOT NULL,
    terms            bigint[],
    term_frequencies smallint[],
    length           smallint,
    PRIMARY KEY (tenant_id, artifact_key, entry_id, valid_from),
    FOREIGN KEY (tenant_id, artifact_key) REFERENCES artifacts (tenant_id, artifact_key)
) WITH (fillfactor = 90);
CREATE INDEX memory_states_current ON memory_states (tenant_id, artifact_key, active, entry_id) WHERE valid_to IS NULL;
CREATE INDEX memory_states_closed ON memory_states (tenant_id, artifact_key, valid_to) WHERE valid_to IS NOT NULL;
-- Nothing but a look-up by hash can use this one (NOT NULL is only proven by it): as long as there are no statistics, the
-- planner takes any index that begins with the Memory's key for as good as the right one.
CREATE INDEX memory_states_equal ON memory_states (tenant_id, artifact_key, equality_hash)
    WHERE valid_to IS NULL AND equality_hash IS NOT NULL;
-- Terms are hashed together with tenant and Scope, so that this index is local to a Scope without a leading column. The
-- pending list is off: a search would have to read all of it.
CREATE INDEX memory_states_terms ON memory_states USING gin (terms) WITH (fastupdate = off) WHERE terms IS NOT NULL;

-- What one revision changed, at most one row an entry (M4).
CREATE TABLE memory_changes (
    tenant_id    integer NOT NULL,
    artifact_key bigint NOT NULL,
    revision     integer NOT NULL,
    entry_id     uuid NOT NULL,
    op           text COLLATE "C" NOT NULL CHECK (op IN ('add', 'revise', 'deactivate', 'reactivate')),
    from_version integer,
    to_version   integer,
    reason       text,
    -- Highest Source position of the Scope at that moment, kept for a deactivation: what was captured before it does
    -- not bring the entry back (F15).
    source_watermark bigint,
    PRIMARY KEY (tenant_id, artifact_key, revision, entry_id),
    FOREIGN KEY (tenant_id, artifact_key) REFERENCES artifacts (tenant_id, artifact_key)
);

-- Counters of a Scope's active Memory, for BM25 (S8) and statistics. Written under the lock of its own row.
CREATE TABLE memory_totals (
    tenant_id      integer NOT NULL,
    scope_key      bigint NOT NULL,
    active_entries bigint NOT NULL DEFAULT 0,
    total_length   bigint NOT NULL DEFAULT 0,
    -- How often an entry has become active or changed: numbers the batches in which search meets common words.
    entered        bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope_key),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);

CREATE TABLE memory_kinds (
    tenant_id        integer NOT NULL,
    scope_key        bigint NOT NULL,
    kind             text COLLATE "C" NOT NULL,
    active_entries   bigint NOT NULL DEFAULT 0,
    inactive_entries bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope_key, kind),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);

-- In how many active entries of the Scope a term occurs.
CREATE TABLE memory_terms (
    tenant_id integer NOT NULL,
    scope_key bigint NOT NULL,
    term      bigint NOT NULL,
    entries   integer NOT NULL,
    PRIMARY KEY (tenant_id, scope_key, term),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 80);

-- First answers by Idempotency-Key (spec 10 §1.8).
CREATE TABLE idempotency_keys (
    tenant_id   integer NOT NULL,
    scope_key   bigint NOT NULL,
    operation   text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    body_digest bytea NOT NULL,
    response    jsonb NOT NULL,
    created_at  timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, scope_key, operation, key),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
);

-- The truth about queued work; a queue only carries the id.
CREATE TABLE jobs (
    tenant_id    integer NOT NULL REFERENCES tenants,
    job_id       uuid NOT NULL,
    queue        text COLLATE "C" NOT NULL,
    operation    text COLLATE "C" NOT NULL,
    scope_id     text COLLATE "C",
    -- Jobs of one lane run one after the other, in order.
    lane         text COLLATE "C" NOT NULL,
    -- True for work that nobody asked for by a request: it waits behind those that somebody did.
    background   boolean NOT NULL DEFAULT false,
    request      jsonb NOT NULL,
    status       text COLLATE "C" NOT NULL DEFAULT 'queued'
                 CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
    progress     real,
    result       jsonb,
    error        jsonb,
    -- Which run holds the job: what a run of an older attempt writes is refused.
    attempt      integer NOT NULL DEFAULT 0,
    worker_id    uuid,
    -- W3C trace context of the request, so that the worker goes on with its trace.
    trace        text,
    -- Until when a request waits for the answer; a later equal request may take over what is left behind.
    awaited_until timestamptz(3),
    delivered_at timestamptz(3),
    -- How often, and when last, the id went into the queue.
    enqueues     integer NOT NULL DEFAULT 0,
    enqueued_at  timestamptz(3),
    created_at   timestamptz(3) NOT NULL DEFAULT now(),
    started_at   timestamptz(3),
    finished_at  timestamptz(3),
    PRIMARY KEY (tenant_id, job_id)
) WITH (fillfactor = 70);
CREATE INDEX jobs_lane ON jobs (tenant_id, queue, lane, background, job_id) WHERE status IN ('queued', 'running');
CREATE UNIQUE INDEX jobs_lane_running ON jobs (tenant_id, queue, lane) WHERE status = 'running';
CREATE UNIQUE INDEX jobs_lane_background ON jobs (tenant_id, queue, lane) WHERE background AND status = 'queued';
CREATE INDEX jobs_undelivered ON jobs (tenant_id, queue, lane, job_id) WHERE delivered_at IS NULL AND NOT background;
-- For the sweep over all tenants.
CREATE INDEX jobs_unfinished ON jobs (queue, status, enqueued_at) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;

-- Heartbeats of worker processes; of the deployment, not of a tenant.
CREATE TABLE workers (
    worker_id    uuid PRIMARY KEY,
    queues       text[] NOT NULL,
    started_at   timestamptz(3) NOT NULL DEFAULT now(),
    seen_at      timestamptz(3) NOT NULL DEFAULT now()
);
