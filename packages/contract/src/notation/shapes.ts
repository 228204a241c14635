import { z } from 'zod';
import { codePointLength, isBlank, trimWhite } from './text.ts';

/** The notation of spec 00 §1 as Zod. Lengths count Unicode code points, as JSON Schema does; Zod's own count UTF-16. */

/** `str(a..b)` */
export function str(min: number, max: number): z.ZodString {
  return z
    .string()
    .refine((value) => hasLength(value, min, max), { error: lengthMessage(min, max), abort: true })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max }) as z.ZodString;
}

const notBlankPattern = '[^\\s\\u0085\\uFEFF]';

/** `text(a..b)`: contains at least one character that is not white space (Unicode White_Space, U+FEFF). */
export function text(min: number, max: number): z.ZodString {
  return z
    .string()
    .refine((value) => hasLength(value, min, max), { error: lengthMessage(min, max), abort: true })
    .refine((value) => !isBlank(value), { error: 'must not be blank' })
    .meta({ minLength: min, maxLength: max, pattern: notBlankPattern }) as z.ZodString;
}

/** `text(1..)`: without an upper limit, because the limit is in bytes or that of the body. */
export function unboundedText(): z.ZodString {
  return z
    .string()
    .refine((value) => !isBlank(value), { error: 'must not be blank' })
    .meta({ minLength: 1, pattern: notBlankPattern }) as z.ZodString;
}

/** `trimmed(a..b)`: a text without white space at either end (spec 30 §1). */
export function trimmed(min: number, max: number): z.ZodString {
  return z
    .string()
    .refine((value) => hasLength(value, min, max), { error: lengthMessage(min, max), abort: true })
    .refine((value) => trimWhite(value) === value, {
      error: 'must have no white space at its start or end',
    })
    .meta({
      minLength: min,
      maxLength: max,
      pattern: '^[^\\s\\u0085\\uFEFF]([\\s\\S]*[^\\s\\u0085\\uFEFF])?$',
    }) as z.ZodString;
}

/** `token(a..b)`: printable ASCII without spaces. */
export function token(min: number, max: number): z.ZodString {
  return z
    .string()
    .regex(/^[\x21-\x7E]+$/, { error: 'must be printable ASCII without spaces' })
    .min(min, { error: lengthMessage(min, max) })
    .max(max, { error: lengthMessage(min, max) });
}

/** `int(a..b)`; the default upper limit is the largest safe integer, which is that of every `z.int()`. */
export function int(min: number, max?: number): z.ZodInt {
  if (max === undefined) return z.int().min(min, { error: `must be at least ${min}` }) as z.ZodInt;
  const error = `must be from ${min} to ${max}`;
  return z.int().min(min, { error }).max(max, { error }) as z.ZodInt;
}

/** `int(a..b)` in a path or query: a plain decimal integer, without sign, leading zero or exponent. */
export function decimal(min: number, max?: number) {
  return z
    .string()
    .refine((digits) => /^(0|[1-9][0-9]*)$/.test(digits), {
      error: 'must be a plain decimal integer',
      abort: true,
    })
    .transform(Number)
    .pipe(int(min, max))
    .meta({ type: 'integer', minimum: min, maximum: max ?? Number.MAX_SAFE_INTEGER });
}

/** `T[](a..b) unique`, for strings. */
export function uniqueStrings(item: z.ZodString, min: number, max: number): z.ZodArray<z.ZodString> {
  return z
    .array(item)
    .min(min, { error: `must have at least ${min} item(s)`, abort: true })
    .max(max, {
      error: ({ input }) => `must have at most ${max} items, and has ${(input as unknown[]).length}`,
      abort: true,
    })
    .refine((items) => new Set(items).size === items.length, { error: 'must not contain duplicates' })
    .meta({ uniqueItems: true });
}

/** `SourceRef[](0..max) unique`, empty by default. */
export function uniqueSourceRefs(max: number) {
  return z
    .array(sourceRef)
    .max(max, {
      error: ({ input }) => `must have at most ${max} items, and has ${(input as unknown[]).length}`,
      abort: true,
    })
    .refine(
      (items) =>
        new Set(items.map(({ name, source_id }) => JSON.stringify([name, source_id]))).size === items.length,
      { error: 'must not contain duplicates' },
    )
    .default([])
    .meta({ uniqueItems: true });
}

/** `json`: any JSON value; required. The route validates the whole body for forbidden values before any shape. */
export const json = z
  .custom<unknown>((value) => value !== undefined, { error: 'is required' })
  .meta({ description: 'Any JSON value.' });

export const jsonObject = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    {
      error: 'must be an object',
    },
  )
  .meta({ type: 'object', additionalProperties: true });

