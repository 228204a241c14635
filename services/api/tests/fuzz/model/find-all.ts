import type { z } from 'zod';

/** Every value of a shape inside a value; what is inside of one is not looked for. */
export function findAll<T>(shape: z.ZodType<T>, value: unknown): T[] {
  if (typeof value !== 'object' || value === null) return [];
  const parsed = shape.safeParse(value);
  return parsed.success ? [parsed.data] : Object.values(value).flatMap((inner) => findAll(shape, inner));
}
