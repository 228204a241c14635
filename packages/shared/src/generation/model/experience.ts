import { type ExperienceContent, experienceContent } from '@continuity/contract/experience';
import { canonicalJson } from '@continuity/kernel/json';
import { z } from 'zod';
import { createAsk, InvalidAnswerError, type ModelEndpoint } from '../../inference/index.ts';
import type { ExperienceGenerator, IncubatedExperience } from '../port.ts';
import { askForContent, checkContent, commonRules, promptOf } from './ask.ts';

export interface ModelGeneratorOptions extends ModelEndpoint {
  /** Limit of requests for one answer while the endpoint is unreachable, retries included. */
  maxRequests: number;
}

const fields = z.strictObject({
  situation: z.string(),
  action: z.string(),
  outcome: z.string(),
  lesson: z.string(),
});

/** All fields are required and without limits, because some endpoints reject others; the contract's shape checks the limits. */
const answerSchema = z.strictObject({ proposal: fields.nullable() });

const instructions = `You write an experience: what a future worker on a similar task should know.

${commonRules}

Answer with one JSON object {"proposal": …} and nothing else. The proposal has exactly these fields, each a text of 1 to 8,000 characters:
- "situation": when it applies: the task or problem, without the names of persons.
- "action": what was done.
- "outcome": what came of it, with the exact status of each check. A check that did not pass is never worded as passed.
- "lesson": what to do or avoid next time, and why.
Answer {"proposal": null} if the evidence has nothing that is worth knowing again, or nothing that the target does not say.`;

/** Most Experiences of one window. */
const maxExperiences = 32;

const windowSchema = z.strictObject({
  experiences: z.array(z.strictObject({ ...fields.shape, evidence: z.array(z.number()) })),
});

const windowInstructions = `You read the outcomes of tasks and write experiences: what a future worker on a similar task should know.

${commonRules}

Answer with one JSON object {"experiences": […]} and nothing else, with at most one experience for each record. Each has exactly these fields: "situation", "action", "outcome" and "lesson", each a text of 1 to 8,000 characters, and "evidence", the numbers of the records that it rests on, at least one. "outcome" has the exact status of each check; a check that did not pass is never worded as passed. Leave out a record that has nothing that is worth knowing again.`;

/** Creates a generator over a model (spec 40 §2). */
export function createModelExperienceGenerator(options: ModelGeneratorOptions): ExperienceGenerator {
  const ask = createAsk(options);
  return {
    generate: ({ pieces, target, signal, onUsage }) =>
      askForContent(ask, options.maxRequests, {
        name: 'experience',
        instructions,
        schema: answerSchema,
        prompt: (refused) => promptOf({ pieces, target }, refused),
        read: ({ proposal }) => (proposal === null ? null : readProposal(proposal, target)),
        signal,
        onUsage,
      }),
    incubate: ({ pieces, signal, onUsage }) =>
      askForContent(ask, options.maxRequests, {
        name: 'experiences',
        instructions: windowInstructions,
        schema: windowSchema,
        prompt: (refused) => promptOf({ pieces, target: null }, refused),
        read: ({ experiences }) => readWindow(experiences, pieces.length),
        signal,
        onUsage,
      }),
  };
}

function readWindow(
  experiences: z.output<typeof windowSchema>['experiences'],
  count: number,
): IncubatedExperience[] {
  if (experiences.length > maxExperiences) throw new InvalidAnswerError('There were too many experiences.');
  return experiences.map(({ evidence, ...content }) => {
    const numbers = [...new Set(evidence)].toSorted((left, right) => left - right);
    const isKnown = (number: number) => Number.isInteger(number) && number >= 1 && number <= count;
    if (numbers.length === 0 || !numbers.every(isKnown)) {
      throw new InvalidAnswerError('An experience named no record, or an unknown one.');
    }
    return {
      content: checkContent(experienceContent, content),
      evidence: numbers.map((number) => number - 1),
    };
  });
}

function readProposal(
  proposal: z.output<typeof fields>,
  target: ExperienceContent | null,
): ExperienceContent | null {
  const content = checkContent(experienceContent, proposal);
  return target !== null && canonicalJson(content) === canonicalJson(target) ? null : content;
}
