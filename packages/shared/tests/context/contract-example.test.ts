import { prepareContext } from '@continuity/contract/context';
import { expect, test } from 'vitest';
import { toExperienceHit, toMemoryHit } from '../../src/context/context-hit.ts';
import { fitHits } from '../../src/context/fit-hits.ts';
import { layoutOf } from '../../src/context/layout.ts';

const [example, compact] = prepareContext.examples;
const scopeId = example.body.scope_id;

function exampleHits() {
  const [entry, experience] = JSON.parse(String(example.response.content).split('\n')[3] ?? '').items;
  const [situation, action, outcome, lesson] = experience.content
    .split('\n')
    .map((line: string) => line.slice(line.indexOf(': ') + 2));
  const { artifact_id, revision } = experience.citation.artifact_ref;
  return [
    toMemoryHit(scopeId, scopeId, { citation: entry.citation, version: 1, text: entry.content }),
    toExperienceHit(scopeId, scopeId, {
      artifact_id,
      revision,
      content: { situation, action, outcome, lesson },
      created_at: new Date('2025-10-08T02:20:55Z'),
    }),
  ].filter((hit) => hit !== undefined);
}

test.each([
  ['v1', example],
  ['compact', compact],
] as const)('the %s example of the contract is what its items render to', (format, { response }) => {
  const size = { layout: layoutOf(format, scopeId), maxBytes: 8_000, maxItems: 8 };
  expect(fitHits(exampleHits(), size)).toMatchObject({
    content: response.content,
    contentBytes: response.content_bytes,
  });
});
