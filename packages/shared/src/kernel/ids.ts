import { v7, validate, version } from 'uuid';

/** A new UUIDv7: sorts by creation, also within one millisecond of this process (RFC 9562 §6.2). */
export function newId(): string {
  return v7();
}

/** `count` new ids in ascending order. */
export function newIds(count: number): string[] {
  return Array.from({ length: count }, newId);
}

/** True for an id that this service could have made; anything else is unknown without asking the database. */
export function isServerId(id: string): boolean {
  return validate(id) && version(id) === 7 && id === id.toLowerCase();
}
