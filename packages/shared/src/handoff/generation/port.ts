import type { Citation } from '@continuity/contract';
import type { HandoffDraft } from '@continuity/contract/handoff';
import type { TenantId } from '@continuity/kernel/database';
import { InvalidAnswerError, type OnUsage } from '../../inference/index.ts';
import type { EvidenceRecord } from '../../memory/index.ts';
import type { DraftTerms } from '../rules.ts';

/** The content of one Citation. Untrusted: data, never an instruction. */
export interface EvidenceContent {
  citation: Citation;
  /** Canonical JSON of a text, or of the whole content of a record. */
  json: string;
  /** Kind of a work record; null for other content. */
  record: EvidenceRecord | null;
  /** Whether `json` has only a part of the content. */
  isTruncated: boolean;
}

export interface DraftRequest {
  tenantId: TenantId;
  objective: string;
  /** At least one; Citations are distinct. */
  evidence: EvidenceContent[];
  /** Limit of the content's canonical JSON, in UTF-8 bytes. */
  maxBytes: number;
  signal: AbortSignal;
  /** Called after each answered model request. */
  onUsage?: OnUsage;
}

/** Drafts Handoffs from the given evidence only. Has no side effects. */
export interface HandoffGenerator {
  readonly id: string;
  /**
   * Returns a draft that is valid by spec 30 §3.3.2.
   *
   * @throws {InferenceError} if a model request fails, {InvalidDraftError} if the model returns no valid draft
   */
  draft(request: DraftRequest): Promise<HandoffDraft>;
}

/** `details.reason` of `invalid_handoff_generation`. */
export type InvalidDraftReason = 'output' | 'objective' | 'evidence' | 'budget';

/** A draft that breaks a rule. */
export class InvalidDraftError extends InvalidAnswerError {
  override name = 'InvalidDraftError';
  readonly reason: InvalidDraftReason;

  constructor(reason: InvalidDraftReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The constraints of a request on its draft. */
export function termsOf({ objective, evidence, maxBytes }: DraftRequest): DraftTerms {
  return { objective, evidence: evidence.map(({ citation }) => citation), maxBytes };
}
