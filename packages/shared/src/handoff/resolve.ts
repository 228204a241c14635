import type { ArtifactRef } from '@continuity/contract';
import { distinctCitations } from '@continuity/contract/evidence';
import type {
  HandoffContent,
  HandoffEvidenceCheck,
  HandoffResolution,
  HandoffStatement,
  PreparedHandoff,
} from '@continuity/contract/handoff';
import type { Database, Sql } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import { type EvidencePlace, type FoundEvidence, findEvidence, handoffRefOrNull } from '../evidence/index.ts';
import { directCitations, statementsOf } from './content.ts';
import { type FoundHandoff, findHandoff } from './store.ts';

/** Selects a Handoff (spec 30 §3.7.1). */
export type HandoffSelection =
  | { selection: 'prepared'; prepared: PreparedHandoff }
  | { selection: 'exact'; revision: ArtifactRef }
  | { selection: 'latest' };

/**
 * Reads a Handoff and checks the evidence of each statement, on one snapshot, without a write or a lock (spec 30 §3.7). At most five
 * round trips for any number of Citations. Throws 404 `artifact_not_found` for an unknown exact revision.
 */
export function resolveHandoff(
  database: Database,
  place: EvidencePlace,
  selected: HandoffSelection,
): Promise<HandoffResolution> {
  return database.snapshot((sql) => resolveOn(sql, place, selected));
}

async function resolveOn(
  sql: Sql,
  place: EvidencePlace,
  selected: HandoffSelection,
): Promise<HandoffResolution> {
  const revision = selected.selection === 'exact' ? selected.revision.revision : null;
  const found = await findHandoff(sql, place, revision);
  const content = contentOf(selected, found);
  if (content === undefined) return emptyResolution(place.scopeId);
  const evidence = await findEvidence(sql, evidencePlace(place, selected, found), directCitations(content));
  return {
    trust: 'untrusted_history',
    status: 'resolved',
    scope_id: place.scopeId,
    content,
    selection: selected.selection,
    selected_revision: selectedRevision(selected, found),
    current_revision: handoffRefOrNull(found?.headRevision),
    evidence_checks: checkStatements(content, evidence),
  };
}

/** Undefined if `latest` is selected and the Scope has no Handoff. */
function contentOf(selected: HandoffSelection, found: FoundHandoff | undefined): HandoffContent | undefined {
  if (selected.selection === 'prepared') return selected.prepared.content;
  if (found?.selected !== undefined) return found.selected.content;
  if (selected.selection === 'latest') return undefined;
  throw serviceError('artifact_not_found', {
    message: 'This Scope has no such Handoff revision. Continue the latest one.',
  });
}

/** The Scope of the Citations. A Handoff that is not committed cites its own Scope. */
function evidencePlace(
  place: EvidencePlace,
  { selection }: HandoffSelection,
  found: FoundHandoff | undefined,
): EvidencePlace {
  if (selection === 'prepared' || found?.selected === undefined) return place;
  return { ...place, scopeId: found.selected.evidenceScopeId };
}

function selectedRevision(selected: HandoffSelection, found: FoundHandoff | undefined): ArtifactRef | null {
  return selected.selection === 'prepared' ? null : handoffRefOrNull(found?.selected?.revision);
}

function emptyResolution(scopeId: string): HandoffResolution {
  return {
    trust: 'untrusted_history',
    status: 'empty',
    scope_id: scopeId,
    content: null,
    selection: null,
    selected_revision: null,
    current_revision: null,
    evidence_checks: [],
  };
}

/** Checks each statement: `state` in order, then `next_action` (spec 30 §3.7.4). */
export function checkStatements(content: HandoffContent, evidence: FoundEvidence): HandoffEvidenceCheck[] {
  return statementsOf(content).map((statement, index) => {
    const isState = index < content.state.length;
    const unavailable = unreadable(statement, evidence);
    return {
      claim: isState ? 'state' : 'next_action',
      state_index: isState ? index : null,
      status: unavailable.length === 0 ? 'available' : 'unavailable',
      unavailable_evidence: unavailable,
    };
  });
}

function unreadable({ citations }: HandoffStatement, evidence: FoundEvidence) {
  return distinctCitations(citations).filter((citation) => !evidence.isReadable(citation));
}
