import { skillOf } from './evidence.ts';
import { type Probes, post } from './probe.ts';

/** Probes of the operations of remote Skills. */
export const remoteSkillProbes = {
  list_remote_skill_targets: ({ scope_id, target_id }) => [
    post('/v1/skill/remote/targets', { scope_id }),
    post('/v1/skill/remote/targets', { scope_id, target_id }),
  ],
  create_remote_skill_target: ({ scope_id }) => [
    post('/v1/skill/remote/target/create', { scope_id, agent_kind: 'codex', display_name: 'wall' }),
  ],
  rename_remote_skill_target: ({ scope_id, target_id }) => [
    post('/v1/skill/remote/target/rename', {
      scope_id,
      target_id,
      display_name: 'wall of the second tenant',
      expected_generation: 1,
    }),
  ],
  revoke_remote_skill_target: ({ scope_id, target_id }) => [
    post('/v1/skill/remote/target/revoke', { scope_id, target_id, expected_generation: 1 }),
  ],
  publish_remote_skill: ({ target_id, ...names }) => [
    post('/v1/skill/remote/publication/publish', { ...skillOf(names), target_id, expected_generation: 0 }),
  ],
  unpublish_remote_skill: ({ scope_id, target_id, skill_id: artifact_id }) => [
    post('/v1/skill/remote/publication/unpublish', {
      scope_id,
      target_id,
      artifact_id,
      expected_generation: 0,
    }),
  ],
} satisfies Partial<Probes>;
