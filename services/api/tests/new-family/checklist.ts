import type { ArtifactRef, CandidateFamily, SearchedFamily } from '@continuity/contract';
import type { Proposal, ProposalInput } from '@continuity/contract/review';
import { invalidRequest } from '@continuity/kernel/errors';
import { documentRules, readStoredContent } from '@continuity/shared/artifacts';
import { type EvidencePlaceKey, readContent, textPiece } from '@continuity/shared/generation';
import type { CandidateRules, Proposed } from '@continuity/shared/review';
import type { ChecklistContent } from './contract.ts';

/** The name of the Family, which the types of the service do not know. */
const family = 'checklist' as string as CandidateFamily & SearchedFamily;

/** No step twice. */
function check({ steps }: ChecklistContent, at: string): void {
  const repeated = steps.findIndex((step, index) => steps.indexOf(step) < index);
  if (repeated === -1) return;
  throw invalidRequest([{ path: `${at}.steps[${repeated}]`, message: 'must not repeat a step' }]);
}

const artifacts = documentRules<ChecklistContent, { content: ChecklistContent }>({
  family,
  check: (content) => check(content, 'content'),
  complete: (content) => content,
  decide: async (_queries, _place, content) => ({ content }),
  decidePublished: async (_queries, published) => readStoredContent<ChecklistContent>(published),
  searchedText: ({ content }) => [content.title, ...content.steps].join('\n'),
});

const proposed = (content: ChecklistContent): Proposed => ({
  family,
  content,
  title: content.title,
  package: null,
  store: async () => {},
});

const candidates: CandidateRules<ChecklistContent, ChecklistContent> = {
  family,
  check: (content) => check(content, 'proposal'),
  complete: (content) => content,
  decide: async (_queries, _place, content) => proposed(content),
  checkTarget: async () => {},
  checkLineage: () => {},
  prepareApproved: (_deps, place, content) => artifacts.prepare(place, { content }),
  package: null,
};

/** The record of a Family that only this test has. */
export const checklistRecord = {
  artifacts,
  candidates: candidates as unknown as CandidateRules<ProposalInput, Proposal>,
  generation: null,

  readPiece: async (
    queries: Parameters<typeof readContent>[0],
    place: EvidencePlaceKey,
    ref: ArtifactRef,
  ) => {
    const { title, steps } = await readContent<ChecklistContent>(queries, place, ref);
    return textPiece([title, ...steps].join('\n'));
  },
};
