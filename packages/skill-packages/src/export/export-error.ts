/** Why a package is not placed on a host. */
export type ExportReason =
  /** The bytes are not those that the digests name. */
  | 'digest_mismatch'
  /** The agent does not load a Skill with this name or description. */
  | 'agent_format'
  /** A file or folder has the place of the Skill. */
  | 'exists'
  /** A folder on the way to the Skill is a link or a file. */
  | 'not_a_directory';

/** A package that cannot be exported. An archive that breaks the format is an `InvalidPackageError`. */
export class ExportError extends Error {
  override name = 'ExportError';
  readonly reason: ExportReason;

  constructor(reason: ExportReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
