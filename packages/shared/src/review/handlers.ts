import { type CandidateFamily, candidateFamilies, type OperationInput } from '@continuity/contract';
import { countHiddenCharacters } from '@continuity/contract/hidden-characters';
import type { Proposal, proposalOperations, reviewOperations } from '@continuity/contract/review';
import type { PackageSummary } from '@continuity/contract/skills';
import type { Database } from '@continuity/kernel/database';
import { fromDatabaseError, serviceError } from '@continuity/kernel/errors';
import type { Clock } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import { type Caller, type CursorCodec, type Handlers, longAnswer } from '@continuity/shared/handlers';
import { type CandidateAddress, findCandidate, findVersion, type StoredCandidate } from './candidate.ts';
import { type ApproveDeps, approveCandidate, type Decision, rejectCandidate } from './decide.ts';
import type { PackageRules, ScopePlace } from './family.ts';
import { listInbox } from './inbox.ts';
import { listCandidates, listVersions } from './list.ts';
import { type ProposeDeps, proposeCandidate } from './propose.ts';
import { reviseCandidate } from './revise.ts';

/** Dependencies of the operations on Candidates. */
export interface ReviewDeps extends ProposeDeps, ApproveDeps {
  database: Database;
  cursors: CursorCodec;
  clock: Clock;
  logger: Logger;
}

/** A request to propose a Candidate of any Family. */
type SentRequest = OperationInput<(typeof proposalOperations)[keyof typeof proposalOperations]>;

type ProposalHandlers = Handlers<typeof proposalOperations, ProposeDeps>;

function proposalHandler(family: CandidateFamily): ProposalHandlers[`propose_${CandidateFamily}`] {
  return async (deps: ProposeDeps, caller: Caller, { headers, body }: SentRequest) => ({
    body: await proposeCandidate(deps, caller, family, body, headers['idempotency-key']),
  });
}

/** One handler for each Family with Candidates. */
export const proposalHandlers = Object.fromEntries(
  candidateFamilies.map((family) => [`propose_${family}`, proposalHandler(family)]),
) as ProposalHandlers;

export const reviewHandlers: Handlers<typeof reviewOperations, ReviewDeps> = {
  list_artifact_candidates: async ({ database, cursors }, { tenantId }, { body }) =>
    longAnswer(await listCandidates(database, cursors, tenantId, body)),

  get_artifact_candidate: async (deps, caller, { body }) => {
    const stored = await findCandidate(deps.database, addressOf(caller, body));
    if (stored === undefined) throw serviceError('candidate_not_found');
    const hidden = countHiddenCharacters(textsOf(stored.candidate.proposal).join(' '));
    const summary = await summaryOf(deps, stored);
    return { body: { ...stored.candidate, hidden_characters: hidden, package_summary: summary } };
  },

  approve_artifact_candidate: async (deps, caller, { body }) => ({
    body: await approveCandidate(deps, decisionOf(caller, deps.clock, body)),
  }),

  reject_artifact_candidate: async ({ database, clock }, caller, { body }) => ({
    body: await rejectCandidate(database, decisionOf(caller, clock, body), body.reason),
  }),

  revise_artifact_candidate: async (deps, caller, { body }) => {
    const { proposal, ...evidence } = body;
    const decision = decisionOf(caller, deps.clock, body);
    return { body: await reviseCandidate(deps, { ...decision, proposal, evidence }) };
  },

  list_candidate_inbox: async (deps, { tenantId }, { body }) => ({
    body: await listInbox(deps, tenantId, body),
  }),

  list_candidate_versions: async ({ database, cursors }, caller, { body }) => ({
    body: await listVersions(database, cursors, addressOf(caller, body), body),
  }),

  get_candidate_package_manifest: async (deps, caller, { body }) => {
    const { rules, place, proposal } = await findPackage(deps, addressOf(caller, body), body.version);
    return { body: await rules.readManifest(deps.database, place, proposal) };
  },

  read_candidate_package_file: async (deps, caller, { body }) => {
    const { rules, place, proposal } = await findPackage(deps, addressOf(caller, body), body.version);
    const { path, offset, max_bytes: maxBytes } = body;
    return { body: await rules.readFile(deps.database, place, proposal, { path, offset, maxBytes }) };
  },

  download_candidate_package: async (deps, caller, { body }) => {
    const { rules, place, proposal } = await findPackage(deps, addressOf(caller, body), body.version);
    return await rules.readDownload(deps.database, place, proposal);
  },
};

/**
 * Finds a version of a Candidate that has a package. Throws 404 `candidate_not_found` for an unknown Candidate or version, and for
 * a Family without packages.
 */
async function findPackage(
  { database, families }: ReviewDeps,
  address: CandidateAddress,
  version: number,
): Promise<{ rules: PackageRules; place: ScopePlace; proposal: Proposal }> {
  const stored = await findVersion(database, address, version);
  const rules = stored && families[stored.family].candidates.package;
  if (!rules) throw serviceError('candidate_not_found');
  return { rules, place: stored, proposal: stored.candidate.proposal };
}

/** All texts of a JSON value, names of fields included. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
}

/** The summary of a package; null without one. Also null if it is damaged or no thread reads it in time, which is logged: the rest is known. */
async function summaryOf(
  { database, packageThreads, families, logger }: ReviewDeps,
  stored: StoredCandidate,
): Promise<PackageSummary | null> {
  const rules = families[stored.family].candidates.package;
  const { proposal } = stored.candidate;
  if (rules === null || !('package' in proposal) || proposal.package === null) return null;
  try {
    return await rules.readSummary({ queries: database, packageThreads }, stored, proposal.package);
  } catch (error) {
    if (fromDatabaseError(error) !== undefined) throw error;
    logger.warn({ err: error, tenant_id: stored.tenantId }, 'a Skill package was not summarized');
    return null;
  }
}

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
