// The rules of the package format without its shapes: what loads this loads no validation library.

/** The agents whose Skill folders the service knows. */
export const agentKinds = ['codex', 'claude_code'] as const;

export type AgentKind = (typeof agentKinds)[number];

// Classes of characters in the fields of a Skill (spec 40 §1), for use inside the brackets of a regular expression.

/** Control characters besides line breaks. */
export const controlCharacters = '\\u0000-\\u0009\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F';
export const lineBreaks = '\\u000A\\u000D\\u2028\\u2029';

/** Source of the regular expression of `slug`. */
export const slugPattern = '^[a-z0-9]+(?:-[a-z0-9]+)*$';

/** Bounds of a Skill package (spec 40 §5.1). */
export const maxPackageFiles = 256;
/** Limit of the entries of an uploaded archive, directories included. */
export const maxArchiveRecords = 1_024;
export const maxPackageBytes = 4_194_304;
export const maxArchiveBytes = 5_242_880;
/** `maxArchiveBytes` in base64. */
export const maxArchiveBase64 = 6_990_508;
export const maxSkillFileBytes = 131_072;
export const maxPathBytes = 512;
export const maxPathComponents = 16;
/** Limit of the canonical JSON of the file list, in bytes. */
export const maxFileListBytes = 131_072;
/** An entry with more bytes than `ratioFreeBytes` may have at most `maxRatio` times its compressed size. */
export const maxRatio = 200;
export const ratioFreeBytes = 65_536;

/** Bounds of an External Skill (spec 40 §7). */
export const maxRegisteredName = 128;
export const maxRegisteredDescription = 2_000;

/** Bounds of the Agent Skills format for the fields of `SKILL.md` (spec 40 §5.3). */
export const maxStandardName = 64;
export const maxStandardDescription = 1_024;
export const maxLicense = 512;
export const maxCompatibility = 500;
export const maxAllowedTools = 2_000;
export const maxMetadataKeys = 64;
export const maxMetadataKey = 128;
export const maxMetadataValue = 2_000;

/** Bounds of what a summary of a package shows to reviewers, in code points (spec 40 §4.10). */
export const maxListedKeys = 64;
export const maxListedKey = 64;
/** Limit of all listed values together. */
export const maxListedValues = 4_000;
export const maxListedComments = 8;
export const maxListedComment = 200;

/** Limits of one part of a file, in bytes: the largest one, and the default (spec 40 §4.9). */
export const maxFilePart = 32_768;
export const defaultFilePart = 16_384;

/** Reasons to refuse a package, in the order in which they are checked (spec 40 §5.2). */
export const packageReasons = [
  'invalid_base64',
  'archive_too_large',
  'not_a_zip',
  'too_many_files',
  'unsupported_zip_feature',
  'encrypted_entry',
  'desktop_archive',
  'invalid_path',
  'forbidden_path',
  'special_entry',
  'path_collision',
  'package_too_large',
  'compression_ratio',
  'entry_mismatch',
  'missing_entrypoint',
  'invalid_entrypoint',
  'manifest_too_large',
] as const;

export type PackageReason = (typeof packageReasons)[number];

/** Fields of `SKILL.md`, in the order in which they are checked (spec 40 §5.3). */
export const packageFields = [
  'name',
  'description',
  'license',
  'compatibility',
  'allowed-tools',
  'metadata',
] as const;

export type PackageField = (typeof packageFields)[number];
