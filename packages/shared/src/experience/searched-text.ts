import type { ExperienceContent } from '@continuity/contract/experience';

/** Returns the text of an Experience that lexical search reads (spec 20 P3). */
export function searchedText({ situation, action, outcome, lesson }: ExperienceContent): string {
  return [situation, action, outcome, lesson].join('\n');
}
