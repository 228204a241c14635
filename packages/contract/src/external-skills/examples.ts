import type { ExternalSkillRegistration } from './shapes.ts';

/** The External Skill of the examples. */
export const exampleScope = 'project:atlas-billing';

export const exampleRegistration: ExternalSkillRegistration = {
  external_skill_id: 'codex:project:repository/release-check',
  provider: 'codex',
  agent_kind: 'codex',
  host_id: 'workstation-1',
  installation_scope: 'project',
  locator: '/srv/atlas/.agents/skills/release-check',
  fingerprint: '0a9e28acd44bcf7406f5b521a1cf8b439a0540ad8b265959e5cddc9c692d1182',
  name: 'release-check',
  description: 'Verify a release before it is published.',
};

export const exampleResolution = {
  registration: exampleRegistration,
  status: 'available',
  entrypoint: '/srv/atlas/.agents/skills/release-check/SKILL.md',
} as const;

export const exampleImported = {
  status: 'pending',
  candidate: {
    candidate_id: '01a0521d-10aa-7f00-8a11-0c0ffee00001',
    version: 1,
    family: 'skill',
    status: 'pending',
    proposal: {
      name: 'release-check',
      description: 'Verify a release before it is published.',
      instructions: 'Run scripts/verify.sh and read its report.',
      validation: [],
      package: {
        tree_digest: '0a9e28acd44bcf7406f5b521a1cf8b439a0540ad8b265959e5cddc9c692d1182',
        archive_digest: '2ab3d2d24caa99ee245367015fd9e1a2de282554a2712b1b5611b7dd91de614f',
        file_count: 2,
        uncompressed_size: 163,
        archive_size: 387,
      },
      license: 'Apache-2.0',
      compatibility: null,
      metadata: {},
      allowed_tools: null,
    },
    source_refs: [
      {
        name: 'external-skill-snapshot',
        source_id: 'ext_skill_5bff5adcefdec93d95fb714d72dd242ab458fbcd27df60ae3afad107db8f380c',
      },
    ],
    artifact_refs: [],
    target: null,
    reason: null,
    result_artifact: null,
    decision_reason: null,
  },
} as const;
