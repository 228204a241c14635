import type { HandoffContent, HandoffDraft, PreparedHandoff } from '@continuity/contract/handoff';
import type { Database } from '@continuity/shared/kernel';
import { type EvidencePlace, requireEvidence } from '../evidence/index.ts';
import { contentOfDraft, directCitations } from './content-rules.ts';
import { handoffRefOrNull } from './reference.ts';
import { findHead } from './store.ts';

/** A draft on the head of this moment. Nothing is stored (spec 30 §3.5). Throws 404 and 422 of the evidence. */
export function finalizeHandoff(
  database: Database,
  place: EvidencePlace,
  draft: HandoffDraft,
): Promise<PreparedHandoff> {
  const content = contentOfDraft(draft);
  return database.snapshot(async (sql) => {
    const [head] = await Promise.all([
      findHead(sql, place),
      requireEvidence(sql, place, directCitations(content)),
    ]);
    return prepare(place.scopeId, head?.revision, content);
  });
}

/** A content that waits for its commit, on the head that it was made on, if any. */
export function prepare(scopeId: string, head: number | undefined, content: HandoffContent): PreparedHandoff {
  return {
    schema: 'service.prepared-handoff.v1',
    scope_id: scopeId,
    base: handoffRefOrNull(head),
    content,
  };
}
