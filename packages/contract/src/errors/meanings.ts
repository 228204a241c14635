import type { ErrorCode } from './catalogue.ts';

/** What documents say of an error code. */
export interface ErrorMeaning {
  /** When it is answered, and what helps: one or two sentences. */
  when: string;
  /** A message and details as a caller may get them. */
  message: string;
  details?: Record<string, unknown>;
}

const exampleHead = { family: 'memory', artifact_id: 'memory', revision: 7 };
const examplePublication = {
  source: {
    scope_id: 'project:atlas-billing',
    artifact: { family: 'experience', artifact_id: '01a0521c-bfd8-7d38-8f21-ddb66cad4a26', revision: 1 },
  },
  target: {
    scope_id: 'team:payments-conventions',
    artifact: { family: 'experience', artifact_id: '01a0521c-c533-7f28-9fb1-7c2390c192cf', revision: 1 },
  },
  content_digest: '3ebb3836621b72994947341abc13cb067f5fbb11c9bbae530772713d87bfeba3',
};
const exampleJob = { job_id: '019a9f40-6c00-7000-8000-000000000001' };

/** A line for each code of the catalogue; a missing one does not compile. */
export const errorMeanings: Record<ErrorCode, ErrorMeaning> = {
  invalid_cursor: {
    when: 'The cursor was altered, or made for another list. Start again without it.',
    message: 'The cursor is not one that this list gave. Start again without it.',
  },
  unauthorized: {
    when: 'Authentication is on, and the request has no valid token.',
    message: 'Send a valid token as `Authorization: Bearer <token>`.',
  },
  not_found: {
    when: 'The path is not one of the service.',
    message: 'There is nothing here. See /openapi.json for what there is.',
  },
  scope_not_found: {
    when: 'No Scope has the id.',
    message: 'There is no such Scope.',
    details: { scope_id: 'project-alpha' },
  },
  source_not_found: {
    when: 'The Scope has no such Source.',
    message: 'This Scope has no such Source.',
    details: { scope_id: 'project-alpha', source_type: 'content', source_id: 'ci/8841' },
  },
  source_definition_not_found: {
    when: 'No Source definition has the name and version. Register it first.',
    message: 'There is no such Source definition. Register it first.',
    details: { source_type: 'git-file', definition_version: '1' },
  },
  artifact_not_found: {
    when: 'The Scope has no such Artifact, or not that revision of it.',
    message: 'This Scope has no such Artifact.',
  },
  memory_not_found: {
    when: 'The Scope has no such Memory, revision or entry.',
    message: 'This Scope has no such Memory, revision or entry.',
  },
  handoff_evidence_not_found: {
    when: 'The Scope itself does not have some of the cited evidence. `details.citations` has all of it, in order.',
    message: 'This Scope does not have all the cited evidence.',
    details: {
      citations: [{ kind: 'source', source_ref: { name: 'content', source_id: 'ci/8841' } }],
    },
  },
  job_not_found: {
    when: 'No job has the id, or it ended more than a day ago.',
    message: 'There is no such job.',
    details: exampleJob,
  },
  method_not_allowed: {
    when: 'The path does not take the method. `Allow` names those that it takes.',
    message: 'Use POST here.',
  },
  scope_conflict: {
    when:
      'The Scope is not at the expected version, the parent would close a cycle (`details.reason` is `cycle`), or the ' +
      '`idempotency_key` was used with another body.',
    message: 'Version 3 was expected, but 4 is current. Read the Scope and decide again.',
    details: { expected_version: 3, current_version: 4 },
  },
  source_conflict: {
    when: 'The `source_id` names other content already, or the `Idempotency-Key` was used with another body.',
    message: 'This source_id already names other content.',
    details: {
      current: {
        source: { name: 'content', source_id: 'ci/8841' },
        position: 3,
        content_digest: 'sha256:f3642359b89a8ce9a12ddfb725386588204246b944fa1c9e48b9cbb3d085f94d',
      },
    },
  },
  revision_conflict: {
    when: 'The expected revision is not the current one. Read what changed and decide again.',
    message: 'Revision 6 was expected, but 7 is current. Read what changed and decide again.',
    details: { expected_revision: 6, current_revision: 7, current: exampleHead },
  },
  artifact_conflict: {
    when: 'The Artifact is not in the expected state, or the `Idempotency-Key` was used with another body.',
    message: 'The Idempotency-Key was used with another body.',
    details: { reason: 'idempotency_key' },
  },
  artifact_exists: {
    when: 'The Scope has its Handoff already. Replace it with its `ETag`, or commit the next revision.',
    message: 'This Scope has a Handoff already.',
    details: {
      current: { family: 'handoff', artifact_id: 'handoff', revision: 3 },
      current_etag: '"3-5c2f28a16f04c438cf5d6dec60d6ed8c"',
    },
  },
  memory_entry_inactive: {
    when: 'A retired entry is not revised. Remember its content to bring it back.',
    message: 'The entry is retired. Remember its content to bring it back.',
    details: { entry_id: '0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4', current: exampleHead },
  },
  publication_conflict: {
    when: 'The `idempotency_key` was used in the target Scope for another source.',
    message: 'The idempotency_key was used for another source.',
    details: { current: examplePublication },
  },
  governance_conflict: {
    when: 'The lifecycle of the Skill does not allow it.',
    message: 'A retired Skill is not replaced.',
    details: { lifecycle_state: 'retired' },
  },
  checkpoint_conflict: {
    when:
      'The checkpoint is not the expected one (`details.reason` is `stale`, `details.current` what it is), or the binding is ' +
      'that of another connector or version (`binding`).',
    message: 'The checkpoint is not the expected one. Read it and decide again.',
    details: { reason: 'stale', current: { commit: '4f1c2a' } },
  },
  source_definition_conflict: {
    when:
      'The name and version stand for another definition, with `details.current_fingerprint`, or the name is reserved ' +
      '(`details.reason` is `reserved`).',
    message: 'This name and version stand for another definition. Register the change under another version.',
    details: {
      name: 'git-file',
      version: '1',
      current_fingerprint: 'sha256:89e90b036045663797d5b4173192acc3ce6175f58b764c7ab4c60998821f0ec4',
    },
  },
  cursor_expired: {
    when: 'The cursor is over 3600 s old, or what it points into is gone. Start again without it.',
    message: 'The cursor is too old. Start again without it.',
  },
  precondition_failed: {
    when: 'The value has changed since the `ETag` of `If-Match` was read.',
    message: 'If-Match does not name the current revision.',
    details: { current_revision: 7 },
  },
  body_too_large: {
    when: 'The body is over the limit of this deployment (`BODY_LIMIT_BYTES`).',
    message: 'The body is over 8388608 bytes.',
    details: { limit_bytes: 8_388_608 },
  },
  unsupported_media_type: {
    when: 'The body is not sent as `application/json`.',
    message: 'Send the body as application/json.',
  },
  invalid_request: {
    when: 'Something in the request is wrong. `details.issues` has all that was found.',
    message: 'scope_id: is required',
    details: { issues: [{ path: 'scope_id', message: 'is required' }] },
  },
  capability_not_supported: {
    when: 'This deployment cannot do what was asked. See `get_capabilities`.',
    message: 'This deployment has no embedding model, so it cannot search in mode vector. Use auto or fts.',
    details: { capability: 'vector' },
  },
  source_not_eligible: {
    when: 'The Source only records how an Artifact was written: it is lineage, and no evidence of anything else.',
    message: 'This Source only records how an Artifact was written; it is no evidence.',
    details: { source_ref: { name: 'content', source_id: '01a0521c-9a5b-70c6-a6a3-a4506513270e' } },
  },
  precondition_required: {
    when: 'The operation needs `If-Match`, so that nothing is overwritten unseen.',
    message: 'Send If-Match with the ETag that you have read.',
  },
  rate_limited: {
    when: 'Too many requests for the limit that the operator has set. Wait as `Retry-After` says.',
    message: 'Too many requests. Try again later.',
  },
  internal_error: {
    when: 'A defect of the service. Report it with the `X-Service-Request-ID` of the answer.',
    message: 'Something failed inside the service.',
  },
  invalid_handoff_generation: {
    when:
      'The model wrote no draft that keeps the rules, asked twice. Nothing was moved. `details.reason` is `output`, ' +
      '`objective`, `evidence` or `budget`.',
    message: 'The generator wrote no draft that keeps the rules. Nothing was moved.',
    details: { reason: 'budget' },
  },
  runtime_not_ready: {
    when: 'The process is starting or stopping.',
    message: 'The service is starting or stopping. Try again shortly.',
  },
  worker_unavailable: {
    when: 'No worker for the operation runs. Nothing was written.',
    message: 'No worker for this operation runs. Try again later.',
    details: { queue: 'memory-flush' },
  },
  database_unavailable: {
    when: 'The database does not answer. Nothing was written, or the same request again tells.',
    message: 'The database does not answer. Try again shortly.',
  },
  queue_unavailable: {
    when: 'The queue store does not answer. With a `job_id` the work is written down and done later.',
    message: 'The queue does not answer. Try again shortly.',
  },
  handoff_generation_unavailable: {
    when: 'The operator has switched off drafting (`HANDOFF_GENERATION`). Write the draft yourself, and finalize it.',
    message: 'This deployment does not draft Handoffs. Write the draft yourself, and finalize it.',
  },
  inference_unavailable: {
    when: 'The model provider does not answer, or refuses.',
    message: 'The model does not answer.',
  },
  inference_timeout: {
    when: 'The model provider did not answer in time.',
    message: 'The model did not answer in time.',
  },
  job_timeout: {
    when: 'The work goes on and was not done in time. The same request again gets its result.',
    message: 'The work goes on and was not done in time. Send the same request again to get its result.',
    details: exampleJob,
  },
};
