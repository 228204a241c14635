import { z } from 'zod';
import { type Family, family } from '../families/catalog.ts';
import { decimal, int, scopeId, str, time, token } from '../notation/shapes.ts';
import { defineOperation, MiB } from '../operations/operation.ts';
import {
  exampleCreated,
  exampleDocument,
  exampleEntryId,
  exampleEtag,
  exampleExperience,
  exampleItem,
  exampleParameters,
  exampleRevision,
  exampleScope,
  exampleSkill,
} from './examples.ts';
import { publishArtifact } from './publication.ts';
import {
  artifactCreated,
  artifactPage,
  artifactRevision,
  createRequest,
  replaceRequest,
  replaceRequests,
} from './shapes.ts';

const artifactTag = { tag: 'artifacts', auth: 'bearer', run: 'direct' } as const;
const artifactParams = z.object({ scope_id: scopeId, family, artifact_id: token(1, 128) });
const artifactPath = '/v1/scopes/{scope_id}/artifacts/{family}/{artifact_id}';

const headHeaders = { ETag: 'Strong tag of the head.', 'Cache-Control': '`private, no-cache`' };

export const createArtifact = defineOperation({
  ...artifactTag,
  id: 'create_artifact',
  method: 'POST',
  path: '/v1/scopes/{scope_id}/artifacts',
  summary: 'Create an Artifact from approved content',
  description:
    'Writes revision one, and a Source that records the request. The first Memory of a Scope is its Scope Memory, with the ' +
    '`artifact_id` `memory`. A Scope has at most one Handoff. The server builds a package for a Skill that has none. Without ' +
    '`Idempotency-Key`, two equal calls create two Artifacts.',
  params: z.object({ scope_id: scopeId }),
  headers: z.object({ 'idempotency-key': token(1, 256).optional() }),
  bodyLimit: 8 * MiB,
  body: createRequest,
  status: 201,
  response: artifactCreated,
  responseHeaders: { Location: 'Path of the head.', ETag: 'Strong tag of the revision.' },
  errors: ['artifact_conflict', 'artifact_exists', 'handoff_evidence_not_found', 'source_not_eligible'],
  examples: [
    {
      summary: 'A Memory of two entries',
      parameters: { scope_id: exampleScope, 'Idempotency-Key': 'import-412' },
      body: {
        family: 'memory',
        content: {
          entries: [
            { kind: 'decision', text: 'Retry a failed card charge at most three times.' },
            { kind: 'constraint', text: 'Invoices are never deleted, only voided.' },
          ],
        },
      },
      response: exampleCreated,
    },
    {
      summary: 'An Experience',
      parameters: { scope_id: exampleScope },
      body: { family: 'experience', content: exampleExperience },
      response: exampleDocument('experience'),
    },
    {
      summary: 'A Skill without a package',
      parameters: { scope_id: exampleScope },
      body: { family: 'skill', content: exampleSkill },
      response: exampleDocument('skill'),
    },
  ],
});

export const listArtifacts = defineOperation({
  ...artifactTag,
  id: 'list_artifacts',
  method: 'GET',
  path: '/v1/scopes/{scope_id}/artifacts/{family}',
  summary: 'List the heads of one Family',
  description:
    'Lists the heads in ascending order of `artifact_id`, without content. A cursor is valid for 3600 s.',
  params: z.object({ scope_id: scopeId, family }),
  query: z.object({
    limit: decimal(1, 100).default(50).meta({ description: 'Default: 50.' }),
    cursor: str(1, 4096).optional(),
  }),
  status: 200,
  response: artifactPage,
  errors: ['invalid_cursor', 'cursor_expired'],
  examples: [
    {
      summary: 'The only Memory of a Scope',
      parameters: { scope_id: exampleScope, family: 'memory' },
      response: { items: [exampleItem], next_cursor: null },
    },
  ],
});

