import type { CandidateFamily } from '@continuity/contract';
import type { Candidate, Evidence, ProposalInput } from '@continuity/contract/review';
import type { Database, PrismaTransaction, ScopeKey, TenantId } from '@continuity/kernel/database';
import { canonicalJson, type JsonValue } from '@continuity/kernel/json';
import type { Clock } from '@continuity/kernel/process';
import { newId } from '@continuity/kernel/text';
import type { Caller } from '@continuity/shared/handlers';
import { writeOnce } from '../idempotency/index.ts';
import { findScopeKey } from '../scopes/index.ts';
import { findVersion } from './candidate.ts';
import { createCandidate } from './create-candidate.ts';
import { checkEvidence, distinctEvidence } from './evidence.ts';
import type { CandidateFamilies } from './family.ts';

/** Dependencies of the operations that propose Candidates. */
export interface ProposeDeps {
  database: Database;
  clock: Clock;
  families: CandidateFamilies;
}

/** A request that creates one Candidate for each Idempotency-Key. */
interface IdempotentProposal {
  tenantId: TenantId;
  scopeId: string;
  /** Id of the operation: each has keys of its own. */
  operation: string;
  key: string | undefined;
  /** The request body with its defaults filled in. */
  body: JsonValue;
  /** Writes the Candidate, in the transaction that stores the key. Checks stored data here, so that a used key is found first. */
  write: (transaction: PrismaTransaction) => Promise<{ scopeKey: ScopeKey; candidate: Candidate }>;
}

/**
 * Creates a Candidate once for each Idempotency-Key. A repeat returns version 1 of that Candidate, even if it was revised or decided
 * since (spec 40 §3). Throws 409 `candidate_conflict` for a key that was used with another body, and the errors of `write`.
 */
export async function proposeOnce(
  database: Database,
  { write, body, ...request }: IdempotentProposal,
): Promise<Candidate> {
  const answer = await writeOnce<{ candidate_id: string }>(database, {
    ...request,
    canonicalBody: canonicalJson(body),
    conflict: 'candidate_conflict',
    prepare: async () => async (transaction) => {
      const { scopeKey, candidate } = await write(transaction);
      return { scopeKey, response: { candidate_id: candidate.candidate_id } };
    },
  });
  const first = await findVersion(database, { ...request, candidateId: answer.candidate_id }, 1);
  if (first === undefined) throw new Error('A Candidate that was proposed does not exist.');
  return first.candidate;
}

/** The body of an operation that proposes. Evidence is as sent. */
type SentProposal = Evidence & { scope_id: string; proposal: ProposalInput };

/** Proposes a Candidate of a Family with evidence. Throws 422, 409, and the errors of the Family. */
export function proposeCandidate(
  { database, clock, families }: ProposeDeps,
  { tenantId, actor }: Caller,
  family: CandidateFamily,
  body: SentProposal,
  key: string | undefined,
): Promise<Candidate> {
  const rules = families[family].candidates;
  rules.check(body.proposal);
  const scopeId = body.scope_id;
  const evidence = distinctEvidence(body);
  return proposeOnce(database, {
    tenantId,
    scopeId,
    operation: `propose_${family}`,
    key,
    body: { ...body, proposal: rules.complete(body.proposal) },
    write: async (transaction) => {
      await checkEvidence(transaction, { tenantId, scopeId }, rules, body);
      const scopeKey = await findScopeKey(transaction.sql, tenantId, scopeId);
      if (scopeKey === undefined) throw new Error('Evidence exists in a Scope that does not.');
      const candidate = await createCandidate(transaction, {
        tenantId,
        scopeKey,
        candidateId: newId(),
        origin: 'proposed',
        workKey: null,
        proposed: await rules.decide(transaction, { tenantId, scopeKey }, body.proposal),
        evidence,
        actor,
        at: clock.now(),
      });
      return { scopeKey, candidate };
    },
  });
}
