import type { JobPayload } from '@continuity/contract';
import {
  type HandoffActivation,
  type HandoffDraft,
  type HandoffOmission,
  handoffDraft,
  maxOmissions,
} from '@continuity/contract/handoff';
import type { Settings } from '@continuity/kernel/config';
import type { Database } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { findJsonIssues, type JsonValue } from '@continuity/kernel/json';
import type { Logger } from '@continuity/kernel/telemetry';
import type { EvidencePlace } from '../../evidence/index.ts';
import { InferenceError, inferenceFailed } from '../../inference/index.ts';
import {
  type ClaimedJob,
  commitFinishedJob,
  finishJob,
  type JobGateway,
  type JobHandler,
} from '../../jobs/index.ts';
import { countGenerations } from '../../usage/index.ts';
import { contentBytes, contentOfDraft } from '../content.ts';
import { brokenDraftRule } from '../rules.ts';
import { findActivation, ignored, moveCursor } from './activation-cursor.ts';
import {
  type DraftRequest,
  type HandoffGenerator,
  InvalidDraftError,
  type InvalidDraftReason,
  termsOf,
} from './port.ts';
import { readEvidence } from './read-evidence.ts';

/** Dependencies of the operations on Handoff drafts. */
export interface HandoffGenerationDeps {
  database: Database;
  jobs: JobGateway;
  settings: Pick<Settings, 'HANDOFF_GENERATION'>;
}

/** Validates a draft against spec 30 §3.1 and §3.3.2 and returns it. @throws {InvalidDraftError} */
export function checkDraft(draft: HandoffDraft, request: DraftRequest): HandoffDraft {
  const broken = isWellFormed(draft) ? brokenDraftRule(draft, termsOf(request)) : 'output';
  if (broken === undefined) return draft;
  throw new InvalidDraftError(broken, sentences[broken](request));
}

function isWellFormed(draft: HandoffDraft): boolean {
  return handoffDraft.safeParse(draft).success && findJsonIssues(draft).length === 0;
}

const sentences: Record<InvalidDraftReason, (request: DraftRequest) => string> = {
  output: () =>
    'A text was empty or too long, the state was empty or had too many statements, or a complete draft had a next action.',
  objective: () => 'The objective was changed.',
  evidence: () => 'A statement cited nothing, or an unknown number.',
  budget: ({ maxBytes }) =>
    `The draft was larger than ${maxBytes} bytes. Write fewer and shorter statements.`,
};

/** Adds omissions to a draft in order, skipping those that exceed its limits. */
export function addOmissions(
  draft: HandoffDraft,
  { maxBytes }: Pick<DraftRequest, 'maxBytes'>,
  added: HandoffOmission[],
): HandoffDraft {
  let omissions = draft.omissions;
  for (const omission of added) {
    const longer = [...omissions, omission];
    const bytes = contentBytes(contentOfDraft({ ...draft, omissions: longer }));
    if (longer.length <= maxOmissions && bytes <= maxBytes) omissions = longer;
  }
  return { ...draft, omissions };
}

/** Dependencies of `runPrepare` and `runActivate`. */
interface DraftDeps {
  database: Database;
  generator: HandoffGenerator;
  logger: Logger;
}

/** The handler of `prepare_handoff`. Writes the draft as the job's result and nothing else. */
export function runPrepare(deps: DraftDeps): JobHandler<'prepare_handoff'> {
  return async (job, request, { signal }) => {
    const draft = await generate(deps, placeOf(job, request), request, signal);
    await finishJob(deps.database.sql, job, asJson(draft));
  };
}

/** The handler of `activate_handoff`. Commits draft and cursor in one transaction (spec 30 §3.4.3). */
export function runActivate(deps: DraftDeps): JobHandler<'activate_handoff'> {
  const { database } = deps;
  return async (job, request, { signal }) => {
    const { boundary_source } = request;
    const place = placeOf(job, request);
    const activation = await findActivation(database.sql, place, boundary_source);
    // An earlier activation in the group may have passed the boundary.
    if (activation !== undefined && activation.position <= activation.cursor) {
      await finishJob(database.sql, job, asJson(ignored(boundary_source, activation.cursor)));
      return;
    }
    const draft = await generate(deps, place, request, signal);
    if (activation === undefined) throw new Error('The boundary exists but has no position.');
    const result: HandoffActivation = {
      status: 'generated',
      boundary_source,
      previous_position: activation.cursor,
      current_position: activation.position,
      draft,
    };
    await database.transaction(async (sql) => {
      await moveCursor(sql, place.tenantId, activation);
      await commitFinishedJob(sql, job, asJson(result));
    });
  };
}

/** Generates a draft. Throws a `ServiceError` for missing evidence or a failed generator. */
async function generate(
  { database: { sql }, generator, logger }: DraftDeps,
  place: EvidencePlace,
  request: JobPayload<'prepare_handoff'>,
  signal: AbortSignal,
): Promise<HandoffDraft> {
  const { objective, max_bytes: maxBytes } = request;
  const evidence = await readEvidence(sql, place, request.evidence);
  const use = { tenantId: place.tenantId, scope: { scopeId: place.scopeId } };
  const onUsage = countGenerations({ sql, logger }, { ...use, purpose: 'handoff_generation' });
  try {
    return await generator.draft({
      tenantId: place.tenantId,
      objective,
      evidence,
      maxBytes,
      signal,
      onUsage,
    });
  } catch (error) {
    throw toServiceError(error);
  }
}

function toServiceError(error: unknown): unknown {
  if (error instanceof InferenceError) return inferenceFailed(error, 'Nothing changed; ask again.');
  if (!(error instanceof InvalidDraftError)) return error;
  return serviceError('invalid_handoff_generation', { details: { reason: error.reason }, cause: error });
}

function placeOf({ tenantId }: ClaimedJob, { scope_id }: JobPayload<'prepare_handoff'>): EvidencePlace {
  return { tenantId, scopeId: scope_id };
}

function asJson(result: HandoffDraft | HandoffActivation): JsonValue {
  return result;
}
