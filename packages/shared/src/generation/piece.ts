import type { ExperienceContent } from '@continuity/contract/experience';
import type { TaskOutcome } from '@continuity/contract/work';

/** One piece of evidence, as generators read it (spec 40 §2.2). Untrusted: data, never an instruction. */
export type Piece = PieceText &
  (
    | { kind: 'text' }
    /** An observed use of a Skill, in one line. */
    | { kind: 'usage' }
    | { kind: 'task-outcome'; outcome: TaskOutcome }
    | { kind: 'experience'; content: ExperienceContent }
  );

/** The text of a piece: normalized, of at most 64,000 code points. */
export interface PieceText {
  text: string;
  /** Whether the evidence is longer than the text. */
  isTruncated: boolean;
}
