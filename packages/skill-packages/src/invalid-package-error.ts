import type { PackageField, PackageReason } from '@continuity/contract/skill-format';

/** Longest `entry` of a refusal, in code points. */
const maxEntryLength = 512;

/** The name of an entry, at most 512 code points of it. */
export function cutEntryName(name: string): string {
  return [...name.slice(0, 2 * maxEntryLength)].slice(0, maxEntryLength).join('');
}

/** The place of a fault: its entry, field, and position in `SKILL.md`. */
interface PackageFault {
  entry: string | null;
  field: PackageField | null;
  line: number | null;
  column: number | null;
}

/** Why a package is not accepted (spec 40 §5.2). The message says it in words, without a trailing full stop. */
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

  constructor(
    reason: PackageReason,
    message: string,
    { entry = null, field = null, line = null, column = null }: Partial<PackageFault> = {},
  ) {
    super(message);
    this.reason = reason;
    this.entry = entry === null ? null : cutEntryName(entry);
    this.field = field;
    this.line = line;
    this.column = column;
  }
}
