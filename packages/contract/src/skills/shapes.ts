import { z } from 'zod';
import type { hiddenKinds } from '../notation/hidden-characters.ts';
import { messageOf } from '../notation/issue-messages.ts';
import { artifactRef, hex64, int, isObject, sourceRef, str, token, trimmed } from '../notation/shapes.ts';
import {
  agentKinds,
  controlCharacters as controls,
  lineBreaks,
  maxAllowedTools,
  maxArchiveBase64,
  maxArchiveBytes,
  maxCompatibility,
  maxLicense,
  maxListedComment,
  maxListedComments,
  maxListedKey,
  maxListedKeys,
  maxListedValues,
  maxMetadataKey,
  maxMetadataKeys,
  maxMetadataValue,
  maxPackageBytes,
  maxPackageFiles,
  maxPathBytes,
  packageFields,
  packageReasons,
} from './format.ts';

// Text that goes into YAML has no control characters (spec 40 §1). The patterns publish these checks in the OpenAPI document.

/** As `trimmed`, without control characters other than line breaks. */
export function plainText(min: number, max: number): z.ZodString {
  return withoutAny(
    trimmed(min, max),
    controls,
    'must not contain control characters other than line breaks',
  ).meta({
    pattern: trimmedPattern(controls),
  });
}

/** As `trimmed`, without control characters and line breaks. */
export function plainLine(min: number, max: number): z.ZodString {
  return withoutAny(trimmed(min, max), controls + lineBreaks, 'must not contain control characters').meta({
    pattern: trimmedPattern(controls + lineBreaks),
  });
}

const mapKey = trimmed(1, maxMetadataKey);
const mapValue = withoutAny(
  str(0, maxMetadataValue),
  controls,
  'must not contain control characters other than line breaks',
);

/** `{ [trimmed(1..128)]: str(0..2000) }` with at most 64 entries. Not a Zod record, which drops a key such as `__proto__`. */
export const metadataMap = z
  .custom<Record<string, string>>(isObject, { error: 'must be an object', abort: true })
  .superRefine((map, context) => {
    const count = Object.keys(map).length;
    if (count > maxMetadataKeys) {
      const message = `must have at most ${maxMetadataKeys} entries, and has ${count}`;
      context.addIssue({ code: 'custom', message });
      return;
    }
    for (const [key, value] of Object.entries(map)) {
      const issues = [...issuesOf(mapKey, key, 'has a name that '), ...issuesOf(mapValue, value, '')];
      for (const message of issues) context.addIssue({ code: 'custom', path: [key], message });
    }
  })
  .meta({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 128, pattern: trimmedPattern('') },
    additionalProperties: { type: 'string', maxLength: 2000, pattern: `^[^${controls}]*$` },
    maxProperties: maxMetadataKeys,
  });

function withoutAny(shape: z.ZodString, characters: string, error: string): z.ZodString {
  const refused = new RegExp(`[${characters}]`, 'u');
  return shape.refine((value) => !refused.test(value), { error }) as z.ZodString;
}

function trimmedPattern(refused: string): string {
  const edge = `[^\\s\\u0085\\uFEFF${refused}]`;
  return refused === '' ? `^${edge}([\\s\\S]*${edge})?$` : `^${edge}([^${refused}]*${edge})?$`;
}

function issuesOf(shape: z.ZodString, value: unknown, before: string): string[] {
  return (
    shape.safeParse(value, { error: messageOf }).error?.issues.map(({ message }) => before + message) ?? []
  );
}

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
  .meta({ id: 'SkillContentInput', description: 'The complete content of a Skill.' });

export const lifecycleState = z.enum(['active', 'deprecated', 'retired']);

/** Why a Skill is generated (spec 40 §6.2). */
export const skillOrigin = z.enum(['experience', 'source', 'usage']).meta({
  id: 'SkillOrigin',
  description:
    '`experience`: `artifact_refs` are Experiences, at least one. `source`: Sources alone, at least one. `usage`: `target` is a ' +
    'Skill, one of `artifact_refs`, and Sources tell of its use, at least one.',
});

export const skillGovernance = z
  .strictObject({
    artifact: artifactRef.meta({ description: 'The current head.' }),
    lifecycle_state: lifecycleState,
    replacement_artifact_id: token(1, 128).nullable(),
    governance_generation: int(0),
  })
  .meta({
    id: 'SkillGovernance',
    description: 'The lifecycle of a Skill. Each change adds 1 to the generation.',
  });

const revision = {
  artifact: artifactRef,
  content: skillContent,
  source_refs: z.array(sourceRef),
  artifact_refs: z.array(artifactRef),
};

export const skillRevision = z
  .strictObject(revision)
  .meta({ id: 'SkillRevision', description: 'One revision of a Skill, with the evidence of its Candidate.' });

export const managedSkill = z
  .strictObject({ ...revision, governance: skillGovernance })
  .meta({ id: 'ManagedSkill', description: 'The head of a Skill, with its lifecycle.' });

/** `details.package_error` of a 422 for a refused package (spec 40 §5.2). */
export const packageError = z
  .strictObject({
    reason: z.enum(packageReasons),
    entry: str(0, 512).nullable().meta({ description: 'Name of the first offending entry.' }),
    field: z.enum(packageFields).nullable().meta({ description: 'The field of `SKILL.md` at fault.' }),
    line: int(1).nullable().meta({ description: 'The line of `SKILL.md` where the fault begins.' }),
    column: int(1).nullable().meta({ description: 'The character of that line.' }),
  })
  .meta({ id: 'PackageError', description: 'Why a package is refused.' });

