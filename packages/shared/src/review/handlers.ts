import type { proposalOperations, reviewOperations } from '@continuity/contract/review';
import type { Database } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { Clock } from '@continuity/kernel/process';
import { type Caller, type CursorCodec, type Handlers, longAnswer } from '@continuity/shared/handlers';
import { checkSkill, completeSkill, decideSkill, readDownload, readManifest } from '../skills/index.ts';
import { type ApproveDeps, approveCandidate, type Decision } from './approve.ts';
import { findCandidatePackage } from './candidate-package.ts';
import { type CandidateAddress, findCandidate } from './find.ts';
import { listInbox } from './inbox.ts';
import { listCandidates } from './list-candidates.ts';
import { listVersions } from './list-versions.ts';
import { type ProposeDeps, proposeCandidate } from './propose.ts';
import { rejectCandidate } from './reject.ts';
import { reviseCandidate } from './revise.ts';

/** Dependencies of the operations on Candidates. */
export interface ReviewDeps extends ProposeDeps, ApproveDeps {
  database: Database;
  cursors: CursorCodec;
  clock: Clock;
}

export const proposalHandlers: Handlers<typeof proposalOperations, ProposeDeps> = {
  propose_experience: async (deps, caller, { headers, body }) => ({
    body: await proposeCandidate(deps, caller, {
      family: 'experience',
      operation: 'propose_experience',
      key: headers['idempotency-key'],
      body,
      decide: async () => ({ family: 'experience', content: body.proposal }),
    }),
  }),

  propose_skill: async (deps, caller, { headers, body }) => {
    checkSkill(body.proposal, 'proposal');
    return {
      body: await proposeCandidate(deps, caller, {
        family: 'skill',
        operation: 'propose_skill',
        key: headers['idempotency-key'],
        body: { ...body, proposal: completeSkill(body.proposal) },
        decide: async (transaction, place) => ({
          family: 'skill',
          skill: await decideSkill(transaction, place, body.proposal, 'proposal'),
        }),
      }),
    };
  },
};

export const reviewHandlers: Handlers<typeof reviewOperations, ReviewDeps> = {
  list_artifact_candidates: async ({ database, cursors }, { tenantId }, { body }) =>
    longAnswer(await listCandidates(database, cursors, tenantId, body)),

  get_artifact_candidate: async ({ database }, caller, { body }) => {
    const stored = await findCandidate(database, addressOf(caller, body));
    if (stored === undefined) throw serviceError('candidate_not_found');
    return { body: stored.candidate };
  },

  approve_artifact_candidate: async (deps, caller, { body }) => ({
    body: await approveCandidate(deps, decisionOf(caller, deps.clock, body)),
  }),

  reject_artifact_candidate: async ({ database, clock }, caller, { body }) => ({
    body: await rejectCandidate(database, decisionOf(caller, clock, body), body.reason),
  }),

  revise_artifact_candidate: async ({ database, clock }, caller, { body }) => {
    const { proposal, ...evidence } = body;
    const decision = decisionOf(caller, clock, body);
    return { body: await reviseCandidate(database, { ...decision, proposal, evidence }) };
  },

  list_candidate_inbox: async ({ database, cursors }, { tenantId }, { body }) => ({
    body: await listInbox(database, cursors, tenantId, body),
  }),

  list_candidate_versions: async ({ database, cursors }, caller, { body }) => ({
    body: await listVersions(database, cursors, addressOf(caller, body), body),
  }),

  get_candidate_package_manifest: async ({ database }, caller, { body }) => {
    const { place, treeDigest } = await findCandidatePackage(database, addressOf(caller, body), body.version);
    return { body: await readManifest(database, place, treeDigest) };
  },

  download_candidate_package: async ({ database }, caller, { body }) => {
    const { place, treeDigest } = await findCandidatePackage(database, addressOf(caller, body), body.version);
    return await readDownload(database, place, treeDigest);
  },
};

function addressOf(
  { tenantId }: Caller,
  { scope_id: scopeId, candidate_id: candidateId }: { scope_id: string; candidate_id: string },
): CandidateAddress {
  return { tenantId, scopeId, candidateId };
}

function decisionOf(
  caller: Caller,
  clock: Clock,
  body: { scope_id: string; candidate_id: string; expected_version: number },
): Decision {
  return {
    address: addressOf(caller, body),
    expectedVersion: body.expected_version,
    actor: caller.actor,
    at: clock.now(),
  };
}
