import { describe, expect, test } from 'vitest';
import type { ExtractedRecordKind, ExtractionProfile } from '../../../src/memory/extraction/index.ts';
import { extractor, sourceOf, tenantId } from './statements.ts';

async function statementsOf(
  record: ExtractedRecordKind,
  content: Parameters<typeof sourceOf>[0],
  profile: ExtractionProfile = 'coding',
): Promise<[string, string][]> {
  const { proposals } = await extractor.extract({
    tenantId,
    profile,
    sources: [{ ...sourceOf(content), record }],
    known: [],
    signal: new AbortController().signal,
  });
  return proposals.map(({ kind, text }) => [kind, text]);
}

const claim = (text: string) => ({ text, basis: 'declared', evidence: [] });

describe.each(['coding', 'conversation'] as const)('spec 20 X1, profile %s', (profile) => {
  test('a contract: facts, and what it excludes or allows as constraints', async () => {
    const contract = {
      objective: 'Build the wall.',
      facts: [claim('It is dry. We must not dig.'), claim('Short.')],
      in_scope: ['the northern wall'],
      exclusions: ['the roof'],
      completion_criteria: ['it stands'],
      authorization_notes: ['Ask the owner before you dig.'],
      open_questions: ['Which colour?'],
    };
    expect(await statementsOf('work-contract', contract, profile)).toEqual([
      ['fact', 'It is dry.'],
      ['fact', 'We must not dig.'],
      ['fact', 'Short.'],
      ['constraint', 'the roof'],
      ['constraint', 'Ask the owner before you dig.'],
    ]);
  });

  test('a boundary: state and next action are working notes', async () => {
    const boundary = {
      objective: 'Build the wall.',
      state: [claim('We decided to use brick.')],
      next_action: claim('Order brick.'),
      omissions: ['Nothing was measured.'],
    };
    expect(await statementsOf('handoff-boundary', boundary, profile)).toEqual([
      ['working_note', 'We decided to use brick.'],
      ['working_note', 'Order brick.'],
    ]);
    expect(await statementsOf('handoff-boundary', { ...boundary, next_action: null }, profile)).toHaveLength(
      1,
    );
  });

  test('an outcome: summary and observations are facts, remaining work is a working note', async () => {
    const outcome = {
      objective: 'Build the wall.',
      summary: 'It stands.',
      observations: [claim('It leans a little.')],
      checks: [{ name: 'level', status: 'passed', details: 'All of it.' }],
      remaining_work: ['Paint it.'],
    };
    expect(await statementsOf('task-outcome', outcome, profile)).toEqual([
      ['fact', 'It stands.'],
      ['fact', 'It leans a little.'],
      ['working_note', 'Paint it.'],
    ]);
  });
});

test('spec 20 X5: a record gives at most 200 entries, and no credential or question', async () => {
  const facts = Array.from({ length: 230 }, (_, index) => claim(`Fact number ${index} of the wall.`));
  expect(await statementsOf('work-contract', { facts })).toHaveLength(200);
  const secret = [claim('password = hunter2hunter2'), claim('Is it dry?'), claim('It is dry.')];
  expect(await statementsOf('work-contract', { facts: secret })).toEqual([['fact', 'It is dry.']]);
});
