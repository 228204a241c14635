import { digestHex, type JsonValue } from '@continuity/kernel/json';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyCommands, type EntryCommand } from '../../src/memory/apply-commands.ts';
import { contentAfter, contentDigest } from '../../src/memory/artifact-content.ts';
import type { AffectedEntry } from '../../src/memory/find-affected.ts';

const head = { family: 'memory', artifact_id: 'memory', revision: 1 };

/** Few contents, so that commands often match each other and existing entries. */
const content = fc.record({
  kind: fc.constantFrom('fact', 'decision'),
  text: fc.constantFrom('a', 'b', 'c', 'd'),
});

const states = fc.array(fc.record({ content, active: fc.boolean() }), { maxLength: 6 });

function toEntries(given: { content: { kind: string; text: string }; active: boolean }[]): AffectedEntry[] {
  return given.map((state, index) => ({
    entry_id: `entry-${index}`,
    entry_version_id: `version-${index}`,
    version: 1,
    active: state.active,
    ...state.content,
    source_refs: null,
    artifact_refs: null,
    terms: null,
    length: null,
    valid_from: index,
    deactivated_at_position: null,
    ...{ holds_from: null, holds_until: null, superseded_by: null, ended: false, has_ended: false },
  }));
}

/** Appends, and at most one command an active entry. */
const commandsFor = (entries: AffectedEntry[]) => {
  const active = entries.filter((entry) => entry.active).map(({ entry_id }) => entry_id);
  const target = fc.option(fc.constantFrom(...active, 'none'), { nil: null });
  return fc.array(fc.record({ entryId: target, content }), { minLength: 1, maxLength: 8 }).map((commands) => {
    const seen = new Set<string>();
    return commands.map((command): EntryCommand => {
      const { entryId } = command;
      const isFree = entryId !== null && entryId !== 'none' && !seen.has(entryId);
      if (isFree) seen.add(entryId);
      return { ...command, entryId: isFree ? entryId : null };
    });
  });
};

const scenario = states
  .map(toEntries)
  .chain((entries) => commandsFor(entries).map((commands) => ({ entries, commands })));

const keyOf = ({ kind, text }: { kind: string; text: string }) => `${kind} ${text}`;

/** The entries after the writes. */
function stateAfter(entries: AffectedEntry[], writes: ReturnType<typeof applyCommands>) {
  const after = new Map(entries.map((entry) => [entry.entry_id, { ...entry }]));
  for (const write of writes) after.set(write.after.entry_id, { ...write.after } as AffectedEntry);
  return [...after.values()];
}

test('spec 10 §6.3: named entries get their content, and nothing that is not named loses its own', () => {
  fc.assert(
    fc.property(scenario, ({ entries, commands }) => {
      const writes = applyCommands(commands, entries, head);
      const after = new Map(stateAfter(entries, writes).map((entry) => [entry.entry_id, entry]));
      const named = new Map(
        commands.flatMap((command) => (command.entryId === null ? [] : [[command.entryId, command.content]])),
      );
      for (const entry of entries) {
        const now = after.get(entry.entry_id);
        expect(now).toMatchObject({ kind: entry.kind, text: entry.text, ...named.get(entry.entry_id) });
        if (entry.active) expect(now?.active).toBe(true);
      }
      expect(new Set(writes.map((write) => write.after.entry_id)).size).toBe(writes.length);
    }),
  );
});

test('spec 10 §6.3.1.2: an append adds no content that is active already, and leaves it active', () => {
  fc.assert(
    fc.property(scenario, ({ entries, commands }) => {
      const appends = commands.map((command) => ({ ...command, entryId: null }));
      const writes = applyCommands(appends, entries, head);
      const active = stateAfter(entries, writes).filter((entry) => entry.active);
      for (const { content: wanted } of appends) expect(active.map(keyOf)).toContain(keyOf(wanted));
      const before = entries.filter((entry) => entry.active).map(keyOf);
      expect(writes.every((write) => !before.includes(keyOf(write.after)))).toBe(true);
      expect(new Set(writes.map((write) => keyOf(write.after))).size).toBe(writes.length);
      expect(applyCommands(appends, stateAfter(entries, writes), head)).toEqual([]);
    }),
  );
});

test('plain JSON of a content is its canonical JSON, and ids ascend', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ entries, commands }) => {
      const manifest = contentAfter(
        [],
        entries.map((after) => ({ op: 'add' as const, before: null, after, reason: null })),
      );
      const made = contentAfter(manifest.manifest.entries, applyCommands(commands, entries, head));
      expect(await contentDigest(made)).toBe(digestHex(made as JsonValue));
      const ids = made.manifest.entries.map(({ entry_id }) => entry_id);
      expect(ids).toEqual([...ids].sort());
      const changed = made.changes.map(({ entry_id }) => entry_id);
      expect(changed).toEqual([...changed].sort());
    }),
  );
});
