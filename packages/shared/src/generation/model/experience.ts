import { type ExperienceContent, experienceContent } from '@continuity/contract/experience';
import { canonicalJson } from '@continuity/shared/kernel';
import { z } from 'zod';
import { createAsk, type ModelEndpoint } from '../../inference/index.ts';
import { modelIdentity } from '../identity.ts';
import type { ExperienceGenerator } from '../port.ts';
import { askWithRepairs } from './ask-with-repairs.ts';
import { checkContent } from './check-content.ts';
import { commonRules, promptOf } from './prompt.ts';

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

/** Creates a generator over a model (spec 40 §2). */
export function createModelExperienceGenerator(options: ModelGeneratorOptions): ExperienceGenerator {
  const ask = createAsk(options);
  return {
    identity: modelIdentity('experience', options.model),
    generate: ({ pieces, target, signal, onUsage }) =>
      askWithRepairs(ask, options.maxRequests, {
        name: 'experience',
        instructions,
        schema: answerSchema,
        prompt: (refused) => promptOf({ pieces, target }, refused),
        read: ({ proposal }) => (proposal === null ? null : readProposal(proposal, target)),
        signal,
        onUsage,
      }),
  };
}

function readProposal(
  proposal: z.output<typeof fields>,
  target: ExperienceContent | null,
): ExperienceContent | null {
  const content = checkContent(experienceContent, proposal);
  return target !== null && canonicalJson(content) === canonicalJson(target) ? null : content;
}
