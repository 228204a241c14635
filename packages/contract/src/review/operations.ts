import { z } from 'zod';
import { noHiddenCharacters } from '../notation/hidden-characters.ts';
import { int, scopeId, str, time, token, trimmed } from '../notation/shapes.ts';
import { defineOperation, MiB } from '../operations/operation.ts';
import { exampleArchive, exampleFile, exampleManifest, examplePackage } from '../skills/examples.ts';
import { defaultFilePart, maxFilePart, maxPackageBytes, maxPathBytes } from '../skills/format.ts';
import { packageDownload, packageFile, packageManifest } from '../skills/shapes.ts';
import {
  exampleCandidate,
  exampleCandidateId,
  exampleProposal,
  exampleReferences,
  exampleResult,
  exampleScope,
  exampleSkillCandidateId,
} from './examples.ts';
import { listCandidateInbox } from './inbox.ts';
import {
  actor,
  candidate,
  candidateDetail,
  candidateFamily,
  candidateStatus,
  cursorField,
  evidenceFields,
  proposalInput,
} from './shapes.ts';

const reviewTag = { method: 'POST', tag: 'review', auth: 'bearer', run: 'direct', status: 200 } as const;

const readVersion = int(1).meta({ description: 'The version that was read.' });
const addressed = { scope_id: scopeId, candidate_id: token(1, 128) };
const exampleAddress = { scope_id: exampleScope, candidate_id: exampleCandidateId };

const expected = {
  ...addressed,
  expected_version: readVersion,
};
const exampleExpected = { ...exampleAddress, expected_version: 1 };

const listRequest = z.strictObject({
  scope_id: scopeId,
  status: candidateStatus.default('pending'),
  family: candidateFamily.nullable().default(null),
  cursor: cursorField,
  limit: int(1, 100).default(50),
});

export const listArtifactCandidates = defineOperation({
  ...reviewTag,
  id: 'list_artifact_candidates',
  path: '/v1/artifact-candidates/list',
  summary: 'List the Candidates of a Scope',
  description:
    'Lists current versions, in order of creation. Each page has the Candidates that have the status at that moment. A cursor ' +
    'belongs to its Scope, status and family, and does not expire.',
  body: listRequest,
  response: z
    .strictObject({ candidates: z.array(candidate).max(100), next_cursor: z.string().nullable() })
    .meta({ id: 'CandidatePage' }),
  errors: ['invalid_cursor'],
  examples: [
    {
      summary: 'What waits for review',
      body: { scope_id: exampleScope },
      response: { candidates: [exampleCandidate], next_cursor: null },
    },
  ],
});

export const getArtifactCandidate = defineOperation({
  ...reviewTag,
  id: 'get_artifact_candidate',
  path: '/v1/artifact-candidates/get',
  summary: 'Read the current version of a Candidate',
  description:
    '`hidden_characters` counts what a reader of the proposal cannot see. For a Skill, `package_summary` says what an approval would install: counts of files, bytes, executables and hidden ' +
    'characters, and all keys and comments of the front matter. It is null while the service cannot read the package.',
  body: z.strictObject(addressed),
  response: candidateDetail,
  errors: ['candidate_not_found'],
  examples: [
    {
      summary: 'A pending Candidate',
      body: exampleAddress,
      response: { ...exampleCandidate, hidden_characters: noHiddenCharacters(), package_summary: null },
    },
  ],
});

export const approveArtifactCandidate = defineOperation({
  ...reviewTag,
  id: 'approve_artifact_candidate',
  isUnsafeToRepeat: true,
  path: '/v1/artifact-candidates/approve',
  summary: 'Approve the version of a Candidate that was read',
  description:
    'Writes the proposal, unchanged, as revision one of a new Artifact, or as the next revision of the target. Search and ' +
    'prepared contexts find it from then on. An approval publishes, installs and runs nothing. A decision is final.',
  body: z.strictObject(expected),
  response: candidate,
  errors: [
    'candidate_not_found',
    'candidate_terminal',
    'candidate_conflict',
    'artifact_conflict',
    'governance_conflict',
  ],
  examples: [
    {
      summary: 'A new Experience',
      body: exampleExpected,
      response: { ...exampleCandidate, status: 'approved', result_artifact: exampleResult },
    },
  ],
});

export const rejectArtifactCandidate = defineOperation({
  ...reviewTag,
  id: 'reject_artifact_candidate',
  isUnsafeToRepeat: true,
  path: '/v1/artifact-candidates/reject',
  summary: 'Reject the version of a Candidate that was read',
  description: 'Creates no Artifact. A decision is final.',
  body: z.strictObject({ ...expected, reason: trimmed(1, 2000) }),
  response: candidate,
  errors: ['candidate_not_found', 'candidate_terminal', 'candidate_conflict'],
  examples: [
    {
      summary: 'A lesson that says nothing new',
      body: { ...exampleExpected, reason: 'The conventions say so already.' },
      response: {
        ...exampleCandidate,
        status: 'rejected',
        decision_reason: 'The conventions say so already.',
      },
    },
  ],
});

const revised = { ...exampleProposal, lesson: 'Generate the client in the commit that changes a schema.' };