export const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
export const hex64 = z.string().regex(/^[0-9a-f]{64}$/);
export const time = z.string().meta({ format: 'date-time', description: 'RFC 3339 UTC with milliseconds.' });

/** Limit in bytes that a caller sets for a generated text (spec 20 §3, spec 30 §3.3.2). */
export const byteBudget = int(512, 32_768);

export const scopeId = text(1, 256).meta({ id: 'ScopeId' });

export const sourceRef = z
  .strictObject({ name: text(1, 128), source_id: text(1, 256) })
  .meta({ id: 'SourceRef', description: 'A Source. `name` is its type: `content` for built-in content.' });

export const sourceTypeRef = z
  .strictObject({ source_type: text(1, 128), source_id: text(1, 256) })
  .meta({ id: 'SourceTypeRef' });

export const artifactRef = z
  .strictObject({ family: token(1, 128), artifact_id: token(1, 128), revision: int(1) })
  .meta({ id: 'ArtifactRef', description: 'One exact revision of an Artifact.' });

export const artifactAddress = z
  .strictObject({ scope_id: scopeId, artifact: artifactRef })
  .meta({ id: 'ArtifactAddress', description: 'One exact revision of an Artifact of any Scope.' });

export const memoryCitation = z
  .strictObject({ memory_ref: artifactRef, entry_id: token(1, 128), entry_version_id: token(1, 128) })
  .meta({
    id: 'MemoryCitation',
    description: 'One entry version in one Memory revision. Stays valid.',
  });

/** The id of an immutable version in a compact prepared context (spec 25 Q11). Case-sensitive. */
export const shortId = z
  .string()
  .regex(/^[A-Za-z0-9_@.-]{1,40}$/, { error: 'must be 1 to 40 of the characters A-Z a-z 0-9 _ @ . -' })
  .meta({ id: 'ShortId', description: 'Id of an immutable version, from a compact prepared context.' });

/** The shape, restricted to values with exactly one of some optional fields. Its other fields are required. */
export function withOneOf<Shape extends z.ZodObject>(
  shape: Shape,
  ...names: (keyof z.infer<Shape> & string)[]
): Shape {
  const properties = Object.keys(shape.shape).length - names.length + 1;
  const listed = names.map((name) => `\`${name}\``);
  return shape
    .refine((body) => names.filter((name) => body[name] !== undefined).length === 1, {
      error: `must have exactly one of ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`,
    })
    .meta({ minProperties: properties, maxProperties: properties });
}

/** Limit of ids in an `exact` selection (spec 10 §4). */
const maxExactScopes = 1000;

export const scopeSelection = z
  .discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('all') }),
    z.strictObject({ mode: z.literal('exact'), scope_ids: uniqueStrings(scopeId, 1, maxExactScopes) }),
    z.strictObject({ mode: z.literal('subtree'), root_scope_id: scopeId }),
  ])
  .meta({ id: 'ScopeSelection', description: 'All Scopes, the listed ones, or one with its descendants.' });

/** A reference from a claim to its evidence: exactly one value of one Scope, with the reference field of its kind. */
export const citation = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('source'), source_ref: sourceRef }),
      z.strictObject({ kind: z.literal('artifact'), artifact_ref: artifactRef }),
      z.strictObject({ kind: z.literal('memory'), memory_citation: memoryCitation }),
    ],
    { error: 'must be a Citation of the kind source, artifact or memory' },
  )
  .meta({ id: 'Citation', description: 'Evidence, as an answer gave it.' });

export type ScopeSelection = z.infer<typeof scopeSelection>;
export type SourceRef = z.infer<typeof sourceRef>;
export type SourceTypeRef = z.infer<typeof sourceTypeRef>;
export type ArtifactRef = z.infer<typeof artifactRef>;
export type ArtifactAddress = z.infer<typeof artifactAddress>;
export type MemoryCitation = z.infer<typeof memoryCitation>;
export type Citation = z.infer<typeof citation>;

function hasLength(value: string, min: number, max: number): boolean {
  // A code point has one or two UTF-16 units, so most values need no counting.
  if (value.length < min || value.length > max * 2) return false;
  if (value.length <= max && (value.length >= min * 2 || min <= 1)) return true;
  const length = codePointLength(value);
  return length >= min && length <= max;
}

/** Message for a text of another length, with the length that it has. */
function lengthMessage(min: number, max: number): (issue: { input?: unknown }) => string {
  return ({ input }) =>
    `must have ${min} to ${max} characters, and has ${codePointLength(String(input ?? ''))}`;
}

/** Whether a value is an object whose fields can be read: no array, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
