import type { SourceRef } from '@continuity/contract';
import type { OnUsage } from '../../inference/index.ts';
import type { JsonValue } from '../../kernel/json.ts';

/** One eligible Source of the window; `content` is a string, or for observations and records any JSON. */
export interface EvidenceSource {
  ref: SourceRef;
  position: number;
  content: JsonValue;
  /** A work record that the service wrote, in its shape; null or absent for anything else. */
  record?: ExtractedRecordKind | null;
}

/** Records that are evidence. Receipts and the requests of Artifact writes never get here (spec 20 F6). */
export type ExtractedRecordKind = 'work-contract' | 'handoff-boundary' | 'task-outcome';

/** An active entry shown to a model, so that it can be revised instead of told twice. */
export interface KnownEntry {
  entry_id: string;
  kind: string;
  text: string;
}

export type AddProposal = { op: 'add'; kind: string; text: string; evidence: SourceRef[] };

export type ReviseProposal = {
  op: 'revise';
  entry_id: string;
  kind: string;
  text: string;
  evidence: SourceRef[];
  reason: string | null;
};

/** What extraction yields (spec 20 F14). `text` is normalized (M9); `evidence` is never empty. */
export type Proposal = AddProposal | ReviseProposal;

/** Which statements are worth keeping (spec 20 section 6, "Profiles"). */
export type ExtractionProfile = 'coding' | 'conversation';

/** One flush window. `sources` ascend by position; `known` is at most 64 entries, empty if not asked for. */
export interface ExtractionInput {
  profile: ExtractionProfile;
  sources: EvidenceSource[];
  known: KnownEntry[];
  signal: AbortSignal;
  /** Told of each model request that was answered. */
  onUsage?: OnUsage;
}

/** Turns a window of Sources into proposals. It reads nothing but its input and writes nothing. */
export interface Extractor {
  readonly id: string;
  /** Whether `known` should be searched for and filled in (spec 20 X6). */
  readonly needsKnownEntries: boolean;
  /** @throws {InferenceError} and nothing else; proposals come in the order of the Sources. */
  extract(input: ExtractionInput): Promise<Proposal[]>;
}
