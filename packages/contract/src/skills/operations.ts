import { z } from 'zod';
import {
  artifactRef,
  digest,
  int,
  scopeId,
  sourceRef,
  str,
  text,
  token,
  trimmed,
} from '../notation/shapes.ts';
import { defineOperation, MiB } from '../operations/operation.ts';
import { uploadedCandidate } from '../review/shapes.ts';
import {
  exampleArchive,
  exampleArtifact,
  exampleContent,
  exampleManifest,
  examplePackage,
  exampleScope,
  exampleSkillId,
  exampleUploadRef,
} from './examples.ts';
import { maxArchiveBase64 } from './format.ts';
import {
  lifecycleState,
  managedSkill,
  packageDownload,
  packageManifest,
  skillGovernance,
  skillRevision,
} from './shapes.ts';

const skills = { tag: 'skills', method: 'POST', auth: 'bearer', run: 'direct' } as const;

const address = z.strictObject({ scope_id: scopeId, artifact: artifactRef });

const exampleRevision = {
  artifact: exampleArtifact,
  content: exampleContent,
  source_refs: [exampleUploadRef],
  artifact_refs: [],
};

const exampleGovernance = {
  artifact: exampleArtifact,
  lifecycle_state: 'active',
  replacement_artifact_id: null,
  governance_generation: 0,
} as const;

export const proposeSkillPackage = defineOperation({
  ...skills,
  id: 'propose_skill_package',
  path: '/v1/skill/package/propose',
  summary: 'Upload a Skill package for review',
  description:
    'Takes a ZIP archive with `SKILL.md` at its root, and stores a pending Candidate with the fields of that file. A refused ' +
    'archive is 422 with `details.package_error`, and nothing is stored. Files of a desktop and the one folder around a package are ' +
    'left out, and listed in `adjusted`. The package is stored once for each tree of files. ' +
    'Without `Idempotency-Key`, two equal calls make two Candidates.',
  headers: z.object({ 'idempotency-key': token(1, 256).optional() }),
  bodyLimit: 7 * MiB,
  body: z.strictObject({
    scope_id: scopeId,
    archive_base64: str(1, maxArchiveBase64).meta({
      description: 'A ZIP archive of at most 5 MiB, in base64.',
      contentEncoding: 'base64',
    }),
    reason: trimmed(1, 2000).nullable().default(null).meta({ description: 'A note for reviewers.' }),
    target: artifactRef.nullable().default(null).meta({ description: 'The head that the package replaces.' }),
  }),
  status: 201,
  response: uploadedCandidate,
  errors: ['artifact_conflict', 'candidate_conflict', 'governance_conflict'],
  examples: [
    {
      summary: 'A package of one file',
      body: { scope_id: exampleScope, archive_base64: exampleArchive },
      response: {
        candidate_id: '01a0521d-22b0-7f00-8a11-0c0ffee00001',
        version: 1,
        family: 'skill',
        status: 'pending',
        proposal: exampleContent,
        source_refs: [exampleUploadRef],
        artifact_refs: [],
        target: null,
        reason: null,
        result_artifact: null,
        decision_reason: null,
        adjusted: { left_out: [], left_out_count: 0, removed_folder: null },
      },
    },
  ],
});

export const getSkill = defineOperation({
  ...skills,
  id: 'get_skill',
  path: '/v1/skill/get',
  summary: 'Read one revision of a Skill',
  description: 'Returns exactly the named revision, whether it is the head or not, in any lifecycle state.',
  body: address,
  status: 200,
  response: skillRevision,
  errors: ['artifact_not_found'],
  examples: [
    {
      summary: 'The first revision',
      body: { scope_id: exampleScope, artifact: exampleArtifact },
      response: exampleRevision,
    },
  ],
});

export const listManagedSkills = defineOperation({
  ...skills,
  id: 'list_managed_skills',
  path: '/v1/skill/library',
  summary: 'List or search the Skills of a Scope',
  description:
    'Lists the heads of active Skills by name. With a `query`, lists those that have at least one of its words, best first. ' +
    '`include_deprecated` adds deprecated Skills. Never lists retired Skills.',
  body: z.strictObject({
    scope_id: scopeId,
    query: str(1, 2000).nullable().default(null),
    include_deprecated: z.boolean().default(false),
    limit: int(1, 200).default(100),
  }),
  status: 200,
  response: z.strictObject({ skills: z.array(managedSkill).max(200) }),
  errors: [],
  examples: [
    {
      summary: 'Search',
      body: { scope_id: exampleScope, query: 'how to say hello' },
      response: { skills: [{ ...exampleRevision, governance: exampleGovernance }] },
    },
  ],
});