/** `adjusted` of an upload (spec 70 §8.1). */
export const packageAdjustments = z
  .strictObject({
    left_out: z
      .array(str(0, 512))
      .max(64)
      .meta({ description: 'Files of a desktop that are not in the package.' }),
    left_out_count: int(0),
    removed_folder: str(1, 255).nullable().meta({ description: 'The folder that held the package.' }),
  })
  .meta({ id: 'PackageAdjustments', description: 'What was mended in an archive of a desktop tool.' });

const packagedFile = z.strictObject({
  path: str(1, maxPathBytes),
  digest: hex64,
  size: int(0, maxPackageBytes),
  media_type: str(1, 255),
  executable: z.boolean(),
});

export const packageManifest = z
  .strictObject({
    package: skillPackageRef,
    name: str(1, 64),
    description: str(1, 1024),
    license: z.string().nullable(),
    compatibility: z.string().nullable(),
    metadata: metadataMap,
    allowed_tools: z.string().nullable(),
    files: z.array(packagedFile).min(1).max(maxPackageFiles),
  })
  .meta({
    id: 'SkillPackageManifest',
    description: 'The fields and files of a package, without file contents.',
  });

export const hiddenCounts = z
  .strictObject({
    tag: int(0).meta({ description: 'U+E0000 to U+E007F, which can spell a hidden text.' }),
    bidirectional: int(0).meta({ description: 'Controls that change the order of what is seen.' }),
    zero_width: int(0).meta({ description: 'Spaces and joiners without a width, but in emoji.' }),
    variation_selector: int(0).meta({ description: 'Outside of emoji.' }),
    control: int(0).meta({ description: 'Controls but tab, LF and CR LF.' }),
    space: int(0).meta({ description: 'Spaces but U+0020 and U+3000.' }),
    other: int(0).meta({ description: 'All else that a renderer may leave out.' }),
  } satisfies Record<(typeof hiddenKinds)[number], z.ZodType>)
  .meta({ id: 'HiddenCharacterCounts', description: 'Characters that a reader cannot see, by kind.' });

/** A text in which hidden characters are drawn as codes. */
const drawn = (max: number) =>
  str(0, max).meta({ description: 'Hidden characters are drawn as codes, such as `<U+200B>`.' });

export const packageSummary = z
  .strictObject({
    file_count: int(1, maxPackageFiles),
    uncompressed_size: int(1, maxPackageBytes).meta({ description: 'Bytes of all files.' }),
    executable_count: int(0, maxPackageFiles),
    binary_count: int(0, maxPackageFiles).meta({
      description: 'Files that are not UTF-8 text. `hidden_characters` counts nothing in them.',
    }),
    front_matter: z
      .array(z.strictObject({ key: drawn(maxListedKey), value: drawn(maxListedValues) }))
      .max(maxListedKeys)
      .meta({
        description:
          'Keys of the front matter of `SKILL.md` besides `name` and `description`, in order. A value is a string as it is, or ' +
          'JSON. A text that was cut ends with `…`.',
      }),
    front_matter_count: int(0).meta({ description: 'Number of these keys, listed or not.' }),
    comments: z
      .array(drawn(maxListedComment))
      .max(maxListedComments)
      .meta({ description: 'Comments in the front matter.' }),
    comment_count: int(0),
    hidden_characters: hiddenCounts.meta({
      description: 'Of all files that are text, and of values of the front matter without their escapes.',
    }),
  })
  .meta({
    id: 'SkillPackageSummary',
    description: 'What an approval would install, beyond the fields of the Skill.',
  });

export const packageFile = z
  .strictObject({
    ...packagedFile.shape,
    offset: int(0, maxPackageBytes),
    text: z.string().nullable().meta({
      description:
        'The part of the file from `offset` on, with hidden characters drawn as codes. Null if the file is not UTF-8 text.',
    }),
    hidden_characters: hiddenCounts.nullable().meta({ description: 'Of this part.' }),
    next_offset: int(1, maxPackageBytes).nullable().meta({ description: 'Null at the end of the file.' }),
  })
  .meta({ id: 'SkillPackageFile', description: 'A file of a package, and a part of its text.' });

export const packageDownload = z
  .strictObject({
    package: skillPackageRef,
    archive_base64: str(1, maxArchiveBase64).meta({
      description: 'The canonical archive, a ZIP of stored files.',
    }),
  })
  .meta({ id: 'SkillPackageDownload' });

export type SkillPackageRef = z.infer<typeof skillPackageRef>;
export type SkillContent = z.infer<typeof skillContent>;
export type SkillContentInput = z.infer<typeof skillContentInput>;
export type LifecycleState = z.infer<typeof lifecycleState>;
export type SkillOrigin = z.infer<typeof skillOrigin>;
export type SkillGovernance = z.infer<typeof skillGovernance>;
export type SkillRevision = z.infer<typeof skillRevision>;
export type PackageError = z.infer<typeof packageError>;
export type PackageAdjustments = z.infer<typeof packageAdjustments>;
export type PackageManifest = z.infer<typeof packageManifest>;
export type PackageSummary = z.infer<typeof packageSummary>;
export type PackageFilePart = z.infer<typeof packageFile>;
export type PackageDownload = z.infer<typeof packageDownload>;
