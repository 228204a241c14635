import type { Example as ContractExample } from '@continuity/contract';
import type { Example } from './schemas.ts';

/** The examples of one body, by a key derived from their summary. */
export function bodyExamples(
  examples: ContractExample[],
  bodyOf: (example: ContractExample) => unknown,
): { examples?: Record<string, Example> } {
  const named = examples
    .filter((example) => bodyOf(example) !== undefined)
    .map((example): [string, Example] => [
      toKey(example.summary),
      { summary: example.summary, value: bodyOf(example) },
    ]);
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
}

/** `The first page` → `the-first-page` */
function toKey(summary: string): string {
  return summary
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
