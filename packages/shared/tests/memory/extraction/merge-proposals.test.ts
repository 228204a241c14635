import { expect, test } from 'vitest';
import { mergeProposals, type Proposal } from '../../../src/memory/extraction/index.ts';

const ref = (source_id: string) => ({ name: 'content', source_id });
const add = (kind: string, text: string, ...ids: string[]): Proposal => ({
  op: 'add',
  kind,
  text,
  evidence: ids.map(ref),
});
const revise = (entry_id: string, text: string, reason: string | null, ...ids: string[]): Proposal => ({
  op: 'revise',
  entry_id,
  kind: 'fact',
  text,
  reason,
  evidence: ids.map(ref),
});

test('spec 20 F14: equal proposals become one with the union of the evidence', () => {
  expect(
    mergeProposals([
      add('fact', 'A', 's1', 's1'),
      add('decision', 'A', 's1'),
      add('fact', 'A', 's2', 's1'),
      revise('e1', 'A', 'first', 's3'),
      revise('e2', 'A', null, 's3'),
      revise('e1', 'A', 'second', 's4'),
    ]),
  ).toEqual([
    add('fact', 'A', 's1', 's2'),
    add('decision', 'A', 's1'),
    revise('e1', 'A', 'first', 's3', 's4'),
    revise('e2', 'A', null, 's3'),
  ]);
});

test('spec 20 F14: Sources of one id and two types are two Sources', () => {
  const other = { name: 'git-file', source_id: 's1' };
  const merged = mergeProposals([add('fact', 'A', 's1'), { ...add('fact', 'A'), evidence: [other] }]);
  expect(merged[0]?.evidence).toEqual([ref('s1'), other]);
});
