import type { ArtifactRef, MemoryCitation } from '@continuity/contract';
import type { MemoryMutation } from '@continuity/contract/memory';
import type { Database, TenantId, Transaction } from '@continuity/kernel/database';
import { isServerId } from '@continuity/kernel/text';
import { commitRevision } from './commit-revision.ts';
import { entryInactive, memoryNotFound, revisionConflict } from './conflicts.ts';
import { citationOf, memoryRef, presentEntry } from './entry.ts';
import { deactivate, reviseFields } from './entry-writes.ts';
import { isEqualContent } from './equality.ts';
import { findCurrent } from './find-current.ts';
import { type LockedMemory, lockMemory } from './head.ts';
import type { EntryContent } from './normalize.ts';
import type { CurrentEntry, EntryWrite } from './revision-rows.ts';

interface CitedEntry {
  tenantId: TenantId;
  scopeId: string;
  citation: MemoryCitation;
  reason: string | null;
}

/** Replaces kind and text of the cited active entry (spec 20 V1, V2). `content` is normalized. */
export function reviseEntry(
  database: Database,
  cited: CitedEntry & { content: EntryContent },
): Promise<MemoryMutation> {
  const { content, reason } = cited;
  return changeEntry(database, cited, (entry, head) => {
    if (!entry.active) throw entryInactive(entry.entry_id, head);
    return isEqualContent(entry, content) ? null : reviseFields(entry, content, reason);
  });
}

/** Deactivates the cited entry, which removes it from search (spec 20 V1, V3). */
export function retireEntry(database: Database, cited: CitedEntry): Promise<MemoryMutation> {
  return changeEntry(database, cited, (entry) => (entry.active ? deactivate(entry, cited.reason) : null));
}

/** Computes the write; null for no change. */
type Decision = (entry: CurrentEntry, head: ArtifactRef) => EntryWrite | null;

function changeEntry(database: Database, cited: CitedEntry, decide: Decision): Promise<MemoryMutation> {
  const { tenantId, scopeId, citation } = cited;
  const { family, artifact_id: artifactId } = citation.memory_ref;
  const canExist = isServerId(citation.entry_id);
  return database.transaction(async (sql) => {
    const address = { tenantId, scopeId, artifactId };
    const [memory, entry] = await Promise.all([
      lockMemory(sql, tenantId, scopeId, artifactId),
      canExist ? findCurrent(sql, address, citation.entry_id) : undefined,
    ]);
    if (memory === undefined || family !== 'memory') throw memoryNotFound();
    const head = memoryRef(artifactId, memory.headRevision);
    return commitDecision(sql, memory, requireCited(citation, head, entry), head, decide);
  });
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
