import type { SourceRef } from '@continuity/contract';
import { describe, expect, test } from 'vitest';
import type { AffectedEntry } from '../../../src/memory/find-affected.ts';
import { planFlush } from '../../../src/memory/flush/plan.ts';

const source = (position: number): SourceRef => ({ name: 'content', source_id: `s${position}` });
const positionOf = ({ source_id }: SourceRef) => Number(source_id.slice(1));

const entry = (given: Partial<AffectedEntry> = {}): AffectedEntry => ({
  entry_id: '01a1f888-0000-7000-8000-000000000001',
  entry_version_id: '01a1f888-0000-7000-8000-00000000000a',
  version: 1,
  active: true,
  kind: 'decision',
  text: 'Use Kafka.',
  source_refs: [source(1)],
  artifact_refs: null,
  terms: [],
  length: 2,
  valid_from: 1,
  deactivated_at_position: null,
  ...{ holds_from: null, holds_until: null, superseded_by: null, ended: false, has_ended: false },
  ...given,
});

const add = (positions: number[], text = 'Use Kafka.') => ({
  op: 'add' as const,
  kind: 'decision',
  text,
  evidence: positions.map(source),
});

const plan = (
  proposals: Parameters<typeof planFlush>[0]['proposals'],
  affected: AffectedEntry[],
  seen = new Map(),
) => planFlush({ proposals, affected, seenVersions: seen, positionOf });

describe('spec 20 F15: an add', () => {
  test('of new content is an add with its evidence', () => {
    const { writes } = plan([add([3, 2])], []);
    expect(writes).toMatchObject([{ op: 'add', after: { version: 1, source_refs: [source(2), source(3)] } }]);
  });

  test('equal to an active entry adds its evidence as a revise with reason evidence', () => {
    const { writes } = plan([add([2])], [entry()]);
    expect(writes).toMatchObject([
      {
        op: 'revise',
        reason: 'evidence',
        after: { version: 2, text: 'Use Kafka.', source_refs: [source(1), source(2)] },
      },
    ]);
  });

  test('equal to an active entry with the evidence changes nothing, so that a replay does nothing', () => {
    expect(plan([add([1])], [entry()]).writes).toEqual([]);
  });

  test('goes to the lowest of several equal active entries', () => {
    const low = entry({ entry_id: '01a1f888-0000-7000-8000-000000000001' });
    const high = entry({ entry_id: '01a1f888-0000-7000-8000-000000000002' });
    expect(plan([add([2])], [low, high]).writes).toMatchObject([{ after: { entry_id: low.entry_id } }]);
  });

  test('does not reactivate an entry that was retired after its Sources', () => {
    const retired = entry({ active: false, deactivated_at_position: 5 });
    expect(plan([add([4, 5])], [retired]).writes).toEqual([]);
  });

  test('reactivates an entry that was retired before one of its Sources, as a new version with that evidence', () => {
    const retired = entry({ active: false, deactivated_at_position: 5 });
    expect(plan([add([5, 6])], [retired]).writes).toMatchObject([
      {
        op: 'reactivate',
        after: { version: 2, active: true, source_refs: [source(1), source(5), source(6)] },
      },
    ]);
  });
});

describe('spec 20 F10: a revise', () => {
  const proposal = {
    op: 'revise' as const,
    entry_id: entry().entry_id,
    kind: 'decision',
    text: 'Use Kafka 4.',
    evidence: [source(2)],
    reason: 'newer',
  };

  test('of an unchanged entry creates its next version', () => {
    const { writes, stale } = plan(
      [proposal],
      [entry()],
      new Map([[entry().entry_id, entry().entry_version_id]]),
    );
    expect(stale).toBe(0);
    expect(writes).toMatchObject([
      { op: 'revise', reason: 'newer', after: { version: 2, text: 'Use Kafka 4.' } },
    ]);
  });

  test.each([
    ['has changed since', [entry({ entry_version_id: '01a1f888-0000-7000-8000-00000000000b' })]],
    ['was retired since', [entry({ active: false })]],
    ['is not there', []],
  ])('of an entry that %s is counted and not written', (_, affected) => {
    const result = plan([proposal], affected, new Map([[entry().entry_id, entry().entry_version_id]]));
    expect(result).toEqual({ writes: [], stale: 1 });
  });
});

describe('spec 20 M4: an entry is written at most once by a revision', () => {
  const seen = new Map([[entry().entry_id, entry().entry_version_id]]);
  const revise = {
    ...add([3], 'Use Kafka 4.'),
    op: 'revise' as const,
    entry_id: entry().entry_id,
    reason: null,
  };

  test('a revise is kept if an add before it repeats the text that it replaces', () => {
    expect(plan([add([2]), revise], [entry()], seen).writes).toMatchObject([
      { op: 'revise', after: { text: 'Use Kafka 4.', source_refs: [source(1), source(3)] } },
    ]);
  });

  test.each([
    ['before', [add([2], 'Use Kafka 4.'), revise]],
    ['after', [revise, add([2], 'Use Kafka 4.')]],
  ])('an add of the new text %s the revise adds its evidence, and no second entry', (_, proposals) => {
    expect(plan(proposals, [entry()], seen).writes).toMatchObject([
      { op: 'revise', after: { text: 'Use Kafka 4.', source_refs: [source(1), source(2), source(3)] } },
    ]);
  });
});

test('spec 26 F15: an add equal to an ended entry only is new, and one with validity needs the same', () => {
  const ended = entry({ holds_until: new Date('2026-03-01T00:00:00Z'), has_ended: true });
  const plan = (affected: AffectedEntry[], proposal: ReturnType<typeof add> & { holds_from?: Date }) =>
    planFlush({ proposals: [proposal], affected, seenVersions: new Map(), positionOf }).writes;
  expect(plan([ended], add([2]))).toMatchObject([{ op: 'add' }]);
  const current = entry({ entry_id: '01a1f888-0000-7000-8000-000000000002', holds_from: new Date(5) });
  expect(plan([ended, current], add([2]))).toMatchObject([
    { op: 'revise', after: { entry_id: current.entry_id, holds_from: new Date(5) } },
  ]);
  expect(plan([current], { ...add([2]), holds_from: new Date(6) })).toMatchObject([
    { op: 'add', after: { holds_from: new Date(6), holds_until: null } },
  ]);
  expect(plan([current], { ...add([2]), holds_from: new Date(5) })).toMatchObject([{ op: 'revise' }]);
});
