import type { Citation } from '@continuity/contract';
import { citationKey, citeArtifact, citeSource, distinctCitations } from '@continuity/contract/evidence';
import type { HandoffDraft } from '@continuity/contract/handoff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentBytes, contentOfDraft, directCitations, lineageOf } from '../../src/handoff/content.ts';
import { brokenDraftRule, objectiveFits } from '../../src/handoff/rules.ts';

const one = citeSource({ name: 'content', source_id: 'one' });
const two = citeSource({ name: 'content', source_id: 'two' });
const memoryRef = { family: 'memory', artifact_id: 'memory', revision: 3 };
const lesson = { family: 'experience', artifact_id: 'lesson', revision: 1 };
const entry = (entry_id: string): Citation => ({
  kind: 'memory',
  memory_citation: { memory_ref: memoryRef, entry_id, entry_version_id: `${entry_id} v1` },
});

const draft = (change: Partial<HandoffDraft> = {}): HandoffDraft => ({
  objective: 'Carry on.',
  state: [{ text: 'It runs.', citations: [one] }],
  disposition: 'continuable',
  next_action: null,
  omissions: [],
  ...change,
});

test('lineage: in order of first appearance, each once, without omissions (spec 30 §3.2.3)', () => {
  const content = draft({
    state: [
      { text: 'a', citations: [two, entry('e'), one, two] },
      { text: 'b', citations: [citeArtifact(lesson), entry('f'), citeArtifact(memoryRef)] },
    ],
    next_action: { text: 'c', citations: [one] },
    omissions: [{ text: 'd', citation: citeSource({ name: 'content', source_id: 'three' }) }],
  });
  expect(lineageOf(content)).toEqual({
    sources: [
      { name: 'content', source_id: 'two' },
      { name: 'content', source_id: 'one' },
    ],
    artifacts: [memoryRef, lesson],
  });
  expect(directCitations(content)).toHaveLength(6);
});

test('keys of Citations are equal for equal ones only', () => {
  const part = fc.constantFrom('a', 'b', '"', '","', '\\');
  const citation = fc.oneof(
    fc.tuple(part, part).map(([name, source_id]) => citeSource({ name, source_id })),
    fc.tuple(part, part).map(([family, artifact_id]) => citeArtifact({ family, artifact_id, revision: 1 })),
  );
  fc.assert(
    fc.property(citation, citation, (left, right) => {
      expect(citationKey(left) === citationKey(right)).toBe(JSON.stringify(left) === JSON.stringify(right));
      expect(distinctCitations([left, right, left])).toHaveLength(
        citationKey(left) === citationKey(right) ? 1 : 2,
      );
    }),
  );
});

describe('rules of a generated draft (spec 30 §3.3.2)', () => {
  const terms = { objective: 'Carry on.', evidence: [one, two], maxBytes: 8000 };
  const three = citeSource({ name: 'content', source_id: 'three' });

  test.each<[string, HandoffDraft, ReturnType<typeof brokenDraftRule>]>([
    ['a good one', draft({ omissions: [{ text: 'x', citation: two }] }), undefined],
    ['another objective', draft({ objective: 'Carry on. ' }), 'objective'],
    ['evidence of its own', draft({ state: [{ text: 'a', citations: [one, three] }] }), 'evidence'],
    [
      'an omission with evidence of its own',
      draft({ omissions: [{ text: 'x', citation: three }] }),
      'evidence',
    ],
    [
      'complete, and yet something to do',
      draft({ disposition: 'complete', next_action: { text: 'a', citations: [one] } }),
      'output',
    ],
  ])('%s', (_name, given, broken) => {
    expect(brokenDraftRule(given, terms)).toBe(broken);
  });

  test('the budget is in UTF-8 bytes of the canonical content, to the byte', () => {
    const given = draft({ state: [{ text: 'é'.repeat(100), citations: [one] }] });
    const bytes = contentBytes(contentOfDraft(given));
    expect(brokenDraftRule(given, { ...terms, maxBytes: bytes })).toBeUndefined();
    expect(brokenDraftRule(given, { ...terms, maxBytes: bytes - 1 })).toBe('budget');
  });

  test('an objective alone can be over the budget', () => {
    expect(objectiveFits('x'.repeat(510), 512)).toBe(true);
    expect(objectiveFits('x'.repeat(511), 512)).toBe(false);
  });
});
