import { z } from 'zod';
import { hex64, int, str, token, trimmed } from '../notation/shapes.ts';
import { maxRegisteredDescription, maxRegisteredName } from '../skills/format.ts';
import { agentKind } from '../skills/shapes.ts';

/** Limits of External Skills (spec 40 §7). */
export const maxRegistrations = 1_000;
export const maxListed = 2_000;
export const maxLocator = 2_000;
export const maxSkippedItems = 100;
export const maxSkippedMessage = 512;

export const installationScope = z
  .enum(['user', 'project', 'plugin'])
  .meta({ id: 'InstallationScope', description: 'For whom the Skill is installed on its host.' });

export const hostId = trimmed(1, 128).meta({ description: 'The host that has the package.' });

export const externalSkillId = token(1, 128).meta({
  description: '`<agent_kind>:<installation_scope>:<target_id>/<directory name>`. Unique on its host only.',
});

export const fingerprint = hex64.meta({
  description: 'Digest of the tree of files, computed as the `tree_digest` of a package.',
});

export const externalSkillRegistration = z
  .strictObject({
    external_skill_id: externalSkillId,
    provider: agentKind,
    agent_kind: agentKind,
    host_id: hostId,
    installation_scope: installationScope,
    locator: trimmed(1, maxLocator).meta({ description: 'Absolute path of the directory on its host.' }),
    fingerprint,
    name: trimmed(1, maxRegisteredName),
    description: trimmed(1, maxRegisteredDescription),
  })
  .meta({ id: 'ExternalSkillRegistration', description: 'A package that a scan has found on a host.' });

export const externalSkillResolution = z
  .strictObject({
    registration: externalSkillRegistration,
    status: z.enum(['available', 'unavailable']).meta({
      description: '`available`: the directory holds exactly the files of the fingerprint.',
    }),
    entrypoint: str(1, 2048).nullable().meta({
      description: 'Path of `SKILL.md` on its host; null if unavailable.',
    }),
  })
  .meta({ id: 'ExternalSkillResolution' });

export const externalSkillScan = z
  .strictObject({
    registrations: z.array(externalSkillRegistration).max(maxRegistrations),
    skipped: z.int().min(0).meta({ description: 'Number of directories that are no valid External Skill.' }),
    skipped_items: z
      .array(
        z.strictObject({
          name: str(1, 255).meta({ description: 'Name of the directory.' }),
          message: str(1, maxSkippedMessage),
          line: int(1).nullable().meta({ description: 'The line of `SKILL.md` at fault.' }),
          column: int(1).nullable(),
        }),
      )
      .max(maxSkippedItems)
      .meta({ description: 'The first of them, and why.' }),
  })
  .meta({ id: 'ExternalSkillScan' });

export const externalSkillList = z
  .strictObject({ skills: z.array(externalSkillResolution).max(maxListed) })
  .meta({ id: 'ExternalSkillList' });

export const importMode = z.enum(['import', 'fork']).meta({
  id: 'ExternalSkillImportMode',
  description: '`import`: exactly the package. `fork`: another package that a generator makes of it.',
});

export type InstallationScope = z.infer<typeof installationScope>;
export type ImportMode = z.infer<typeof importMode>;
export type ExternalSkillRegistration = z.infer<typeof externalSkillRegistration>;
export type ExternalSkillResolution = z.infer<typeof externalSkillResolution>;
export type ExternalSkillScan = z.infer<typeof externalSkillScan>;
export type ExternalSkillList = z.infer<typeof externalSkillList>;
