import type { ExperienceContent } from '@continuity/contract/experience';

/** What a search for words looks at (spec 20 P3). */
export function searchedText({ situation, action, outcome, lesson }: ExperienceContent): string {
  return [situation, action, outcome, lesson].join('\n');
}
