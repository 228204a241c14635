import { skillContentInput } from '@continuity/contract/skills';
import {
  buildPackage,
  findFieldIssues,
  InvalidPackageError,
  replaceSkillFile,
  type SkillFields,
  type SkillPackage,
  writeSkillFile,
} from '@continuity/skill-packages';
import { z } from 'zod';
import { createAsk, InvalidAnswerError } from '../../inference/index.ts';
import type { SkillGenerator } from '../port.ts';
import { askForContent, checkContent, commonRules, promptOf, refuseAnswer } from './ask.ts';
import type { ModelGeneratorOptions } from './experience.ts';

const fields = z.strictObject({
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  validation: z.array(z.string()),
});

/** As for an Experience: required fields without limits, which the contract's shape checks. */
const answerSchema = z.strictObject({ proposal: fields.nullable() });

const answerRules = (
  nameRule: string,
) => `Answer with one JSON object {"proposal": …} and nothing else. The proposal has exactly these fields:
- "name": 1 to 64 characters: words of a-z and 0-9, joined by single hyphens. ${nameRule}
- "description": what the skill does and when to use it, 1 to 1,024 characters on one line, without < and >.
- "instructions": Markdown with numbered steps, at most 60,000 characters, without front matter. Steps are what the evidence shows to work.
- "validation": at most 32 checks that show that the steps have worked, each on one line of at most 300 characters.`;

const instructions = `You write a skill: instructions that an agent follows when a task of the same kind comes again.

${commonRules}

${answerRules('Keep the name of the target.')}
Answer {"proposal": null} if the evidence shows no way of working that is worth repeating, or nothing that the target does not say.`;

const forkInstructions = `You rewrite a skill that another team has written: instructions that an agent follows when a task of the same kind comes again. The target is that skill, and there is no evidence besides it. Keep what it says and the files that it names; say it in a clear order of steps.

${commonRules}

${answerRules('Choose another name than that of the target.')}
Answer {"proposal": null} if the target has no way of working that is worth repeating.`;

/** Creates a generator over a model (spec 40 §2). It keeps the target's license, compatibility, metadata, allowed tools and files. */
export function createModelSkillGenerator(options: ModelGeneratorOptions): SkillGenerator {
  const ask = createAsk(options);
  return {
    generate: ({ pieces, target, signal, onUsage }) =>
      askForContent(ask, options.maxRequests, {
        name: 'skill',
        instructions,
        schema: answerSchema,
        prompt: (refused) => promptOf({ pieces, target: target && shownOf(target) }, refused),
        read: ({ proposal }) => (proposal === null ? null : readProposal(proposal, target)),
        signal,
        onUsage,
      }),
    fork: ({ snapshot, signal, onUsage }) =>
      askForContent(ask, options.maxRequests, {
        name: 'skill',
        instructions: forkInstructions,
        schema: answerSchema,
        prompt: (refused) => promptOf({ pieces: [], target: shownOf(snapshot) }, refused),
        read: ({ proposal }) => (proposal === null ? null : readProposal(proposal, snapshot)),
        signal,
        onUsage,
      }),
  };
}

function shownOf({ fields: { name, description, instructions } }: SkillPackage) {
  return { name, description, instructions };
}

function readProposal(proposal: z.output<typeof fields>, target: SkillPackage | null): SkillPackage | null {
  const { name, description, instructions, validation } = checkContent(skillContentInput, proposal);
  const { license, compatibility, metadata, allowed_tools } = target?.fields ?? nothingElse;
  const said = { name, description, instructions, license, compatibility, metadata, allowed_tools };
  refuseAnswer(findFieldIssues(said, validation));
  const built = target === null ? buildPackage(said, validation) : rebuild(target, said, validation);
  return built.ref.tree_digest === target?.ref.tree_digest ? null : built;
}

const nothingElse = { license: null, compatibility: null, metadata: {}, allowed_tools: null };

/** The package of the target with a `SKILL.md` of these fields. */
function rebuild({ files }: SkillPackage, said: SkillFields, validation: readonly string[]): SkillPackage {
  try {
    return replaceSkillFile(files, writeSkillFile(said, validation).text);
  } catch (error) {
    if (error instanceof InvalidPackageError)
      throw new InvalidAnswerError(`The package is not valid: ${error.message}`);
    throw error;
  }
}
