import type { ArtifactRef, SourceTypeRef } from '@continuity/contract';
import type { MemoryContent, MemoryCreateContent, MemoryReplaceContent } from '@continuity/contract/memory';
import { invalidRequest, isServerId, type Sql, type Transaction } from '@continuity/shared/kernel';
import { applyCommands, toCommands } from './apply-commands.ts';
import { contentAfter, contentDigest, readManifest } from './artifact-content.ts';
import { addRevision, commitRevision } from './commit-revision.ts';
import { memoryRef } from './entry.ts';
import { findAffected } from './find-affected.ts';
import { type LockedMemory, makeOwnMemory, type ScopeToWrite } from './head.ts';

/** A Memory revision that an Artifact operation writes. */
export interface WrittenMemory {
  artifactId: string;
  revision: number;
  content: MemoryContent;
  /** 64 hex digits. */
  contentDigest: string;
}

/** Revision one of a new Memory Artifact, in the caller's transaction: the Scope Memory, or a further one (spec 10 §6.1.10). */
export async function createMemory(
  sql: Sql,
  scope: ScopeToWrite,
  { entries }: MemoryCreateContent,
  source: SourceTypeRef,
): Promise<WrittenMemory> {
  const memory = await makeOwnMemory(sql, scope);
  const writes = applyCommands(toCommands(entries), [], memoryRef(memory.artifactId, 1));
  const content = contentAfter([], writes);
  const digest = contentDigest(content);
  const lineage = { sources: [source], artifacts: [], contentDigest: digest };
  const revision = await addRevision(sql, memory, writes, lineage);
  return { artifactId: memory.artifactId, revision, content, contentDigest: digest };
}

/** The next revision, decided and not yet written. */
export interface NextMemory {
  /** Writes it and commits. The caller holds the head locked, and has seen that it is still the one that was read. */
  commit(sql: Transaction, source: SourceTypeRef, artifacts: ArtifactRef[]): Promise<WrittenMemory>;
}

/**
 * Decides what commands make of a head (spec 10 §6.3), outside of any transaction. What is read here is of that head
 * exactly where the head is still the same once it is locked. Throws 422 and 409 `memory_entry_inactive`.
 */
export async function replaceMemory(
  sql: Sql,
  head: LockedMemory,
  { entries }: MemoryReplaceContent,
): Promise<NextMemory> {
  const commands = toCommands(entries);
  const { tenantId, artifactKey, artifactId, headRevision } = head;
  const [manifest, affected] = await Promise.all([
    readManifest(sql, { tenantId, artifactKey, revision: headRevision }),
    findAffected(sql, head, {
      contents: commands.filter(({ entryId }) => entryId === null).map(({ content }) => content),
      entryIds: commands.flatMap(({ entryId }) => (entryId !== null && isServerId(entryId) ? [entryId] : [])),
    }),
  ]);
  const writes = applyCommands(commands, affected, memoryRef(artifactId, headRevision));
  if (writes.length === 0) {
    throw invalidRequest([{ path: 'content.entries', message: 'changes nothing of this Memory' }]);
  }
  const content = contentAfter(manifest, writes);
  const digest = contentDigest(content);
  return {
    commit: async (transaction, source, artifacts) => {
      const lineage = { sources: [source], artifacts, contentDigest: digest };
      const revision = await commitRevision(transaction, head, writes, lineage);
      return { artifactId, revision, content, contentDigest: digest };
    },
  };
}