export const reviseArtifactCandidate = defineOperation({
  ...reviewTag,
  id: 'revise_artifact_candidate',
  isUnsafeToRepeat: true,
  path: '/v1/artifact-candidates/revise',
  summary: 'Replace the content of a pending Candidate',
  description:
    'Appends a version with a complete proposal, its evidence and its reason. The Candidate stays pending, and keeps its Family ' +
    'and its target: repeat the target.',
  bodyLimit: 2 * MiB,
  body: z.strictObject({ ...expected, proposal: proposalInput, ...evidenceFields }),
  response: candidate,
  errors: [
    'candidate_not_found',
    'candidate_terminal',
    'candidate_conflict',
    'artifact_conflict',
    'governance_conflict',
    'source_not_eligible',
  ],
  examples: [
    {
      summary: 'A clearer lesson',
      body: { ...exampleExpected, proposal: revised, ...exampleReferences },
      response: { ...exampleCandidate, version: 2, proposal: revised, reason: null },
    },
  ],
});

export const listCandidateVersions = defineOperation({
  ...reviewTag,
  id: 'list_candidate_versions',
  path: '/v1/artifact-candidates/versions',
  summary: 'List the versions of a Candidate',
  description:
    'Lists the newest version first. An older version has its own content and the status `pending`. A page has at most 4 MiB, ' +
    'and at least one version.',
  body: z.strictObject({ ...addressed, cursor: cursorField, limit: int(1, 20).default(10) }),
  response: z
    .strictObject({
      versions: z.array(z.strictObject({ candidate, created_at: time, actor: actor.nullable() })).max(20),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: 'CandidateVersionPage' }),
  errors: ['candidate_not_found', 'invalid_cursor'],
  examples: [
    {
      summary: 'A Candidate that nobody has revised',
      body: exampleAddress,
      response: {
        versions: [
          { candidate: exampleCandidate, created_at: '2026-09-01T10:00:00.000Z', actor: { label: 'ci' } },
        ],
        next_cursor: null,
      },
    },
  ],
});

const ofVersion = {
  ...reviewTag,
  body: z.strictObject({ ...addressed, version: readVersion }),
} as const;

const exampleVersion = {
  scope_id: exampleScope,
  candidate_id: exampleSkillCandidateId,
  version: 1,
};

export const getCandidatePackageManifest = defineOperation({
  ...ofVersion,
  id: 'get_candidate_package_manifest',
  path: '/v1/artifact-candidates/package/manifest',
  summary: 'List the files of a proposed package',
  description:
    'Lists the files of one version of a Skill Candidate, for a reviewer to read before the approval.',
  errors: ['candidate_not_found'],
  response: packageManifest,
  examples: [{ summary: 'A package of one file', body: exampleVersion, response: exampleManifest }],
});

export const readCandidatePackageFile = defineOperation({
  ...reviewTag,
  id: 'read_candidate_package_file',
  path: '/v1/artifact-candidates/package/file',
  summary: 'Read a file of a proposed package',
  description:
    'Returns a part of a file of one version of a Skill Candidate as text, with hidden characters drawn as codes such as ' +
    '`<U+200B>`. A part ends at a line break if it can. `download_candidate_package` has the exact bytes.',
  body: z.strictObject({
    ...addressed,
    version: readVersion,
    path: str(1, maxPathBytes).meta({ description: 'A path of the manifest. 422 for another one.' }),
    offset: int(0, maxPackageBytes)
      .default(0)
      .meta({ description: '`next_offset` of the previous part, in bytes.' }),
    max_bytes: int(1_024, maxFilePart)
      .default(defaultFilePart)
      .meta({ description: 'Limit of the part, in bytes of the file.' }),
  }),
  errors: ['candidate_not_found'],
  response: packageFile,
  examples: [
    {
      summary: 'The whole SKILL.md',
      body: { ...exampleVersion, path: 'SKILL.md' },
      response: exampleFile,
    },
  ],
});

export const downloadCandidatePackage = defineOperation({
  ...ofVersion,
  id: 'download_candidate_package',
  path: '/v1/artifact-candidates/package/download',
  summary: 'Download a proposed package',
  description: 'Returns the canonical archive of one version of a Skill Candidate, in any status.',
  errors: ['candidate_not_found'],
  response: packageDownload,
  examples: [
    {
      summary: 'A package of one file',
      body: exampleVersion,
      response: { package: examplePackage, archive_base64: exampleArchive },
    },
  ],
});

export const reviewOperations = {
  list_artifact_candidates: listArtifactCandidates,
  get_artifact_candidate: getArtifactCandidate,
  approve_artifact_candidate: approveArtifactCandidate,
  reject_artifact_candidate: rejectArtifactCandidate,
  revise_artifact_candidate: reviseArtifactCandidate,
  list_candidate_inbox: listCandidateInbox,
  list_candidate_versions: listCandidateVersions,
  get_candidate_package_manifest: getCandidatePackageManifest,
  read_candidate_package_file: readCandidatePackageFile,
  download_candidate_package: downloadCandidatePackage,
};

export type ListCandidatesRequest = z.infer<typeof listRequest>;
