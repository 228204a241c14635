import { MAX, NIL, v7, validate, version } from 'uuid';

/** Sorts before every id: the position before the first row of a list. */
export const lowestId = NIL;

/** Sorts after every id: the position before the first row of a descending list. */
export const highestId = MAX;

/** Returns a new UUIDv7. Ids of one process sort by creation, also within a millisecond (RFC 9562 §6.2). */
export function newId(): string {
  return v7();
}

/** When an id of `newId` was made, in milliseconds since 1970 by the clock of that process. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Whether the id has the form of `newId`. Any other id cannot exist, so no query is needed to reject it. */
export function isServerId(id: string): boolean {
  return validate(id) && version(id) === 7 && id === id.toLowerCase();
}
