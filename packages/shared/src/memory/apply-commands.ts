import type { ArtifactRef, Issue } from '@continuity/contract';
import { requireNoIssues } from '@continuity/kernel/errors';
import { entryInactive } from './conflicts.ts';
import { addEntry, reactivateVersion, reviseEntryTo } from './entry-writes.ts';
import { isEqualEntry, type Statement } from './equality.ts';
import { type AffectedEntry, lastDeactivated } from './find-affected.ts';
import { type EntryContent, normalizeContent } from './normalize.ts';
import type { CurrentEntry, EntryWrite } from './revision-rows.ts';
import { changeValidity, unlimited, type ValidityChange, validityIssues } from './validity.ts';

/** One command of an Artifact Create or Replace. */
export interface EntryCommand {
  /** The entry to revise; null appends. */
  entryId: string | null;
  /** Normalized. */
  content: EntryContent;
  validity?: ValidityChange;
}

/** A command of a request. */
type SentCommand = EntryContent & ValidityChange & { entry_id?: string | null | undefined };

/**
 * Validates commands beyond their shape: limits after normalization (spec 20 M9, M10), and at most one command per entry.
 * Throws 422 with all issues.
 */
export function checkCommands(entries: readonly SentCommand[]): void {
  const issues: Issue[] = [];
  const named = new Set<string>();
  for (const [index, command] of entries.entries()) {
    const { entry_id: id, kind, text } = command;
    const path = `content.entries[${index}].`;
    normalizeContent({ kind, text }, path, issues);
    issues.push(...validityIssues(changeValidity(unlimited, command), path));
    if (id === null || id === undefined) continue;
    if (named.has(id)) issues.push({ path: `${path}entry_id`, message: 'is named twice' });
    named.add(id);
  }
  requireNoIssues(issues);
}

/** Normalizes commands that `checkCommands` has accepted. */
export function toCommands(entries: readonly SentCommand[]): EntryCommand[] {
  return entries.map(({ entry_id, kind, text, valid_from, valid_until }) => ({
    entryId: entry_id ?? null,
    content: normalizeContent({ kind, text }, '', []),
    validity: { valid_from, valid_until },
  }));
}

/** State of an entry after the preceding commands. */
type EntryState = Statement & { active: boolean; has_ended: boolean };

/**
 * Applies commands in order to a head and returns the writes (spec 10 §6.3 Memory 1 to 4). An append sees the effects of the
 * commands before it. `affected` holds the entries of the head that match the ids and contents of the commands. Throws 422 for
 * an unknown id and 409 `memory_entry_inactive`.
 */
export function applyCommands(
  commands: EntryCommand[],
  affected: AffectedEntry[],
  head: ArtifactRef,
  now: Date = new Date(),
): EntryWrite[] {
  const named = requireNamed(commands, affected, head);
  const states = new Map<string, EntryState>(affected.map((entry) => [entry.entry_id, entry]));
  const issues: Issue[] = [];
  const writes = commands.flatMap(({ entryId, content, validity = {} }, index) => {
    const entry = entryId === null ? undefined : named.get(entryId);
    const becomes = changeValidity(entry ?? unlimited, validity);
    issues.push(...validityIssues(becomes, `content.entries[${index}].`));
    const write =
      entry === undefined
        ? append({ ...content, ...becomes }, affected, states)
        : reviseEntryTo(entry, { ...content, source_refs: entry.source_refs, ...becomes }, null);
    if (write === null) return [];
    const { holds_until } = write.after;
    states.set(write.after.entry_id, {
      ...write.after,
      has_ended: holds_until !== null && holds_until <= now,
    });
    return [write];
  });
  requireNoIssues(issues);
  return writes;
}

/** Null if an active entry is equal. */
function append(
  added: Statement,
  affected: AffectedEntry[],
  states: ReadonlyMap<string, EntryState>,
): EntryWrite | null {
  for (const entry of states.values()) if (entry.active && isEqualEntry(entry, added)) return null;
  const retired = affected.filter((entry) => !entry.active && isEqualEntry(entry, added));
  const latest = lastDeactivated(retired);
  return latest === undefined ? addEntry(added, null) : reactivateVersion(latest, null);
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
