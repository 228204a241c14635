import type { z } from 'zod';

/** The contract of one Artifact Family (spec 10 §6.3). The domain's half is its record in `shared/src/families`. */
export interface FamilySpec {
  /** Name in sentences, such as `Experience`, and its article. */
  title: string;
  article: 'a' | 'an';
  /** Content of a stored revision. */
  content: z.ZodObject;
  /** Content of a Create request and of a proposal, recorded as sent: the shape has neither defaults nor transforms. */
  createContent: z.ZodObject;
  /** Content of a Replace request, recorded as sent. */
  replaceContent: z.ZodObject;
  /** Whether a full-text projection of the head is stored, so that revisions can be searched. */
  isSearched: boolean;
  /** The operation `propose_<family>`; null if no revision comes from a reviewed Candidate. */
  proposal: ProposalSpec | null;
  /** Whether a generator can write the proposal. */
  isGenerated: boolean;
}

/** What differs between the operations that propose a Candidate (spec 40 §3). */
export interface ProposalSpec {
  /** What the service stores, in one or two sentences. */
  description: string;
  /** Largest request body in bytes; 256 KiB if absent. */
  bodyLimit?: number;
  /** Whether an Artifact can retire. A proposal for a retired one is 409 `governance_conflict`. */
  canRetire: boolean;
  example: {
    summary: string;
    idempotencyKey?: string;
    sent: Record<string, unknown>;
    reason: string | null;
    /** The Candidate of the answer. */
    candidateId: string;
    /** `sent` as the service stores it. */
    stored: Record<string, unknown>;
  };
}
