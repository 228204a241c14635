import type { ArtifactRef, SourceTypeRef } from '@continuity/contract';
import type { MemoryContent, MemoryCreateContent, MemoryReplaceContent } from '@continuity/contract/memory';
import type { Sql, Transaction } from '@continuity/kernel/database';
import { invalidRequest } from '@continuity/kernel/errors';
import { runInSlices } from '@continuity/kernel/fairness';
import { isServerId } from '@continuity/kernel/text';
import { type CorpusId, projectTexts, type TextProjections } from '../search/index.ts';
import { applyCommands, toCommands } from './apply-commands.ts';
import { contentAfter, contentDigest } from './artifact-content.ts';
import { addRevision, commitRevision } from './commit-revision.ts';
import { memoryRef } from './entry.ts';
import { findAffected } from './find-affected.ts';
import { createLockedMemory, type LockedMemory, type ScopeToWrite } from './head.ts';
import { readManifest } from './read-content.ts';
import type { EntryWrite } from './revision-rows.ts';

/** A Memory revision that an Artifact operation writes. */
interface WrittenMemory {
  artifactId: string;
  revision: number;
  content: MemoryContent;
  /** 64 hex digits. */
  contentDigest: string;
}

/** Analyzes the texts of a Create for the index. 100 texts of 8 KiB take seconds, so this runs outside of the transaction. */
export function analyzeEntries(corpus: CorpusId, { entries }: MemoryCreateContent): Promise<TextProjections> {
  const texts = toCommands(entries).map(({ content }) => content.text);
  return runInSlices(projectTexts(corpus, texts));
}

/** Writes revision one of a new Memory Artifact in the caller's transaction. The first one is the Scope Memory (spec 10 §6.1.10). */
export async function createMemory(
  sql: Sql,
  scope: ScopeToWrite,
  { entries }: MemoryCreateContent,
  source: SourceTypeRef,
  projections: TextProjections,
): Promise<WrittenMemory> {
  const memory = await createLockedMemory(sql, scope);
  const writes = applyCommands(toCommands(entries), [], memoryRef(memory.artifactId, 1));
  const content = contentAfter([], writes);
  const digest = await contentDigest(content);
  const lineage = { sources: [source], artifacts: [], contentDigest: digest };
  const revision = await addRevision(sql, memory, writes, lineage, projections);
  return { artifactId: memory.artifactId, revision, content, contentDigest: digest };
}

/** A computed revision that is not yet written. */
interface NextMemory {
  /** Writes the revision and commits. The caller must hold the lock of the head and have checked that it is unchanged. */
  commit(sql: Transaction, source: SourceTypeRef, artifacts: ArtifactRef[]): Promise<WrittenMemory>;
}

/**
 * Computes the next revision from commands (spec 10 §6.3) outside of any transaction. The result is valid only if the head is
 * unchanged when it is locked. Throws 422 and 409 `memory_entry_inactive`.
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
  const digest = await contentDigest(content);
  const texts = writes.filter(({ after }) => after.active).map(({ after }) => after.text);
  const projections = await runInSlices(projectTexts(head, texts));
  return {
    commit: async (transaction, source, artifacts) => {
      const lineage = { sources: [source], artifacts, contentDigest: digest };
      const current = await withCurrentTerms(transaction, head, writes);
      const revision = await commitRevision(transaction, head, current, lineage, projections);
      return { artifactId, revision, content, contentDigest: digest };
    },
  };
}

/** The writes with the index terms that their entries have under the lock: a reindex changes them without a revision. */
async function withCurrentTerms(sql: Sql, head: LockedMemory, writes: EntryWrite[]): Promise<EntryWrite[]> {
  const entryIds = writes.flatMap(({ before }) => (before === null ? [] : [before.entry_id]));
  if (entryIds.length === 0) return writes;
  const found = await findAffected(sql, head, { contents: [], entryIds });
  const current = new Map(found.map((entry) => [entry.entry_id, entry]));
  return writes.map((write) => ({
    ...write,
    before: write.before && (current.get(write.before.entry_id) ?? write.before),
  }));
}
