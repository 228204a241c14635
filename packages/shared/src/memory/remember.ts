import type { MemoryMutation } from '@continuity/contract/memory';
import type { Database, TenantId, Transaction } from '@continuity/kernel/database';
import { commitRevision } from './commit-revision.ts';
import { memoryNotFound, revisionConflict } from './conflicts.ts';
import { memoryRef, presentEntry, scopeMemoryId } from './entry.ts';
import { addEntry, reactivateVersion } from './entry-writes.ts';
import { findEqual } from './find-current.ts';
import { ensureLockedMemory, type LockedMemory, lockMemory } from './head.ts';
import type { EntryContent } from './normalize.ts';
import type { CurrentEntry } from './revision-rows.ts';

interface Remember {
  tenantId: TenantId;
  scopeId: string;
  /** Normalized. */
  content: EntryContent;
  reason: string | null;
  expectedRevision: number | null;
}

/**
 * Stores one entry in the Scope Memory, or returns an equal active one (spec 20 R1 to R5). Two round trips: lock and read, then
 * write and commit.
 */
export function remember(
  database: Pick<Database, 'transaction'>,
  request: Remember,
): Promise<MemoryMutation> {
  return database.transaction(async (sql) => {
    const { tenantId, scopeId, content, expectedRevision } = request;
    const address = { tenantId, scopeId, artifactId: scopeMemoryId };
    // Pipelined: the second statement starts once the first holds the lock, so it sees all commits before the lock.
    const [locked, equal] = await Promise.all([
      lockMemory(sql, tenantId, scopeId, scopeMemoryId),
      findEqual(sql, address, content),
    ]);
    if (locked !== undefined) return decide(sql, request, locked, equal);
    if (expectedRevision !== null) throw memoryNotFound();
    const created = await ensureLockedMemory(sql, tenantId, scopeId);
    return decide(sql, request, created, await findEqual(sql, address, content));
  });
}

async function decide(
  sql: Transaction,
  { content, reason, expectedRevision }: Remember,
  memory: LockedMemory,
  equal: CurrentEntry | undefined,
): Promise<MemoryMutation> {
  const head = memoryRef(memory.artifactId, memory.headRevision);
  if (expectedRevision !== null && expectedRevision !== memory.headRevision) {
    throw revisionConflict(expectedRevision, head);
  }
  if (equal?.active) return { memory: head, entry: presentEntry(head, equal) };
  const write = equal === undefined ? addEntry(content, reason) : reactivateVersion(equal, reason);
  const revision = await commitRevision(sql, memory, [write]);
  const ref = memoryRef(memory.artifactId, revision);
  return { memory: ref, entry: presentEntry(ref, write.after) };
}
