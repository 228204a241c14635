import { z } from 'zod';
import { hex64, int, str } from '../notation/shapes.ts';
import { maxArchiveBase64, maxPackageBytes, maxPackageFiles, maxPathBytes } from './package-limits.ts';
import { packageFields, packageReasons } from './package-reasons.ts';
import { skillPackageRef } from './shapes.ts';
import { metadataMap } from './text-shapes.ts';

/** `details.package_error` of a 422 for a refused package (spec 40 §5.2). */
export const packageError = z
  .strictObject({
    reason: z.enum(packageReasons),
    entry: str(0, 512).nullable().meta({ description: 'Name of the first offending entry.' }),
    field: z.enum(packageFields).nullable().meta({ description: 'The field of `SKILL.md` at fault.' }),
  })
  .meta({ id: 'PackageError', description: 'Why a package is refused.' });

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

export const packageDownload = z
  .strictObject({
    package: skillPackageRef,
    archive_base64: str(1, maxArchiveBase64).meta({
      description: 'The canonical archive, a ZIP of stored files.',
    }),
  })
  .meta({ id: 'SkillPackageDownload' });

export type PackageError = z.infer<typeof packageError>;
export type PackageManifest = z.infer<typeof packageManifest>;
export type PackageDownload = z.infer<typeof packageDownload>;
