/** Bounds of a Skill package (spec 40 §5.1). */
export const maxPackageFiles = 256;
/** Of an uploaded archive, directories included. */
export const maxArchiveRecords = 1_024;
export const maxPackageBytes = 4_194_304;
export const maxArchiveBytes = 5_242_880;
/** `maxArchiveBytes` in base64. */
export const maxArchiveBase64 = 6_990_508;
export const maxSkillFileBytes = 131_072;
export const maxPathBytes = 512;
export const maxPathComponents = 16;
/** Of the canonical JSON of the file list. */
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
