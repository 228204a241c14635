/** JSON of other programs, whose fields can be anything. */
export type Fields = Record<string, unknown>;

/** Whether a value is an object whose fields can be read: no array, and not null. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
