import type { PackageField, PackageReason } from '@continuity/contract/skill-format';

/** Longest `entry` of a refusal, in code points. */
const maxEntryLength = 512;

/** The name of an entry, at most 512 code points of it. */
export function cutEntryName(name: string): string {
  return [...name.slice(0, 2 * maxEntryLength)].slice(0, maxEntryLength).join('');
}

/** The place of a fault: its entry, field, position in `SKILL.md`, and the value that quotes would mend. */
interface PackageFault {
  entry: string | null;
  field: PackageField | null;
  line: number | null;
  column: number | null;
  quotable: { start: number; end: number } | null;
}

/** Why a package is not accepted (spec 40 §5.2). The message says it in words; one of several sentences ends with a full stop. */
export class InvalidPackageError extends Error {
  override name = 'InvalidPackageError';
  readonly reason: PackageReason;
  /** Name of the first offending entry, truncated to 512 code points; null if no single entry is at fault or its name cannot be shown. */
  readonly entry: string | null;
  /** The field of `SKILL.md` that is at fault. */
  readonly field: PackageField | null;
  /** Where in `SKILL.md` the fault begins, counted from 1; null if it has no place. */
  readonly line: number | null;
  readonly column: number | null;
  /** The range of a value in the front matter, in UTF-16 units; double quotes around it mend the fault. Null if they would not. */
  readonly quotable: { readonly start: number; readonly end: number } | null;

  constructor(
    reason: PackageReason,
    message: string,
    { entry = null, field = null, line = null, column = null, quotable = null }: Partial<PackageFault> = {},
  ) {
    super(message);
    this.reason = reason;
    this.entry = entry === null ? null : cutEntryName(entry);
    this.field = field;
    this.line = line;
    this.column = column;
    this.quotable = quotable;
  }
}
