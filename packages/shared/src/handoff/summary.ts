import type { HandoffContent } from '@continuity/contract/handoff';
import { excerptOf } from '@continuity/kernel/text';
import { contentBytes } from './content.ts';

/** Limit of an excerpt, in code points. */
const maxExcerpt = 240;

/**
 * SQL that summarizes the revision of the preceding CTE `written`, whose parameters begin at `$first`: `summaryValues`. A
 * report shows summaries, so it reads no older content.
 */
export function insertSummary(first: number): string {
  const [disposition, objective, nextAction, states, omissions, bytes] = [0, 1, 2, 3, 4, 5].map(
    (index) => `$${first + index}`,
  );
  return `INSERT INTO handoff_summaries (tenant_id, artifact_key, revision, disposition, objective_excerpt,
     next_action_excerpt, state_count, omission_count, content_bytes, committed_at)
   SELECT tenant_id, artifact_key, revision, ${disposition}, ${objective}, ${nextAction}, ${states}::int, ${omissions}::int,
          ${bytes}::int, created_at
   FROM written
   RETURNING revision`;
}

/** The parameters of `insertSummary`. */
export function summaryValues(content: HandoffContent): unknown[] {
  const { disposition, objective, state, next_action, omissions } = content;
  return [
    disposition,
    excerptOf(objective, maxExcerpt),
    next_action === null ? null : excerptOf(next_action.text, maxExcerpt),
    state.length,
    omissions.length,
    contentBytes(content),
  ];
}
