import { skillPackageRef } from '@continuity/contract/skills';
import { z } from 'zod';

// Callers may create Sources of these types with other content, which is then read as any content (spec 40 §1.1.8).

/** The fields of an observed use of a Skill that evidence shows. */
export const skillUsage = z.object({
  schema: z.literal('service.skill-usage.v1'),
  target_id: z.string(),
  selected: z.boolean(),
  invoked: z.enum(['true', 'false', 'unknown']),
  validation: z.enum(['passed', 'failed', 'unknown']),
  outcome: z.enum(['success', 'failure', 'unknown']),
});

/** The package of an upload or of a snapshot. */
export const storedPackage = z.object({
  schema: z.enum(['service.skill-package-upload.v1', 'service.external-skill-snapshot.v1']),
  package: skillPackageRef,
});
