import type { Issue } from '@continuity/contract';
import { citationKey, citeArtifact } from '@continuity/contract/evidence';
import type { Candidate, Evidence } from '@continuity/contract/review';
import type { SkillOrigin } from '@continuity/contract/skills';
import { invalidRequest, requireNoIssues } from '@continuity/kernel/errors';

type OriginRule = (evidence: Evidence) => string | undefined;

/** Rules of the evidence by origin (spec 40 §6.2). Each returns the problem; undefined without one. */
const rules: Record<SkillOrigin, OriginRule> = {
  experience: ({ target, artifact_refs }) => {
    const isMet =
      target === null &&
      artifact_refs.length > 0 &&
      artifact_refs.every(({ family }) => family === 'experience');
    return isMet ? undefined : 'needs artifact_refs that are all Experiences, at least one, and no target';
  },
  source: ({ target, artifact_refs, source_refs }) => {
    const isMet = target === null && artifact_refs.length === 0 && source_refs.length > 0;
    return isMet ? undefined : 'needs source_refs, at least one, without artifact_refs and target';
  },
  usage: ({ target, artifact_refs, source_refs }) => {
    const key = target?.family === 'skill' ? citationKey(citeArtifact(target)) : undefined;
    const isMet =
      source_refs.length > 0 && artifact_refs.some((ref) => citationKey(citeArtifact(ref)) === key);
    return isMet
      ? undefined
      : 'needs a Skill as target that is one of artifact_refs, and source_refs, at least one';
  },
};

/** Throws 422 at `origin` if the evidence has not the shape of its origin. */
export function requireOriginShape(origin: SkillOrigin, evidence: Evidence): void {
  const problem = rules[origin](evidence);
  if (problem !== undefined) throw invalidRequest([{ path: 'origin', message: `${origin} ${problem}` }]);
}

/**
 * Checks what a Skill may be made from (spec 40 §4, approve rule 3): a new Skill from Sources and Experiences; the next
 * revision of a Skill from its head and at least one Source. Throws 422 at the field of the Candidate.
 */
export function checkSkillLineage({ source_refs, artifact_refs, target }: Candidate): void {
  if (target === null) {
    requireNoIssues(
      artifact_refs.flatMap(({ family }, index): Issue[] =>
        family === 'experience'
          ? []
          : [
              {
                path: `artifact_refs[${index}]`,
                message: 'must be an Experience: a new Skill cites no other Artifacts',
              },
            ],
      ),
    );
  } else if (source_refs.length === 0) {
    requireNoIssues([
      { path: 'source_refs', message: 'must name a Source: a Skill is changed because of what was observed' },
    ]);
  }
}
