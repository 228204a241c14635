import { examplePackage } from '../skills/examples.ts';

export const exampleScope = 'project:demo';
export const exampleTargetId = 'codex-3f9a1c22b7de';
export const exampleArtifact = {
  family: 'skill',
  artifact_id: '01a0521c-bfd8-7d38-8f21-ddb66cad4a26',
  revision: 1,
} as const;

export const exampleCode = 'ske_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
export const exampleCredential =
  'skt_00000000000000000000000000000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const newTarget = {
  scope_id: exampleScope,
  target_id: exampleTargetId,
  display_name: 'build machine',
  agent_kind: 'codex',
  installation_scope: 'project',
  delivery_mode: 'agent_pull',
  installation_id: null,
  state: 'pending',
  receiver_version: null,
  environment_fingerprint: null,
  machine_hostname: null,
  workspace_name: null,
  last_seen_at: null,
  presence: 'unknown',
  generation: 0,
} as const;

export const exampleNewTarget = newTarget;

export const exampleTarget = {
  ...newTarget,
  installation_id: 'project-7d1f',
  state: 'active',
  receiver_version: '1.0.0',
  machine_hostname: 'build-7',
  workspace_name: 'atlas',
  last_seen_at: '2026-09-01T10:05:00.000Z',
  presence: 'online',
  generation: 1,
} as const;

const address = {
  scope_id: exampleScope,
  target_id: exampleTargetId,
  artifact_id: exampleArtifact.artifact_id,
} as const;

const desired = { desired_revision: 1, desired_tree_digest: examplePackage.tree_digest } as const;

export const examplePending = {
  ...address,
  desired_state: 'published',
  ...desired,
  observed_revision: null,
  observed_tree_digest: null,
  observed_generation: null,
  state: 'pending',
  last_error_code: null,
  observed_at: null,
  generation: 0,
} as const;

export const exampleCurrent = {
  ...examplePending,
  observed_revision: 1,
  observed_tree_digest: examplePackage.tree_digest,
  observed_generation: 0,
  state: 'current',
  observed_at: '2026-09-01T10:05:00.000Z',
} as const;

export const exampleAction = {
  operation: 'install',
  generation: 0,
  artifact: exampleArtifact,
  tree_digest: examplePackage.tree_digest,
  skill_name: 'hello',
  package: examplePackage,
  expected_local: null,
  blocked_error_code: null,
} as const;
