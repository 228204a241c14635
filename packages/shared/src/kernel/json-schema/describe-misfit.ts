import type { Issue } from '@continuity/contract';
import type { OutputUnit } from '@hyperjump/json-schema';
import { type JsonObject, type JsonValue, joinPath } from '../json.ts';
import type { TranslatedDocument } from './translate.ts';

/** Longest value of a keyword that an issue repeats, in characters. */
const maxShown = 200;

/** What the validator says of one keyword as an issue: where in the value, and what the schema wants there. */
export function describeMisfit(
  { absoluteKeywordLocation, instanceLocation }: OutputUnit,
  translated: TranslatedDocument,
  start: string,
): Issue {
  const path = stepsOf(instanceLocation).reduce<string>((at, step) => joinPath(at, asKey(step)), start);
  return { path, message: describe(absoluteKeywordLocation, translated) };
}

function describe(location: string, { schema, resources }: TranslatedDocument): string {
  const resource = resources.get(location.slice(0, location.indexOf('#'))) ?? schema;
  const steps = stepsOf(location);
  const value = steps.reduce<JsonValue | undefined>(stepInto, resource);
  if (value === false) return 'must not be there';
  const keyword = steps.at(-1) ?? 'schema';
  const shown = isPlain(value) ? ` ${JSON.stringify(value)}` : '';
  return `does not fit ${keyword}${shown.length > maxShown ? '' : shown}`;
}

/** A value that says by itself what is wanted; schemas inside of it would only be noise. */
function isPlain(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object');
  return typeof value !== 'object' && value !== undefined;
}

function stepInto(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, step) ? (value as JsonObject)[step] : undefined;
}

/** The steps of the JSON Pointer in the fragment of a URI. */
function stepsOf(uri: string): string[] {
  const pointer = decodeURI(uri.slice(uri.indexOf('#') + 1));
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Numbers are items as a rule; a property with such a name reads the same. */
function asKey(step: string): PropertyKey {
  return /^(0|[1-9]\d*)$/.test(step) ? Number(step) : step;
}
