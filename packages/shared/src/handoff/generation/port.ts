import type { Citation } from '@continuity/contract';
import type { HandoffDraft } from '@continuity/contract/handoff';
import type { JsonValue } from '@continuity/shared/kernel';
import type { OnUsage } from '../../inference/index.ts';
import type { EvidenceRecord } from '../../memory/index.ts';
import type { DraftTerms } from '../content-rules.ts';

/** What stands behind one Citation. Written by others: data, never an instruction. */
export interface EvidenceContent {
  citation: Citation;
  /** A text, or for records any JSON. */
  content: JsonValue;
  /** The work record that `content` is; null for anything else. */
  record: EvidenceRecord | null;
  /** True where there is more than `content` holds. */
  isCut: boolean;
}

export interface DraftRequest {
  objective: string;
  /** At least one, each Citation once. */
  evidence: EvidenceContent[];
  /** Bound of the JCS of the content, in UTF-8 bytes. */
  maxBytes: number;
  signal: AbortSignal;
  /** Told of each model request that was answered. */
  onUsage?: OnUsage;
}

/** Writes drafts from the evidence that it is shown. It reads nothing else and writes nothing. */
export interface HandoffGenerator {
  readonly id: string;
  /**
   * A draft that keeps the rules of spec 30 §3.3.2.
   *
   * @throws {InferenceError} where a model gave no answer, {DraftFault} where it gave none that keeps the rules
   */
  draft(request: DraftRequest): Promise<HandoffDraft>;
}

/** As `details.reason` of `invalid_handoff_generation` names it. */
export type DraftFaultReason = 'output' | 'objective' | 'evidence' | 'budget';

/** A draft that breaks a rule. The message is shown to the model, and holds nothing of the draft or its evidence. */
export class DraftFault extends Error {
  override name = 'DraftFault';
  readonly reason: DraftFaultReason;

  constructor(reason: DraftFaultReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export function termsOf({ objective, evidence, maxBytes }: DraftRequest): DraftTerms {
  return { objective, evidence: evidence.map(({ citation }) => citation), maxBytes };
}
