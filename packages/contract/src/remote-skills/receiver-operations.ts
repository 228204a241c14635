import { z } from 'zod';
import { artifactRef, hex64, int, scopeId, text, token } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleArchive, examplePackage } from '../skills/examples.ts';
import { agentKind, packageDownload, skillPackageRef } from '../skills/shapes.ts';
import {
  exampleAction,
  exampleArtifact,
  exampleCode,
  exampleCredential,
  exampleCurrent,
  exampleScope,
  exampleTargetId,
} from './examples.ts';
import {
  failureState,
  maxPublications,
  receiverVersion,
  remoteSkillAction,
  remoteSkillObservation,
  remoteSkillPublication,
  secret,
  targetId,
} from './shapes.ts';

const receiver = { tag: 'remote skills', method: 'POST', run: 'direct' } as const;

const separatorsAndControls = '/\\\\\\u0000-\\u001F\\u007F-\\u009F';
const noPath = new RegExp(`^[^${separatorsAndControls}]*$`);

/** A name without path separators and control characters. */
function label(max: number): z.ZodString {
  return text(1, max)
    .refine((value) => noPath.test(value), { error: 'must not contain /, \\ or control characters' })
    .meta({
      pattern:
        `^[^${separatorsAndControls}]*[^\\s\\u0085\\uFEFF${separatorsAndControls}]` +
        `[^${separatorsAndControls}]*$`,
    }) as z.ZodString;
}

export const enrollRemoteSkillTarget = defineOperation({
  ...receiver,
  auth: 'code',
  id: 'enroll_remote_skill_target',
  isUnsafeToRepeat: true,
  path: '/v1/skill/remote/target/enroll',
  summary: 'Redeem an enrollment code for the credential of a target',
  description:
    'Needs no `Authorization`, and ignores one. A code works once. No later answer shows the credential. If it is lost, ' +
    'revoke the target and create another one.',
  noStore: true,
  body: z.strictObject({
    enrollment_code: secret,
    installation_id: token(1, 128).meta({ description: 'A random id of this installation.' }),
    receiver_version: receiverVersion,
    environment_fingerprint: hex64.nullable().default(null),
    machine_hostname: label(255).nullable().default(null),
    workspace_name: label(128).nullable().default(null),
  }),
  status: 200,
  response: z.strictObject({
    scope_id: scopeId,
    target_id: targetId,
    agent_kind: agentKind,
    credential: secret,
  }),
  errors: ['enrollment_invalid'],
  examples: [
    {
      summary: 'A Receiver enrolls',
      body: {
        enrollment_code: exampleCode,
        installation_id: 'project-7d1f',
        receiver_version: '1.0.0',
        machine_hostname: 'build-7',
        workspace_name: 'atlas',
      },
      response: {
        scope_id: exampleScope,
        target_id: exampleTargetId,
        agent_kind: 'codex',
        credential: exampleCredential,
      },
    },
  ],
});

export const reconcileRemoteSkills = defineOperation({
  ...receiver,
  auth: 'target',
  id: 'reconcile_remote_skills',
  path: '/v1/skill/remote/reconcile',
  summary: 'Report the installed Skills and get the next actions',
  description:
    'Compares the observations with the publications of the target. Safe to repeat: an equal request gets the same actions until a ' +
    'publication changes.',
  run: 'job',
  waitsAlways: true,
  body: z.strictObject({
    observations: z.array(remoteSkillObservation).max(maxPublications).meta({
      description: 'One for each package that the Receiver has installed, at most one for an Artifact.',
    }),
    receiver_version: receiverVersion,
    environment_fingerprint: hex64.nullable().default(null),
  }),
  status: 200,
  response: z.strictObject({
    scope_id: scopeId,
    target_id: targetId,
    actions: z.array(remoteSkillAction).max(maxPublications).meta({
      description: 'By Artifact id, at most one for an Artifact.',
    }),
  }),
  errors: [],
  examples: [
    {
      summary: 'Nothing is installed, one Skill is published',
      body: { observations: [], receiver_version: '1.0.0' },
      response: { scope_id: exampleScope, target_id: exampleTargetId, actions: [exampleAction] },
    },
  ],
});

export const downloadRemoteSkillPackage = defineOperation({
  ...receiver,
  auth: 'target',
  id: 'download_remote_skill_package',
  path: '/v1/skill/remote/package/download',
  summary: 'Download the package of an install action',
  description: 'Serves only the package of the current publication, at exactly this generation.',
  body: z.strictObject({ generation: int(0), artifact: artifactRef, package: skillPackageRef }),
  status: 200,
  response: packageDownload,
  errors: ['remote_publication_not_found', 'remote_publication_conflict'],
  examples: [
    {
      summary: 'The package of an action',
      body: { generation: 0, artifact: exampleArtifact, package: examplePackage },
      response: { package: examplePackage, archive_base64: exampleArchive },
    },
  ],
});

export const recordRemoteSkillReceipt = defineOperation({
  ...receiver,
  auth: 'target',
  id: 'record_remote_skill_receipt',
  path: '/v1/skill/remote/receipt',
  summary: 'Report how an action ended',
  description:
    'A receipt of an older generation changes nothing, and gets `stale: true`: reconcile again. A failure never replaces ' +
    'a success of its generation.',
  body: z.strictObject({
    operation: z.enum(['install', 'unpublish']),
    generation: int(0),
    artifact: artifactRef,
    expected_tree_digest: hex64,
    observed_tree_digest: hex64.nullable().meta({
      description:
        'Digest of the folder on disk. Required for a succeeded `install`, null for a succeeded `unpublish`.',
    }),
    outcome: z.enum(['succeeded', 'failed']),
    failure_state: failureState.nullable().meta({ description: 'Required exactly for `failed`.' }),
    error_code: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_.-]*$/)
      .max(128)
      .nullable()
      .meta({ description: 'Required exactly for `failed`.' }),
    receiver_version: receiverVersion,
    environment_fingerprint: hex64.nullable(),
  }),
  status: 200,
  response: z.strictObject({
    accepted: z.boolean(),
    stale: z.boolean(),
    publication: remoteSkillPublication,
  }),
  errors: ['remote_publication_not_found', 'remote_publication_conflict'],
  examples: [
    {
      summary: 'An installed package',
      body: {
        operation: 'install',
        generation: 0,
        artifact: exampleArtifact,
        expected_tree_digest: examplePackage.tree_digest,
        observed_tree_digest: examplePackage.tree_digest,
        outcome: 'succeeded',
        failure_state: null,
        error_code: null,
        receiver_version: '1.0.0',
        environment_fingerprint: null,
      },
      response: { accepted: true, stale: false, publication: exampleCurrent },
    },
  ],
});