export const updateSkillLifecycle = defineOperation({
  ...skills,
  id: 'update_skill_lifecycle',
  isUnsafeToRepeat: true,
  path: '/v1/skill/lifecycle',
  summary: 'Deprecate, retire or reactivate a Skill',
  description:
    'You can deprecate an active Skill, and reactivate a deprecated one. You can retire both, which is final. `expected_generation` is ' +
    'the generation that you have read. A request for the current state changes nothing.',
  body: z.strictObject({
    scope_id: scopeId,
    artifact_id: token(1, 128),
    expected_generation: int(0),
    lifecycle_state: lifecycleState,
    replacement_artifact_id: token(1, 128).nullable().default(null).meta({
      description: 'The Skill to use instead; only with `deprecated`.',
    }),
  }),
  status: 200,
  response: skillGovernance,
  errors: ['artifact_not_found', 'governance_conflict'],
  examples: [
    {
      summary: 'Deprecate',
      body: {
        scope_id: exampleScope,
        artifact_id: exampleSkillId,
        expected_generation: 0,
        lifecycle_state: 'deprecated',
      },
      response: { ...exampleGovernance, lifecycle_state: 'deprecated', governance_generation: 1 },
    },
  ],
});

export const getSkillPackageManifest = defineOperation({
  ...skills,
  id: 'get_skill_package_manifest',
  path: '/v1/skill/package/manifest',
  summary: 'List the files of a package',
  description: 'The fields of `SKILL.md` and the files in canonical order, without contents.',
  body: address,
  status: 200,
  response: packageManifest,
  errors: ['artifact_not_found'],
  examples: [
    {
      summary: 'A package of one file',
      body: { scope_id: exampleScope, artifact: exampleArtifact },
      response: exampleManifest,
    },
  ],
});

export const downloadSkillPackage = defineOperation({
  ...skills,
  id: 'download_skill_package',
  path: '/v1/skill/package/download',
  summary: 'Download a package',
  description:
    'The canonical archive: equal trees of files give equal bytes. Its digests are verified before it is sent.',
  body: address,
  status: 200,
  response: packageDownload,
  errors: ['artifact_not_found'],
  examples: [
    {
      summary: 'A package of one file',
      body: { scope_id: exampleScope, artifact: exampleArtifact },
      response: { package: examplePackage, archive_base64: exampleArchive },
    },
  ],
});

const skillUsage = z.strictObject({
  scope_id: scopeId,
  observation_id: text(1, 256),
  skill_ref: artifactRef,
  package_digest: digest.meta({
    description: '`sha256:` and the `tree_digest` of the package of that revision.',
  }),
  target_id: text(1, 128).meta({ description: 'Where it was observed: free text.' }),
  selected: z.boolean().meta({ description: 'Whether the agent chose the Skill.' }),
  invoked: z
    .enum(['true', 'false', 'unknown'])
    .meta({ description: 'Whether its instructions were followed.' }),
  validation: z.enum(['passed', 'failed', 'unknown']).meta({ description: 'What its own validation said.' }),
  outcome: z.enum(['success', 'failure', 'unknown']).meta({ description: 'How the task ended.' }),
  task_source: sourceRef.nullable().default(null),
  environment_fingerprint: digest.nullable().default(null).meta({
    description: 'Tells environments apart: `sha256:` and a digest of your own.',
  }),
});

export const recordSkillUsage = defineOperation({
  ...skills,
  id: 'record_skill_usage',
  path: '/v1/skill/usage',
  summary: 'Record the use of a Skill on a host',
  description:
    'Captures an immutable Source, which is evidence for the next version of the Skill. An equal repeat gets the first answer ' +
    'again. An observation changes neither the Skill nor its rank.',
  body: skillUsage,
  status: 201,
  response: z.strictObject({ status: z.enum(['accepted']), source: sourceRef, position: int(1) }),
  errors: ['artifact_not_found', 'source_conflict', 'source_not_eligible'],
  examples: [
    {
      summary: 'A Skill that was used and worked',
      body: {
        scope_id: exampleScope,
        observation_id: 'run-412',
        skill_ref: exampleArtifact,
        package_digest: `sha256:${examplePackage.tree_digest}`,
        target_id: 'build machine',
        selected: true,
        invoked: 'true',
        validation: 'passed',
        outcome: 'success',
      },
      response: { status: 'accepted', source: { name: 'skill-usage', source_id: 'run-412' }, position: 7 },
    },
  ],
});

export type SkillUsage = z.output<typeof skillUsage>;

export const skillOperations = {
  propose_skill_package: proposeSkillPackage,
  get_skill: getSkill,
  list_managed_skills: listManagedSkills,
  update_skill_lifecycle: updateSkillLifecycle,
  get_skill_package_manifest: getSkillPackageManifest,
  download_skill_package: downloadSkillPackage,
  record_skill_usage: recordSkillUsage,
};
