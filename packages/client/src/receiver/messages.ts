import { artifactRef, hex64, int, str } from '@continuity/contract/notation';
import { skillPackageRef } from '@continuity/contract/skills';
import { z } from 'zod';

// Shapes of the Receiver's operations (spec 40 §9).

export const agentKind = z.enum(['codex', 'claude_code']);

/** `slug(1..64)`, which is safe as the name of a folder. */
const slug = str(1, 64).regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
export const targetId = slug;
export const skillName = slug;

export const observation = z.strictObject({
  artifact: artifactRef,
  tree_digest: hex64,
  actual_tree_digest: hex64.nullable(),
  skill_name: skillName,
  applied_generation: int(0),
});

export const action = z.strictObject({
  operation: z.enum(['install', 'unpublish']),
  generation: int(0),
  artifact: artifactRef,
  tree_digest: hex64,
  skill_name: skillName,
  package: skillPackageRef.nullable(),
  expected_local: observation.nullable(),
  blocked_error_code: str(1, 128).nullable(),
});

export type Observation = z.infer<typeof observation>;
export type Action = z.infer<typeof action>;
