import type { z } from 'zod';

/** Finds every value of a shape inside a value. Does not search inside a match. */
export function findAll<T>(shape: z.ZodType<T>, value: unknown): T[] {
  if (typeof value !== 'object' || value === null) return [];
  const parsed = shape.safeParse(value);
  return parsed.success ? [parsed.data] : Object.values(value).flatMap((inner) => findAll(shape, inner));
}
