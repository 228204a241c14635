import { artifactRef, hex64, int } from '@continuity/contract/notation';
import { remoteSkillAction, skillName, targetId } from '@continuity/contract/remote-skills';
import { z } from 'zod';

/** The package that the Receiver has installed for an Artifact, and therefore owns. */
export const checkpoint = z.strictObject({
  schema: z.literal('service.remote-skill-checkpoint.v1'),
  target_id: targetId,
  artifact: artifactRef,
  tree_digest: hex64,
  skill_name: skillName,
  applied_generation: int(0),
});

const heldName = z.string().regex(/^(staging|quarantine)-[0-9a-f]{16}$/);

/** An unfinished action, with everything that its recovery needs. */
export const journal = z.strictObject({
  schema: z.literal('service.remote-skill-pending-action.v1'),
  target_id: targetId,
  action: remoteSkillAction,
  staging_name: heldName,
  quarantine_name: heldName,
  /** The checkpoint before the action. */
  previous: checkpoint.nullable(),
});

export type Checkpoint = z.infer<typeof checkpoint>;
export type Journal = z.infer<typeof journal>;
