import type { HandoffContent, HandoffDraft, PreparedHandoff } from '@continuity/contract/handoff';
import type { Database } from '@continuity/kernel/database';
import { type EvidencePlace, handoffRefOrNull, requireEvidence } from '../evidence/index.ts';
import { directCitations } from './citations.ts';
import { contentOfDraft } from './content.ts';
import { findHead } from './store.ts';

/** Prepares a draft for a commit on the current head. Stores nothing (spec 30 §3.5). Throws 404 or 422 for the evidence. */
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

/** Creates a Prepared Handoff on the given head, if any. */
export function prepare(scopeId: string, head: number | undefined, content: HandoffContent): PreparedHandoff {
  return {
    schema: 'service.prepared-handoff.v1',
    scope_id: scopeId,
    base: handoffRefOrNull(head),
    content,
  };
}
