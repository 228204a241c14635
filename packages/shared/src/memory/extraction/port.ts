import type { SourceRef } from '@continuity/contract';
import type { LeftOut } from '@continuity/contract/memory';
import type { TenantId } from '@continuity/kernel/database';
import type { OnUsage } from '../../inference/index.ts';
import type { SourceOrigin } from './origin.ts';

/** One eligible Source of a window. `json` is the canonical JSON of a string, or of anything for observations and records. */
export interface EvidenceSource {
  ref: SourceRef;
  position: number;
  json: string;
  /** Kind of a work record; null or absent for any other Source. */
  record?: ExtractedRecordKind | null;
  /** Absent: unknown. */
  origin?: SourceOrigin;
}

/** Records that are evidence. Receipts and requests of Artifact writes are not eligible (spec 20 F6). */
export type ExtractedRecordKind = 'work-contract' | 'handoff-boundary' | 'task-outcome';

/** A related active entry in the prompt, so that the model can revise it instead of repeating it. */
export interface KnownEntry {
  entry_id: string;
  kind: string;
  text: string;
}

/** A new statement, with the times from which and until which it holds, where its Sources state them (spec 26 F14). */
export type AddProposal = {
  op: 'add';
  kind: string;
  text: string;
  evidence: SourceRef[];
  holds_from?: Date | null;
  holds_until?: Date | null;
};

export type ReviseProposal = {
  op: 'revise';
  entry_id: string;
  kind: string;
  text: string;
  evidence: SourceRef[];
  reason: string | null;
};

/** Result of extraction (spec 20 F14). `text` is normalized (spec 20 M9); `evidence` is never empty. */
export type Proposal = AddProposal | ReviseProposal;

/** Reasons why statements of a Source become no entries, or not whole ones (spec 25 Q13). */
export type LeftOutReason = LeftOut['reason'];
export type LeftOutCounts = Record<LeftOutReason, number>;

/** What extraction left out of one Source. */
export interface SourceLeftOut {
  position: number;
  reason: LeftOutReason;
  /** At least 1. */
  count: number;
}

/** What extraction found in a window. */
export interface Extraction {
  proposals: Proposal[];
  /** By position, each reason of a Source once. */
  leftOut: SourceLeftOut[];
}

/** Selects which statements become entries (spec 20 F18). */
export type ExtractionProfile = 'coding' | 'conversation';

/** One flush window. `sources` ascend by position; `known` has at most 64 entries. */
export interface ExtractionInput {
  tenantId: TenantId;
  profile: ExtractionProfile;
  sources: EvidenceSource[];
  known: KnownEntry[];
  signal: AbortSignal;
  /** Called after each answered model request. */
  onUsage?: OnUsage;
}

/** Turns a window of Sources into proposals. Has no side effects. */
export interface Extractor {
  readonly id: string;
  /** Whether the caller must fill in `known` (spec 20 X6). */
  readonly needsKnownEntries: boolean;
  /** Returns proposals in the order of the Sources. @throws {InferenceError} and no other error */
  extract(input: ExtractionInput): Promise<Extraction>;
}
