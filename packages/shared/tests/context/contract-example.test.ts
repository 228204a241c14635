import { prepareContext } from '@continuity/contract/context';
import { expect, test } from 'vitest';
import { experienceCandidate, memoryCandidate } from '../../src/context/candidate.ts';
import { fitCandidates } from '../../src/context/fit-candidates.ts';

test('the example of the contract is what its items render to', () => {
  const [example] = prepareContext.examples;
  const scopeId = example.body.scope_id;
  const [entry, experience] = JSON.parse(String(example.response.content).split('\n')[3] ?? '').items;
  const [situation, action, outcome, lesson] = experience.content
    .split('\n')
    .map((line: string) => line.slice(line.indexOf(': ') + 2));
  const { memory_ref, ...version } = entry.citation;
  const candidates = [
    memoryCandidate(scopeId, scopeId, {
      citation: { memory_ref, ...version },
      text: entry.content,
    }),
    experienceCandidate(scopeId, scopeId, {
      artifact_id: experience.citation.artifact_ref.artifact_id,
      revision: experience.citation.artifact_ref.revision,
      content: { situation, action, outcome, lesson },
      created_at: new Date(0),
    }),
  ];
  const fitted = fitCandidates(
    candidates.filter((candidate) => candidate !== undefined),
    example.body.max_bytes,
  );
  expect(fitted).toMatchObject({
    content: example.response.content,
    contentBytes: example.response.content_bytes,
  });
});
