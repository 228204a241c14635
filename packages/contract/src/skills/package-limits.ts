/** Bounds of a Skill package (spec 40 §5.1). */
export const maxPackageFiles = 256;
export const maxPackageBytes = 4_194_304;
export const maxArchiveBytes = 5_242_880;
export const maxSkillFileBytes = 131_072;

/** Bounds of the Agent Skills format for the fields of `SKILL.md` (spec 40 §5.3). */
export const maxStandardName = 64;
export const maxStandardDescription = 1_024;
