import { exampleArchive } from '@continuity/contract/skills';
import { planted } from '../planted.ts';
import { skillOf } from './evidence.ts';
import { type Probes, post } from './probe.ts';

/** Probes of the operations of Skills and External Skills. */
export const skillProbes = {
  propose_skill_package: (names) => [
    post('/v1/skill/package/propose', {
      scope_id: names.scope_id,
      archive_base64: exampleArchive,
      target: skillOf(names).artifact,
    }),
    post(
      '/v1/skill/package/propose',
      { scope_id: names.scope_id, archive_base64: exampleArchive },
      { 'idempotency-key': names.key },
    ),
  ],
  get_skill: (names) => [post('/v1/skill/get', skillOf(names))],
  list_managed_skills: ({ scope_id }) => [
    post('/v1/skill/library', { scope_id }),
    post('/v1/skill/library', { scope_id, query: planted.name }),
  ],
  update_skill_lifecycle: ({ scope_id, skill_id: artifact_id }) => [
    post('/v1/skill/lifecycle', {
      scope_id,
      artifact_id,
      expected_generation: 0,
      lifecycle_state: 'retired',
    }),
  ],
  get_skill_package_manifest: (names) => [post('/v1/skill/package/manifest', skillOf(names))],
  download_skill_package: (names) => [post('/v1/skill/package/download', skillOf(names))],
  record_skill_usage: (names) => [
    post('/v1/skill/usage', {
      scope_id: names.scope_id,
      observation_id: names.source_id,
      skill_ref: skillOf(names).artifact,
      package_digest: `sha256:${names.tree_digest}`,
      target_id: 'wall',
      selected: true,
      invoked: 'true',
      validation: 'passed',
      outcome: 'success',
      task_source: { name: 'content', source_id: names.source_id },
    }),
  ],
  scan_external_skills: ({ scope_id }) => [post('/v1/external-skills/scan', { scope_id })],
  list_external_skills: ({ scope_id }) => [
    post('/v1/external-skills/list', { scope_id }),
    post('/v1/external-skills/list', { scope_id, include_unavailable: true }),
  ],
  resolve_external_skill: ({ scope_id, external_skill_id, skill_fingerprint: fingerprint }) => [
    post('/v1/external-skills/resolve', { scope_id, external_skill_id, fingerprint }),
  ],
  import_external_skill: ({ scope_id, external_skill_id, skill_fingerprint: fingerprint }) =>
    ['import', 'fork'].map((mode) =>
      post('/v1/external-skills/import', { scope_id, external_skill_id, fingerprint, mode }),
    ),
} satisfies Partial<Probes>;
