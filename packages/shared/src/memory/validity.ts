import type { Issue } from '@continuity/contract';

/** SQL for whether the statement of a current state has not ended by now. It may begin later (spec 26 S1). */
export function hasNotEnded(state: string): string {
  return `(${state}.holds_until IS NULL OR ${state}.holds_until > now())`;
}

/** SQL for whether the statement of a state or version holds at a time, SQL of a `timestamptz` (spec 26 M22). */
export function holdsAt(row: string, time: string): string {
  return `((${row}.holds_from IS NULL OR ${row}.holds_from <= ${time}::timestamptz)
           AND (${row}.holds_until IS NULL OR ${row}.holds_until > ${time}::timestamptz))`;
}

/** When a statement holds (spec 26 M22): from `holds_from` to before `holds_until`. Null: ever since, and open. */
export interface Validity {
  holds_from: Date | null;
  holds_until: Date | null;
}

/** Times of a request. Absent keeps what an entry has, null clears it; of a new entry, both mean none. */
export interface ValidityChange {
  valid_from?: string | null | undefined;
  valid_until?: string | null | undefined;
}

/** The validity of a statement without one. */
export const unlimited: Validity = { holds_from: null, holds_until: null };

/** Applies the times of a request to a validity. */
export function changeValidity(before: Validity, { valid_from, valid_until }: ValidityChange): Validity {
  return {
    holds_from: valid_from === undefined ? before.holds_from : toDate(valid_from),
    holds_until: valid_until === undefined ? before.holds_until : toDate(valid_until),
  };
}

function toDate(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}

/** The issue of a validity that ends before it begins, at `valid_until`; none for one that holds at some time. */
export function validityIssues({ holds_from, holds_until }: Validity, path = ''): Issue[] {
  if (holds_from === null || holds_until === null || holds_from < holds_until) return [];
  return [{ path: `${path}valid_until`, message: 'must be later than valid_from' }];
}

/** Whether two validities have the same two values. */
export function isSameValidity(one: Validity, other: Validity): boolean {
  return (
    one.holds_from?.getTime() === other.holds_from?.getTime() &&
    one.holds_until?.getTime() === other.holds_until?.getTime()
  );
}

/** Whether a statement has any validity. */
export function hasValidity({ holds_from, holds_until }: Validity): boolean {
  return Boolean(holds_from ?? holds_until);
}

/** Both times as parameters of a statement. The driver would write them in the local zone, whose offsets of old times have seconds. */
export function validityValues({ holds_from, holds_until }: Validity): (string | null)[] {
  return [holds_from, holds_until].map((time) => time?.toISOString() ?? null);
}

/** The key of a validity for maps. */
export function validityKey({ holds_from, holds_until }: Validity): string {
  return `${holds_from?.getTime() ?? ''} ${holds_until?.getTime() ?? ''}`;
}

/** The fields of a response: each only where it has a value, because older clients refuse fields that they do not know. */
export function presentValidity({ holds_from, holds_until }: Validity): {
  valid_from?: string;
  valid_until?: string;
} {
  return {
    ...(holds_from && { valid_from: holds_from.toISOString() }),
    ...(holds_until && { valid_until: holds_until.toISOString() }),
  };
}
