import { z } from 'zod';
import { artifactRef, hex64, int, scopeId, str, text, time, token } from '../notation/shapes.ts';
import { slugPattern } from '../skills/format.ts';
import { agentKind, skillPackageRef } from '../skills/shapes.ts';

/** `slug(1..64)` */
const slug = z.string().regex(new RegExp(slugPattern)).min(1).max(64);

export const targetId = slug;
export const skillName = slug;

export const receiverVersion = token(1, 64);
/** A one-time code or a credential. Its form is not part of the contract. */
export const secret = str(32, 256);

/** Prefix of each enrollment code. */
export const codePrefix = 'ske_';
/** Prefix of each credential of a target. No token of a tenant may have it. */
export const credentialPrefix = 'skt_';

/** Limit of the targets of a Scope that are not revoked. */
export const maxTargets = 200;
/** Limit of the publications of a target whose removal is not confirmed, and of the observations and actions of a reconcile. */
export const maxPublications = 256;

export const targetState = z.enum(['pending', 'active', 'revoked']);
export const presence = z.enum(['unknown', 'online', 'offline']);

export const remoteSkillTarget = z
  .strictObject({
    scope_id: scopeId,
    target_id: targetId,
    display_name: text(1, 128),
    agent_kind: agentKind,
    installation_scope: z.literal('project'),
    delivery_mode: z.literal('agent_pull'),
    installation_id: token(1, 128).nullable(),
    state: targetState,
    receiver_version: receiverVersion.nullable(),
    environment_fingerprint: hex64.nullable(),
    machine_hostname: text(1, 255).nullable(),
    workspace_name: text(1, 128).nullable(),
    last_seen_at: time.nullable(),
    presence: presence.meta({
      description:
        '`unknown` before the first contact, `offline` after a time without a request (`REMOTE_OFFLINE_MS`).',
    }),
    generation: int(0),
  })
  .meta({
    id: 'RemoteSkillTarget',
    description:
      'A project on another machine whose Receiver pulls Skills. The generation grows with enrollment, a new name, revocation and expiry.',
  });

export const publicationState = z.enum([
  'unpublished',
  'pending',
  'current',
  'update_available',
  'delivery_failed',
  'conflict',
  'drifted',
  'incompatible',
]);

export const failureState = z.enum(['delivery_failed', 'conflict', 'drifted', 'incompatible']);

export const remoteSkillPublication = z
  .strictObject({
    scope_id: scopeId,
    target_id: targetId,
    artifact_id: token(1, 128),
    desired_state: z.enum(['published', 'unpublished']),
    desired_revision: int(1),
    desired_tree_digest: hex64,
    observed_revision: int(1).nullable(),
    observed_tree_digest: hex64.nullable(),
    observed_generation: int(0).nullable(),
    state: publicationState,
    last_error_code: str(1, 128).nullable(),
    observed_at: time.nullable(),
    generation: int(0),
  })
  .meta({
    id: 'RemoteSkillPublication',
    description:
      'Desired state of one Skill at one target, and the state that its Receiver has confirmed (`observed_…`). The generation grows ' +
      'with each publish and unpublish that changes the desired state.',
  });

export const remoteSkillObservation = z
  .strictObject({
    artifact: artifactRef,
    tree_digest: hex64.meta({ description: 'Digest in the checkpoint of the Receiver.' }),
    actual_tree_digest: hex64.nullable().meta({
      description: 'Digest of the folder on disk; null if it is unreadable or no package.',
    }),
    skill_name: skillName,
    applied_generation: int(0),
  })
  .meta({ id: 'RemoteSkillObservation', description: 'A package that a Receiver has installed.' });

export const remoteSkillAction = z
  .strictObject({
    operation: z.enum(['install', 'unpublish']),
    generation: int(0),
    artifact: artifactRef,
    tree_digest: hex64,
    skill_name: skillName,
    package: skillPackageRef
      .nullable()
      .meta({ description: 'The package to download; null for `unpublish`.' }),
    expected_local: remoteSkillObservation.nullable().meta({
      description: 'The installed package that the Receiver may replace or remove; null for none.',
    }),
    blocked_error_code: str(1, 128).nullable().meta({
      description: 'Why the Receiver must not act; null if it may.',
    }),
  })
  .meta({ id: 'RemoteSkillAction', description: 'An instruction to a Receiver for one Skill.' });

export type TargetState = z.infer<typeof targetState>;
export type Presence = z.infer<typeof presence>;
export type RemoteSkillTarget = z.infer<typeof remoteSkillTarget>;
export type PublicationState = z.infer<typeof publicationState>;
export type FailureState = z.infer<typeof failureState>;
export type RemoteSkillPublication = z.infer<typeof remoteSkillPublication>;
export type RemoteSkillObservation = z.infer<typeof remoteSkillObservation>;
export type RemoteSkillAction = z.infer<typeof remoteSkillAction>;
