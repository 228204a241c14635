import { z } from 'zod';
import { messageOf } from '../notation/issue-messages.ts';
import { isObject, str, trimmed } from '../notation/shapes.ts';
import {
  controlCharacters as controls,
  lineBreaks,
  maxMetadataKey,
  maxMetadataKeys,
  maxMetadataValue,
} from './format.ts';

// Text that goes into YAML has no control characters (spec 40 §1). The patterns publish these checks in the OpenAPI document.

/** As `trimmed`, without control characters other than line breaks. */
export function plainText(min: number, max: number): z.ZodString {
  return withoutAny(
    trimmed(min, max),
    controls,
    'must not contain control characters other than line breaks',
  ).meta({
    pattern: trimmedPattern(controls),
  });
}

/** As `trimmed`, without control characters and line breaks. */
export function plainLine(min: number, max: number): z.ZodString {
  return withoutAny(trimmed(min, max), controls + lineBreaks, 'must not contain control characters').meta({
    pattern: trimmedPattern(controls + lineBreaks),
  });
}

const mapKey = trimmed(1, maxMetadataKey);
const mapValue = withoutAny(
  str(0, maxMetadataValue),
  controls,
  'must not contain control characters other than line breaks',
);

/** `{ [trimmed(1..128)]: str(0..2000) }` with at most 64 entries. Not a Zod record, which drops a key such as `__proto__`. */
export const metadataMap = z
  .custom<Record<string, string>>(isObject, { error: 'must be an object', abort: true })
  .superRefine((map, context) => {
    if (Object.keys(map).length > maxMetadataKeys) {
      context.addIssue({ code: 'custom', message: `must have at most ${maxMetadataKeys} entries` });
      return;
    }
    for (const [key, value] of Object.entries(map)) {
      const issues = [...issuesOf(mapKey, key, 'has a name that '), ...issuesOf(mapValue, value, '')];
      for (const message of issues) context.addIssue({ code: 'custom', path: [key], message });
    }
  })
  .meta({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 128, pattern: trimmedPattern('') },
    additionalProperties: { type: 'string', maxLength: 2000, pattern: `^[^${controls}]*$` },
    maxProperties: maxMetadataKeys,
  });

function withoutAny(shape: z.ZodString, characters: string, error: string): z.ZodString {
  const refused = new RegExp(`[${characters}]`, 'u');
  return shape.refine((value) => !refused.test(value), { error }) as z.ZodString;
}

function trimmedPattern(refused: string): string {
  const edge = `[^\\s\\u0085\\uFEFF${refused}]`;
  return refused === '' ? `^${edge}([\\s\\S]*${edge})?$` : `^${edge}([^${refused}]*${edge})?$`;
}

function issuesOf(shape: z.ZodString, value: unknown, before: string): string[] {
  return (
    shape.safeParse(value, { error: messageOf }).error?.issues.map(({ message }) => before + message) ?? []
  );
}
