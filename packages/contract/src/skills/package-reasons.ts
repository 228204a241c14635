/** Reasons to refuse a package, in the order in which they are checked (spec 40 §5.2). */
export const packageReasons = [
  'invalid_base64',
  'archive_too_large',
  'not_a_zip',
  'too_many_files',
  'unsupported_zip_feature',
  'encrypted_entry',
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