export const getArtifact = defineOperation({
  ...artifactTag,
  id: 'get_artifact',
  method: 'GET',
  path: artifactPath,
  summary: 'Read the head of an Artifact',
  params: artifactParams,
  headers: z.object({
    'if-none-match': z
      .string()
      .optional()
      .meta({ description: 'Tags that the caller has, or `*`. Compared weakly.' }),
  }),
  status: 200,
  response: artifactRevision,
  responseHeaders: headHeaders,
  otherSuccesses: [
    { status: 304, description: 'The caller has the head.', response: null, headers: headHeaders },
  ],
  errors: ['artifact_not_found'],
  examples: [{ summary: 'A Scope Memory', parameters: exampleParameters, response: exampleRevision }],
});

export const replaceArtifact = defineOperation({
  ...artifactTag,
  id: 'replace_artifact',
  isUnsafeToRepeat: true,
  method: 'PUT',
  path: artifactPath,
  summary: 'Replace the head of an Artifact',
  description:
    'Writes the next revision, and a Source that records the request. Memory entries that the request does not name stay as ' +
    'they are. Never creates an Artifact.',
  params: artifactParams,
  headers: z.object({
    'if-match': z.string().optional().meta({ description: 'The `ETag` of the head, alone or in a list.' }),
  }),
  precondition: 'if-match',
  bodyLimit: 8 * MiB,
  body: replaceRequest,
  bodyFor: ({ family }: { family: Family }) => replaceRequests[family],
  status: 200,
  response: artifactRevision,
  responseHeaders: { ETag: 'Strong tag of the new head.' },
  errors: [
    'artifact_not_found',
    'governance_conflict',
    'handoff_evidence_not_found',
    'memory_entry_inactive',
    'precondition_failed',
    'source_not_eligible',
    'precondition_required',
  ],
  examples: [
    {
      summary: 'A newer version of one entry',
      parameters: { ...exampleParameters, 'If-Match': exampleEtag },
      body: {
        content: {
          entries: [
            {
              entry_id: exampleEntryId,
              kind: 'decision',
              text: 'Retry a failed card charge at most five times, with backoff.',
            },
          ],
        },
      },
      response: exampleRevision,
    },
  ],
});

export const getArtifactRevision = defineOperation({
  ...artifactTag,
  id: 'get_artifact_revision',
  method: 'GET',
  path: `${artifactPath}/revisions/{revision}`,
  summary: 'Read one revision of an Artifact',
  description: 'A revision never changes: every read returns the same bytes.',
  params: artifactParams.extend({ revision: decimal(1) }),
  status: 200,
  response: artifactRevision,
  responseHeaders: { ETag: 'Strong tag of the revision.' },
  errors: ['artifact_not_found'],
  examples: [
    {
      summary: 'The second revision',
      parameters: { ...exampleParameters, revision: '2' },
      response: exampleRevision,
    },
  ],
});

export const listArtifactRevisions = defineOperation({
  ...artifactTag,
  id: 'list_artifact_revisions',
  method: 'GET',
  path: `${artifactPath}/revisions`,
  summary: 'List the revisions of an Artifact',
  description:
    'Lists the revisions newest first, without content. A revision that is written meanwhile is in no later page.',
  params: artifactParams,
  query: z.object({
    limit: decimal(1, 100).default(50).meta({ description: 'Default: 50.' }),
    cursor: str(1, 4096).optional(),
  }),
  status: 200,
  response: z
    .strictObject({
      items: z.array(z.strictObject({ revision: int(1), created_at: time })).max(100),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: 'ArtifactRevisionPage' }),
  errors: ['invalid_cursor', 'artifact_not_found'],
  examples: [
    {
      summary: 'A Scope Memory of two revisions',
      parameters: exampleParameters,
      response: {
        items: [
          { revision: 2, created_at: '2026-11-20T10:05:00.000Z' },
          { revision: 1, created_at: '2026-11-20T10:00:00.000Z' },
        ],
        next_cursor: null,
      },
    },
  ],
});

export const artifactOperations = {
  create_artifact: createArtifact,
  list_artifacts: listArtifacts,
  get_artifact: getArtifact,
  replace_artifact: replaceArtifact,
  get_artifact_revision: getArtifactRevision,
  list_artifact_revisions: listArtifactRevisions,
  publish_artifact: publishArtifact,
};
