import type { ArtifactRef, MemoryCitation } from '@continuity/contract';
import type { ChangeOp, MemoryMutation } from '@continuity/contract/memory';
import {
  type Database,
  optimizationFence,
  type RowOfStatement,
  statement,
  type TenantId,
  type Transaction,
  tables,
} from '@continuity/kernel/database';
import { requireNoIssues } from '@continuity/kernel/errors';
import { isServerId } from '@continuity/kernel/text';
import { commitRevision } from './commit-revision.ts';
import { entryInactive, memoryNotFound, revisionConflict } from './conflicts.ts';
import {
  citationOf,
  type EntryRow,
  entryColumns,
  entryRow,
  joinVersion,
  memoryRef,
  presentEntry,
} from './entry.ts';
import { deactivate, reviseEntryTo } from './entry-writes.ts';
import { isEqualContent } from './equality.ts';
import { findCurrent } from './find-current.ts';
import { type LockedMemory, lockMemory } from './head.ts';
import type { EntryContent } from './normalize.ts';
import type { CurrentEntry, EntryWrite } from './revision-rows.ts';
import {
  changeValidity,
  isSameValidity,
  type Validity,
  type ValidityChange,
  validityIssues,
} from './validity.ts';

interface CitedEntry {
  tenantId: TenantId;
  scopeId: string;
  citation: MemoryCitation;
  reason: string | null;
}

/** Replaces kind, text and validity of the cited active entry (spec 20 V1, V2, spec 26 R9). `content` is normalized. */
export function reviseEntry(
  database: Database,
  cited: CitedEntry & { content: EntryContent; validity?: ValidityChange },
): Promise<MemoryMutation> {
  const { content, validity = {}, reason } = cited;
  return changeEntry(database, cited, {
    op: 'revise',
    decide: (entry, head) => {
      if (!entry.active) throw entryInactive(entry.entry_id, head);
      const becomes = changeValidity(entry, validity);
      requireNoIssues(validityIssues(becomes));
      return reviseEntryTo(entry, { ...content, source_refs: entry.source_refs, ...becomes }, reason);
    },
    hasEffect: (entry, before) =>
      isEqualContent(entry, content) && isSameValidity(entry, changeValidity(before, validity)),
  });
}

/** Deactivates the cited entry, which removes it from search (spec 20 V1, V3). */
export function retireEntry(database: Database, cited: CitedEntry): Promise<MemoryMutation> {
  return changeEntry(database, cited, {
    op: 'deactivate',
    decide: (entry) => (entry.active ? deactivate(entry, cited.reason) : null),
    hasEffect: () => true,
  });
}

/** A change of one entry. */
interface Change {
  op: ChangeOp;
  /** Computes the write; null for no change. */
  decide: Decision;
  /** Whether an entry that a change of this kind wrote is what this change would have made of the version before. */
  hasEffect(entry: EntryRow, before: Validity): boolean;
}

type Decision = (entry: CurrentEntry, head: ArtifactRef) => EntryWrite | null;

function changeEntry(
  database: Database,
  cited: CitedEntry,
  { op, decide, hasEffect }: Change,
): Promise<MemoryMutation> {
  const { tenantId, scopeId, citation } = cited;
  const { family, artifact_id: artifactId, revision } = citation.memory_ref;
  const canExist = isServerId(citation.entry_id);
  return database.transaction(async (sql) => {
    const address = { tenantId, scopeId, artifactId };
    const [memory, entry] = await Promise.all([
      lockMemory(sql, tenantId, scopeId, artifactId),
      canExist ? findCurrent(sql, address, citation.entry_id) : undefined,
    ]);
    if (memory === undefined || family !== 'memory') throw memoryNotFound();
    const head = memoryRef(artifactId, memory.headRevision);
    if (canExist && revision < head.revision) {
      const changed = await findChanged(sql, memory, cited, op);
      if (changed !== undefined && hasEffect(changed, beforeOf(changed))) {
        const ref = memoryRef(artifactId, revision + 1);
        return { memory: ref, entry: presentEntry(ref, changed) };
      }
    }
    return commitDecision(sql, memory, requireCited(citation, head, entry), head, decide);
  });
}

/**
 * The state that one change wrote, if the head still has it. The change is that of the next revision after the cited one, because the
 * citation is its lock. So a repeat of its request finds it, however many revisions came since (spec 20 V5).
 */
const findChangedStatement = statement(
  'find_repeated_change',
  `SELECT ${entryColumns}, f.holds_from AS before_from, f.holds_until AS before_until
   FROM memory_changes ch
   JOIN memory_states s ON s.tenant_id = ch.tenant_id AND s.artifact_key = ch.artifact_key AND s.entry_id = ch.entry_id
     AND s.valid_from = ch.revision AND s.valid_to IS NULL
   ${joinVersion}
   CROSS JOIN LATERAL (
     SELECT f.entry_version_id, f.holds_from, f.holds_until FROM memory_versions f
     WHERE f.tenant_id = ch.tenant_id AND f.artifact_key = ch.artifact_key AND f.entry_id = ch.entry_id
       AND f.version = ch.from_version
     ${optimizationFence}
   ) AS f
   WHERE ch.tenant_id = $1 AND ch.artifact_key = $2 AND ch.revision = $3 AND ch.entry_id = $4 AND ch.op = $5
     AND ch.reason IS NOT DISTINCT FROM $6 AND f.entry_version_id::text = $7`,
  {
    ...entryRow,
    before_from: tables.memory_versions.holds_from,
    before_until: tables.memory_versions.holds_until,
  },
);

type ChangedEntry = RowOfStatement<typeof findChangedStatement>;

/** When the version before the change held. */
function beforeOf({ before_from, before_until }: ChangedEntry): Validity {
  return { holds_from: before_from, holds_until: before_until };
}

/** Finds the entry that a change wrote whose request was equal but for its content, if nothing has changed the entry since. */
function findChanged(
  sql: Transaction,
  { tenantId, artifactKey }: LockedMemory,
  { citation, reason }: CitedEntry,
  op: ChangeOp,
): Promise<ChangedEntry | undefined> {
  const { memory_ref: ref, entry_id, entry_version_id } = citation;
  const values = [tenantId, artifactKey, ref.revision + 1, entry_id, op, reason, entry_version_id];
  return sql.first(findChangedStatement, values);
}

/** Checks the citation in the order of spec 20 V1: revision, then ids. */
function requireCited(
  citation: MemoryCitation,
  head: ArtifactRef,
  entry: CurrentEntry | undefined,
): CurrentEntry {
  if (citation.memory_ref.revision !== head.revision) {
    const current = entry === undefined ? null : citationOf(head, entry);
    throw revisionConflict(citation.memory_ref.revision, head, current);
  }
  if (entry === undefined || entry.entry_version_id !== citation.entry_version_id) throw memoryNotFound();
  return entry;
}

async function commitDecision(
  sql: Transaction,
  memory: LockedMemory,
  entry: CurrentEntry,
  head: ArtifactRef,
  decide: Decision,
): Promise<MemoryMutation> {
  const write = decide(entry, head);
  if (write === null) return { memory: head, entry: presentEntry(head, entry) };
  const ref = memoryRef(memory.artifactId, await commitRevision(sql, memory, [write]));
  return { memory: ref, entry: presentEntry(ref, write.after) };
}
