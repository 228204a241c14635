import type { Issue } from '@continuity/contract';
import type { Candidate } from '@continuity/contract/review';
import { requireNoIssues } from '@continuity/kernel/errors';

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
