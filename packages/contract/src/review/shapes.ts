import { z } from 'zod';
import { candidateFamilies, familyCatalog } from '../families/catalog.ts';
import { artifactRef, int, sourceRef, str, token, trimmed } from '../notation/shapes.ts';
import { hiddenCounts, packageAdjustments, packageSummary } from '../skills/shapes.ts';

/** Limit of the references of one list as sent, and of both lists without duplicates (spec 40 §1.1). */
export const maxReferences = 32;

export const candidateFamily = z
  .enum(candidateFamilies)
  .meta({ id: 'CandidateFamily', description: 'What a Candidate becomes.' });

export const candidateStatus = z
  .enum(['pending', 'approved', 'rejected'])
  .meta({ id: 'CandidateStatus', description: 'Approved and rejected are final.' });

export const candidateOrigin = z
  .enum(['proposed', 'generated', 'incubated', 'uploaded', 'imported', 'forked'])
  .meta({ id: 'CandidateOrigin', description: 'How version 1 came about.' });

export const actor = z
  .strictObject({ label: str(1, 64) })
  .meta({ id: 'Actor', description: 'The label of the token that a request was sent with.' });

const specs = candidateFamilies.map((name) => familyCatalog[name]);

/** The proposal of a request that may be of any Family with Candidates. */
export const proposalInput = z.union(specs.map(({ createContent }) => createContent)).meta({
  id: 'ProposalInput',
  description: `The complete content of ${specs.map(({ article, title }) => `${article} ${title}`).join(' or ')}.`,
});

export const proposal = z.union(specs.map(({ content }) => content)).meta({ id: 'Proposal' });

const sourceRefs = z.array(sourceRef).max(maxReferences);
const artifactRefs = z.array(artifactRef).max(maxReferences);
const reason = trimmed(1, 2000).nullable();

/** `next_cursor` of the previous page. */
export const cursorField = str(1, 512).nullable().default(null).meta({
  description: '`next_cursor` of the previous page.',
});

/** Fields of a request that proposes or generates a Candidate (spec 40 §1.1). */
export const evidenceFields = {
  source_refs: sourceRefs.meta({ description: 'Sources of this Scope. The service drops exact duplicates.' }),
  artifact_refs: artifactRefs.meta({ description: 'Artifact revisions of this Scope, current or not.' }),
  target: artifactRef.nullable().default(null).meta({
    description: 'The head that the Candidate replaces. One of `artifact_refs`; null for a new Artifact.',
  }),
  reason: reason.default(null).meta({ description: 'A note for reviewers.' }),
};

const evidence = z.strictObject(evidenceFields);

export const candidate = z
  .strictObject({
    candidate_id: token(1, 128),
    version: int(1),
    family: candidateFamily,
    status: candidateStatus,
    proposal,
    source_refs: sourceRefs,
    artifact_refs: artifactRefs,
    target: artifactRef.nullable(),
    reason,
    result_artifact: artifactRef.nullable().meta({ description: 'The revision that an approval wrote.' }),
    decision_reason: trimmed(1, 2000).nullable().meta({ description: 'Why it was rejected.' }),
  })
  .meta({
    id: 'Candidate',
    description: `A proposed ${specs.map(({ title }) => title).join(' or ')}. Each version is immutable.`,
  });

export const candidateDetail = z
  .strictObject({
    ...candidate.shape,
    hidden_characters: hiddenCounts.meta({ description: 'Of all texts of the proposal.' }),
    package_summary: packageSummary
      .nullable()
      .meta({ description: 'Null for an Experience, and for a package that cannot be read.' }),
  })
  .meta({ id: 'CandidateDetail', description: 'A Candidate, and what a reader of it cannot see.' });

export const uploadedCandidate = z.strictObject({ ...candidate.shape, adjusted: packageAdjustments }).meta({
  id: 'UploadedCandidate',
  description: 'A Candidate, and what was mended in the archive that it comes from.',
});

export const generated = z
  .strictObject({ status: z.enum(['pending', 'no_op']), candidate: candidate.nullable() })
  .meta({ id: 'Generated', description: 'A pending Candidate; null if the evidence gives none.' });

export type CandidateStatus = z.infer<typeof candidateStatus>;
export type CandidateOrigin = z.infer<typeof candidateOrigin>;
export type Actor = z.infer<typeof actor>;
export type Proposal = z.infer<typeof proposal>;
export type ProposalInput = z.infer<typeof proposalInput>;
export type Evidence = z.output<typeof evidence>;
export type Candidate = z.infer<typeof candidate>;
export type UploadedCandidate = z.infer<typeof uploadedCandidate>;
export type CandidateDetail = z.infer<typeof candidateDetail>;
export type Generated = z.infer<typeof generated>;
