import { z } from 'zod';
import { artifactRef, int, scopeId, scopeSelection, str, time, token } from '../notation/shapes.ts';
import { defineOperation, MiB } from '../operations/operation.ts';
import { packageSummary, skillPackageRef } from '../skills/shapes.ts';
import { exampleCandidate, exampleScope } from './examples.ts';
import {
  actor,
  candidateFamily,
  candidateOrigin,
  candidateStatus,
  cursorField,
  maxReferences,
} from './shapes.ts';

/** Limit of `total.value`. */
export const maxCounted = 1000;

const inboxItem = z
  .strictObject({
    scope_id: scopeId,
    scope_title: z.string(),
    candidate_id: token(1, 128),
    version: int(1),
    family: candidateFamily,
    status: candidateStatus,
    title: str(1, 240).meta({ description: 'The name of a Skill, or the first line of a lesson.' }),
    origin: candidateOrigin,
    target: artifactRef.nullable(),
    head: artifactRef.nullable().meta({ description: 'The head of the Artifact of the target.' }),
    stale: z.enum(['target_moved', 'target_retired']).nullable().meta({
      description: 'Why a pending Candidate can only be rejected.',
    }),
    source_count: int(0, maxReferences),
    artifact_count: int(0, maxReferences),
    package: skillPackageRef.nullable(),
    executable_count: int(0, 256).nullable().meta({ description: 'Executable files of the package.' }),
    package_summary: packageSummary.nullable().meta({
      description:
        'Null for an Experience, and while the service has not yet read the package for it: list again.',
    }),
    created_at: time,
    updated_at: time,
    decided_at: time.nullable(),
    decided_by: actor.nullable(),
    result_artifact: artifactRef.nullable(),
  })
  .meta({ id: 'InboxItem', description: 'What a reviewer sees of a Candidate before reading it.' });

const inboxRequest = z.strictObject({
  selection: scopeSelection,
  status: candidateStatus.default('pending'),
  family: candidateFamily.nullable().default(null),
  origins: z.array(candidateOrigin).min(1).max(6).nullable().default(null),
  candidate_id: token(1, 128)
    .nullable()
    .default(null)
    .meta({ description: 'This Candidate alone, in any status.' }),
  order: z.enum(['oldest', 'newest']).default('oldest'),
  cursor: cursorField,
  limit: int(1, 100).default(50),
});

export const listCandidateInbox = defineOperation({
  id: 'list_candidate_inbox',
  method: 'POST',
  path: '/v1/artifact-candidates/inbox',
  tag: 'review',
  auth: 'bearer',
  run: 'direct',
  summary: 'List the Candidates of many Scopes',
  description:
    'Lists the Candidates of a selection of Scopes by creation, without proposals and evidence. `total` counts up to 1,000. ' +
    'With a selection other than `all`, a page may be short or empty although more follow: continue with `next_cursor`.',
  bodyLimit: 4 * MiB,
  body: inboxRequest,
  status: 200,
  response: z
    .strictObject({
      items: z.array(inboxItem).max(100),
      next_cursor: z.string().nullable(),
      total: z.strictObject({ value: int(0, maxCounted), exact: z.boolean() }),
    })
    .meta({ id: 'CandidateInbox' }),
  errors: ['invalid_cursor', 'scope_not_found'],
  examples: [
    {
      summary: 'What waits for review in the tenant',
      body: { selection: { mode: 'all' } },
      response: {
        items: [
          {
            scope_id: exampleScope,
            scope_title: 'Atlas billing',
            candidate_id: exampleCandidate.candidate_id,
            version: 1,
            family: 'experience',
            status: 'pending',
            title: exampleCandidate.proposal.lesson,
            origin: 'proposed',
            target: null,
            head: null,
            stale: null,
            source_count: 1,
            artifact_count: 0,
            package: null,
            executable_count: null,
            package_summary: null,
            created_at: '2026-09-01T10:00:00.000Z',
            updated_at: '2026-09-01T10:00:00.000Z',
            decided_at: null,
            decided_by: null,
            result_artifact: null,
          },
        ],
        next_cursor: null,
        total: { value: 1, exact: true },
      },
    },
  ],
});

export type InboxRequest = z.output<typeof inboxRequest>;
export type InboxItem = z.infer<typeof inboxItem>;
