import { z } from 'zod';
import { hex64, int, str, trimmed } from '../notation/shapes.ts';
import { agentKinds } from './agent-kinds.ts';
import {
  maxAllowedTools,
  maxArchiveBytes,
  maxCompatibility,
  maxLicense,
  maxPackageBytes,
  maxPackageFiles,
} from './package-limits.ts';
import { metadataMap, plainLine, plainText } from './text-shapes.ts';

/** The agent that loads a Skill. */
export const agentKind = z.enum(agentKinds).meta({ id: 'AgentKind' });

export const skillPackageRef = z
  .strictObject({
    tree_digest: hex64,
    archive_digest: hex64,
    file_count: int(1, maxPackageFiles),
    uncompressed_size: int(1, maxPackageBytes),
    archive_size: int(1, maxArchiveBytes),
  })
  .meta({ id: 'SkillPackageRef', description: 'A tree of files, identified by its digests and sizes.' });

const required = {
  name: plainLine(1, 128),
  description: plainText(1, 2000),
  instructions: str(0, 131_072),
  validation: z.array(trimmed(1, 2000)).max(32),
};
const license = plainText(1, maxLicense);
const compatibility = plainText(1, maxCompatibility);
const allowedTools = plainText(1, maxAllowedTools);

/** Content as stored and returned: the fields of the package, with every key present. */
export const skillContent = z
  .strictObject({
    ...required,
    package: skillPackageRef.nullable(),
    license: license.nullable(),
    compatibility: compatibility.nullable(),
    metadata: metadataMap,
    allowed_tools: allowedTools.nullable(),
  })
  .meta({ id: 'SkillContent' });

/** Content as a caller sends it. The service records it as sent, so the shape has no defaults. */
export const skillContentInput = z
  .strictObject({
    ...required,
    package: skillPackageRef.nullish(),
    license: license.nullish(),
    compatibility: compatibility.nullish(),
    metadata: metadataMap.optional(),
    allowed_tools: allowedTools.nullish(),
  })
  .meta({ id: 'SkillContentInput' });

export const lifecycleState = z.enum(['active', 'deprecated', 'retired']);

export type SkillPackageRef = z.infer<typeof skillPackageRef>;
export type SkillContent = z.infer<typeof skillContent>;
export type SkillContentInput = z.infer<typeof skillContentInput>;
export type LifecycleState = z.infer<typeof lifecycleState>;
