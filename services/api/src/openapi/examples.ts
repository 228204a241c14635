import type { Example as ContractExample } from '@continuity/contract';
import type { Example } from './types.ts';

/** What an operation's examples say of one body, by a key made of their summary. */
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
