import type { ArtifactRef, Issue } from '@continuity/contract';
import { requireNoIssues } from '@continuity/kernel/errors';
import { entryInactive } from './conflicts.ts';
import { addEntry, reactivateVersion, reviseFields } from './entry-writes.ts';
import { isEqualContent } from './equality.ts';
import { type AffectedEntry, lastDeactivated } from './find-affected.ts';
import { type EntryContent, normalizeContent } from './normalize.ts';
import type { CurrentEntry, EntryWrite } from './revision-rows.ts';

/** One command of an Artifact Create or Replace. */
export interface EntryCommand {
  /** The entry to revise; null appends. */
  entryId: string | null;
  /** Normalized. */
  content: EntryContent;
}

/** A command of a request. */
type SentCommand = EntryContent & { entry_id?: string | null | undefined };

/**
 * Validates commands beyond their shape: limits after normalization (spec 20 M9, M10), and at most one command per entry.
 * Throws 422 with all issues.
 */
export function checkCommands(entries: readonly SentCommand[]): void {
  const issues: Issue[] = [];
  const named = new Set<string>();
  for (const [index, { entry_id: id, kind, text }] of entries.entries()) {
    const path = `content.entries[${index}].`;
    normalizeContent({ kind, text }, path, issues);
    if (id === null || id === undefined) continue;
    if (named.has(id)) issues.push({ path: `${path}entry_id`, message: 'is named twice' });
    named.add(id);
  }
  requireNoIssues(issues);
}

/** Normalizes commands that `checkCommands` has accepted. */
export function toCommands(entries: readonly SentCommand[]): EntryCommand[] {
  return entries.map(({ entry_id, kind, text }) => ({
    entryId: entry_id ?? null,
    content: normalizeContent({ kind, text }, '', []),
  }));
}

/** State of an entry after the preceding commands. */
interface EntryState extends EntryContent {
  active: boolean;
}

/**
 * Applies commands in order to a head and returns the writes (spec 10 §6.3 Memory 1 to 4). An append sees the effects of the
 * commands before it. `affected` holds the entries of the head that match the ids and contents of the commands. Throws 422 for
 * an unknown id and 409 `memory_entry_inactive`.
 */
export function applyCommands(
  commands: EntryCommand[],
  affected: AffectedEntry[],
  head: ArtifactRef,
): EntryWrite[] {
  const named = requireNamed(commands, affected, head);
  const states = new Map<string, EntryState>(affected.map((entry) => [entry.entry_id, entry]));
  return commands.flatMap(({ entryId, content }) => {
    const entry = entryId === null ? undefined : named.get(entryId);
    const write = entry === undefined ? append(content, affected, states) : revise(entry, content);
    if (write === null) return [];
    states.set(write.after.entry_id, write.after);
    return [write];
  });
}

function revise(entry: CurrentEntry, content: EntryContent): EntryWrite | null {
  return isEqualContent(entry, content) ? null : reviseFields(entry, content, null);
}

/** Null if an active entry has equal content. */
function append(
  content: EntryContent,
  affected: AffectedEntry[],
  states: ReadonlyMap<string, EntryState>,
): EntryWrite | null {
  for (const entry of states.values()) if (entry.active && isEqualContent(entry, content)) return null;
  const retired = affected.filter((entry) => !entry.active && isEqualContent(entry, content));
  const latest = lastDeactivated(retired);
  return latest === undefined ? addEntry(content, null) : reactivateVersion(latest, null);
}

/** The entries by id. Throws 422 for a command that names no entry, and 409 for one that names an inactive entry. */
function requireNamed(
  commands: EntryCommand[],
  affected: AffectedEntry[],
  head: ArtifactRef,
): Map<string, CurrentEntry> {
  const byId = new Map<string, CurrentEntry>(affected.map((entry) => [entry.entry_id, entry]));
  const issues: Issue[] = commands.flatMap(({ entryId }, index) =>
    entryId === null || byId.has(entryId)
      ? []
      : [{ path: `content.entries[${index}].entry_id`, message: 'names no entry of this Memory' }],
  );
  requireNoIssues(issues);
  for (const { entryId } of commands) {
    if (entryId !== null && byId.get(entryId)?.active === false) throw entryInactive(entryId, head);
  }
  return byId;
}
