import type { ExperienceContent } from './shapes.ts';

/** What a search for words looks at (spec 20 P3). */
export function searchedText({ situation, action, outcome, lesson }: ExperienceContent): string {
  return [situation, action, outcome, lesson].join('\n');
}
