-- A proposed Experience or Skill. One row for each Candidate: its state, and what lists show of its current version.
CREATE TABLE candidates (
    tenant_id        integer NOT NULL,
    candidate_id     uuid NOT NULL,
    scope_key        bigint NOT NULL,
    family           text COLLATE "C" NOT NULL CHECK (family IN ('experience', 'skill')),
    status           text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
    version          integer NOT NULL DEFAULT 1,
    origin           text COLLATE "C" NOT NULL,
    -- Identifies the generation that made version 1, so that an equal request finds it (spec 40 §2.1).
    work_key         bytea,
    -- The Artifact that an approval replaces. All versions have the same target.
    target_id        text COLLATE "C",
    target_revision  integer,
    -- Of the current version, so that the inbox reads no proposal.
    title            text NOT NULL,
    source_count     integer NOT NULL,
    artifact_count   integer NOT NULL,
    package          jsonb,
    executable_count integer,
    -- Of the decision.
    result_id        text COLLATE "C",
    result_revision  integer,
    decision_reason  text,
    decided_by       text,
    decided_at       timestamptz(3),
    created_at       timestamptz(3) NOT NULL,
    updated_at       timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, candidate_id),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key),
    CHECK ((target_id IS NULL) = (target_revision IS NULL)),
    CHECK ((result_id IS NOT NULL) = (status = 'approved') AND (result_id IS NULL) = (result_revision IS NULL)),
    CHECK ((decision_reason IS NOT NULL) = (status = 'rejected')),
    CHECK ((decided_at IS NULL) = (status = 'pending'))
) WITH (fillfactor = 90);
-- A page of one Scope reads one range for each Family, a page of the tenant one for each Family and origin.
CREATE INDEX candidates_of_scope ON candidates (tenant_id, scope_key, status, family, candidate_id);
CREATE INDEX candidates_of_tenant ON candidates (tenant_id, status, family, origin, candidate_id);
-- Of equal generations, at most one Candidate waits as it was made.
CREATE UNIQUE INDEX candidates_work_key ON candidates (tenant_id, work_key)
    WHERE work_key IS NOT NULL AND status = 'pending' AND version = 1;

-- What each version holds. Immutable.
CREATE TABLE candidate_versions (
    tenant_id     integer NOT NULL,
    candidate_id  uuid NOT NULL,
    version       integer NOT NULL,
    -- Canonical JSON.
    proposal      text COLLATE "C" NOT NULL,
    source_refs   jsonb NOT NULL,
    artifact_refs jsonb NOT NULL,
    reason        text,
    -- The label of the token that wrote the version.
    actor         text,
    created_at    timestamptz(3) NOT NULL,
    PRIMARY KEY (tenant_id, candidate_id, version),
    FOREIGN KEY (tenant_id, candidate_id) REFERENCES candidates (tenant_id, candidate_id)
);

-- How many Candidates a Scope has. Each writer of a Candidate updates them last in its transaction.
CREATE TABLE candidate_counts (
    tenant_id  integer NOT NULL,
    scope_key  bigint NOT NULL,
    status     text COLLATE "C" NOT NULL,
    family     text COLLATE "C" NOT NULL,
    origin     text COLLATE "C" NOT NULL,
    candidates bigint NOT NULL,
    PRIMARY KEY (tenant_id, scope_key, status, family, origin),
    FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70);
