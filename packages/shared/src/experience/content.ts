import type { ExperienceContent } from '@continuity/contract/experience';
import type { Proposed } from '../review/index.ts';

/** Returns the text of an Experience that lexical search reads (spec 20 P3). */
export function searchedText({ situation, action, outcome, lesson }: ExperienceContent): string {
  return [situation, action, outcome, lesson].join('\n');
}

/** Makes the proposal of a Candidate. */
export function proposedExperience(content: ExperienceContent): Proposed {
  return { family: 'experience', content, title: content.lesson, package: null, store: async () => {} };
}

/** Returns the text of an Experience as evidence: its fields with their labels. */
export function labeledText({ situation, action, outcome, lesson }: ExperienceContent): string {
  return `Situation: ${situation}\n\nAction: ${action}\n\nOutcome: ${outcome}\n\nLesson: ${lesson}`;
}
