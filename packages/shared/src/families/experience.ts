import type { ExperienceContent } from '@continuity/contract/experience';
import { documentRules, readStoredContent } from '../artifacts/index.ts';
import { labeledText, proposedExperience, searchedText } from '../experience/index.ts';
import { type GenerationRules, normalizePiece, readContent } from '../generation/index.ts';
import type { CandidateRules } from '../review/index.ts';
import type { FamilyRecord } from './family.ts';

/** An Experience is stored as sent. */
interface DecidedExperience {
  content: ExperienceContent;
}

const artifacts = documentRules<ExperienceContent, DecidedExperience>({
  family: 'experience',
  // The shape expresses all rules.
  check: () => {},
  complete: (content) => content,
  decide: async (_queries, _place, content) => ({ content }),
  decidePublished: async (_queries, published) => readStoredContent<ExperienceContent>(published),
  searchedText: ({ content }) => searchedText(content),
});

const candidates: CandidateRules<ExperienceContent, ExperienceContent> = {
  family: 'experience',
  check: () => {},
  complete: (content) => content,
  decide: async (_queries, _place, content) => proposedExperience(content),
  // Any head may be replaced, from any evidence.
  checkTarget: async () => {},
  checkLineage: () => {},
  prepareApproved: (_deps, place, content) => artifacts.prepare(place, { content }),
  package: null,
};

const generation: GenerationRules<ExperienceContent> = {
  setting: 'EXPERIENCE_GENERATION',
  purpose: 'experience_generation',
  versions: { builtin: 'service.experience.extract.v1', model: 'service.experience.model.v1' },
  checkRequest: () => {},
  readsArtifactsFirst: () => false,
  readTarget: (queries, place, target) => readContent<ExperienceContent>(queries, place, target),
  generate: async (generators, { pieces, target, signal, onUsage }) => {
    const content = await generators.experience.generate({ pieces, target, signal, onUsage });
    return content && proposedExperience(content);
  },
};

export const experienceRecord = {
  artifacts,
  candidates,
  generation,

  readPiece: async (queries, place, ref) => {
    const content = await readContent<ExperienceContent>(queries, place, ref);
    return { kind: 'experience', content, ...normalizePiece(labeledText(content)) };
  },
} satisfies FamilyRecord<'experience'>;
