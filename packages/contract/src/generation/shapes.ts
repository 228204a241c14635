import { z } from 'zod';

/** Why a Skill is generated (spec 40 §6.2). */
export const skillOrigin = z.enum(['experience', 'source', 'usage']).meta({
  id: 'SkillOrigin',
  description:
    '`experience`: `artifact_refs` are Experiences, at least one. `source`: Sources alone, at least one. `usage`: `target` is a ' +
    'Skill, one of `artifact_refs`, and Sources tell of its use, at least one.',
});

export type SkillOrigin = z.infer<typeof skillOrigin>;
