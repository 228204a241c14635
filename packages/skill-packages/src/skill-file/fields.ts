import {
  controlCharacters,
  lineBreaks,
  maxAllowedTools,
  maxCompatibility,
  maxLicense,
  maxMetadataKey,
  maxMetadataKeys,
  maxMetadataValue,
  maxRegisteredDescription,
  maxRegisteredName,
  maxStandardDescription,
  maxStandardName,
  type PackageField,
  slugPattern,
} from '@continuity/contract/skill-format';
import { codePointLength, trimWhite, trimWhiteEnd } from '@continuity/contract/text';
import { isMap, isScalar, type YAMLMap } from 'yaml';
import { entrypoint } from '../files.ts';
import { InvalidPackageError } from '../invalid-package-error.ts';

/** The fields of a package's `SKILL.md` (spec 40 §5.3). */
export type SkillFields = {
  name: string;
  description: string;
  instructions: string;
  license: string | null;
  compatibility: string | null;
  metadata: Record<string, string>;
  allowed_tools: string | null;
};

/** Returns the instructions: the text after the front matter, without leading line breaks and trailing white space (spec 40 §5.3). */
export function instructionsOf(body: string): string {
  return trimWhiteEnd(body.replace(/^[\r\n]+/, ''));
}

const slug = new RegExp(slugPattern);
const control = new RegExp(`[${controlCharacters}]`, 'u');
const lineBreak = new RegExp(`[${lineBreaks}]`, 'u');

/** Name and description as an External Skill may have them (spec 40 §7). */
export interface SkillSummary {
  name: string | null;
  description: string;
}

/** Reads name and description of a front matter. Throws `invalid_entrypoint`. */
export function readSummary(map: YAMLMap): SkillSummary {
  const readValue = valuesOf(map);
  const name = readText('name', readValue('name'), maxRegisteredName);
  if (name !== null && lineBreak.test(name)) throw invalid('name', 'must be one line');
  const description = readText('description', readValue('description'), maxRegisteredDescription);
  return { name, description: required('description', description) };
}

/** Reads the fields of a front matter (spec 40 §5.3). Throws `invalid_entrypoint` with the first field that is at fault. */
export function readFields(map: YAMLMap): Omit<SkillFields, 'instructions'> {
  const readValue = valuesOf(map);
  const text = (field: PackageField, max: number) => readText(field, readValue(field), max);
  return {
    name: readName(text('name', maxStandardName)),
    description: required('description', text('description', maxStandardDescription)),
    license: text('license', maxLicense),
    compatibility: text('compatibility', maxCompatibility),
    allowed_tools: text('allowed-tools', maxAllowedTools),
    metadata: readMetadata(readValue('metadata')),
  };
}

function valuesOf(map: YAMLMap): (field: PackageField) => unknown {
  const values = new Map(map.items.map(({ key, value }) => [isScalar(key) ? key.value : undefined, value]));
  return (field) => {
    const value = values.get(field);
    return isScalar(value) ? value.value : (value ?? null);
  };
}

function readName(value: string | null): string {
  const name = required('name', value);
  if (!slug.test(name)) throw invalid('name', 'must be words of a-z and 0-9, joined by single hyphens');
  return name;
}

function required(field: PackageField, value: string | null): string {
  if (value === null) throw invalid(field, 'is required');
  return value;
}

function readText(field: PackageField, value: unknown, max: number): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw invalid(field, 'must be a string');
  const text = trimLineBreaks(value);
  const problem = findProblem(text, 1, max) ?? findUntrimmed(text) ?? findControl(text);
  if (problem !== undefined) throw invalid(field, problem);
  return text;
}

/** Removes line breaks at the end. A loop, because a regular expression backtracks quadratically over inner runs. */
function trimLineBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && lineBreak.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function readMetadata(map: unknown): Record<string, string> {
  if (map === null) return {};
  if (!isMap(map)) throw invalid('metadata', 'must be a mapping');
  if (map.items.length > maxMetadataKeys)
    throw invalid('metadata', `must have at most ${maxMetadataKeys} entries, and has ${map.items.length}`);
  return Object.fromEntries(map.items.map(({ key, value }) => readEntry(key, value)));
}

function readEntry(key: unknown, value: unknown): [string, string] {
  const name = isScalar(key) ? key.value : undefined;
  const text = isScalar(value) ? value.value : undefined;
  if (typeof name !== 'string' || typeof text !== 'string')
    throw invalid('metadata', 'must map strings to strings');
  const problem =
    findProblem(name, 1, maxMetadataKey) ??
    findUntrimmed(name) ??
    findProblem(text, 0, maxMetadataValue) ??
    findControl(text);
  if (problem !== undefined) throw invalid('metadata', `has an entry that ${problem}`);
  return [name, text];
}

function findProblem(text: string, min: number, max: number): string | undefined {
  // An escape of YAML can make both, and neither can be stored.
  if (text.includes('\0') || !text.isWellFormed()) return 'holds a NUL character or a lone surrogate';
  const length = codePointLength(text);
  return length < min || length > max
    ? `must have ${min} to ${max} characters, and has ${length}`
    : undefined;
}

function findUntrimmed(text: string): string | undefined {
  return trimWhite(text) === text ? undefined : 'must have no white space at its start or end';
}

function findControl(text: string): string | undefined {
  return control.test(text) ? 'must not contain control characters other than line breaks' : undefined;
}

function invalid(field: PackageField, problem: string): InvalidPackageError {
  const message = `${entrypoint}: ${field} ${problem}`;
  return new InvalidPackageError('invalid_entrypoint', message, { entry: entrypoint, field });
}
