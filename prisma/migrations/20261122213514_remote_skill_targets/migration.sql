-- Remote Skill targets, and what is published to them (spec 40 §8, §9).
CREATE TABLE remote_skill_targets (
  tenant_id integer NOT NULL,
  scope_key bigint NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  display_name text COLLATE "C" NOT NULL,
  agent_kind text COLLATE "C" NOT NULL,
  installation_id text COLLATE "C",
  state text COLLATE "C" NOT NULL DEFAULT 'pending',
  receiver_version text COLLATE "C",
  environment_fingerprint text COLLATE "C",
  machine_hostname text COLLATE "C",
  workspace_name text COLLATE "C",
  last_seen_at timestamptz(3),
  generation integer NOT NULL DEFAULT 0,
  -- Hex SHA-256 of the one-time code, and of the credential.
  enrollment_code_hash text COLLATE "C",
  enrollment_expires_at timestamptz(3) NOT NULL,
  credential_hash text COLLATE "C",
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, scope_key, target_id),
  FOREIGN KEY (tenant_id, scope_key) REFERENCES scopes (tenant_id, scope_key)
) WITH (fillfactor = 70); -- Each contact updates its row in place.

-- Without the tenant: it follows from the code or credential.
CREATE UNIQUE INDEX remote_skill_targets_enrollment_code ON remote_skill_targets (enrollment_code_hash);
CREATE UNIQUE INDEX remote_skill_targets_credential ON remote_skill_targets (credential_hash);
CREATE UNIQUE INDEX remote_skill_targets_installation
  ON remote_skill_targets (tenant_id, scope_key, agent_kind, installation_id) WHERE state = 'active';
CREATE INDEX remote_skill_targets_list
  ON remote_skill_targets (tenant_id, scope_key, (state = 'revoked'), created_at, target_id);
CREATE INDEX remote_skill_targets_expiry ON remote_skill_targets (enrollment_expires_at) WHERE state = 'pending';

CREATE TABLE remote_skill_publications (
  tenant_id integer NOT NULL,
  scope_key bigint NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  artifact_id text COLLATE "C" NOT NULL,
  artifact_key bigint NOT NULL,
  desired_state text COLLATE "C" NOT NULL,
  desired_revision integer NOT NULL,
  desired_tree_digest text COLLATE "C" NOT NULL,
  -- The name of that revision: its folder on the machine.
  desired_name text COLLATE "C" NOT NULL,
  observed_revision integer,
  observed_tree_digest text COLLATE "C",
  observed_generation integer,
  -- As stored: never update_available, which is computed. 'unpublished' means that the removal is confirmed.
  state text COLLATE "C" NOT NULL DEFAULT 'pending',
  last_error_code text COLLATE "C",
  observed_at timestamptz(3),
  generation integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, scope_key, target_id, artifact_id),
  FOREIGN KEY (tenant_id, scope_key, target_id) REFERENCES remote_skill_targets (tenant_id, scope_key, target_id)
);

CREATE INDEX remote_skill_publications_removed
  ON remote_skill_publications (tenant_id, scope_key, target_id, observed_at) WHERE state = 'unpublished';
CREATE INDEX remote_skill_publications_present
  ON remote_skill_publications (tenant_id, scope_key, target_id, artifact_id) WHERE state <> 'unpublished';
