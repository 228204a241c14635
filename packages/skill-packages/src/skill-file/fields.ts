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
import { isMap, isNode, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { shorten } from './explain-value.ts';

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

/** A fault of a field, at the node of its value, or at that of an entry of `metadata`. */
export class FieldFault extends Error {
  readonly field: PackageField;
  /** Undefined for a field that is missing. */
  readonly node: Node | undefined;
  /** Whether double quotes around the value mend the fault. */
  readonly isQuotable: boolean;

  constructor(field: PackageField, message: string, node?: unknown, isQuotable = false) {
    super(message);
    this.field = field;
    this.node = isNode(node) ? node : undefined;
    this.isQuotable = isQuotable;
  }
}

/** Reads name and description of a front matter. Throws `FieldFault`. */
export function readSummary(map: YAMLMap): SkillSummary {
  const nodeOf = nodesOf(map);
  const name = readText('name', nodeOf('name'), maxRegisteredName);
  if (name !== null && lineBreak.test(name))
    throw invalid('name', 'has several lines. Write it on one.', nodeOf('name'));
  const description = readText('description', nodeOf('description'), maxRegisteredDescription);
  return { name, description: required('description', description) };
}

/** Reads the fields of a front matter (spec 40 §5.3). Throws `FieldFault` for the first field that is at fault. */
export function readFields(map: YAMLMap): Omit<SkillFields, 'instructions'> {
  const nodeOf = nodesOf(map);
  const text = (field: PackageField, max: number) => readText(field, nodeOf(field), max);
  return {
    name: readName(text('name', maxStandardName), nodeOf('name')),
    description: required('description', text('description', maxStandardDescription)),
    license: text('license', maxLicense),
    compatibility: text('compatibility', maxCompatibility),
    allowed_tools: text('allowed-tools', maxAllowedTools),
    metadata: readMetadata(nodeOf('metadata')),
  };
}

function nodesOf(map: YAMLMap): (field: PackageField) => unknown {
  const nodes = new Map(map.items.map(({ key, value }) => [isScalar(key) ? key.value : undefined, value]));
  return (field) => nodes.get(field);
}

function readName(value: string | null, node: unknown): string {
  const name = required('name', value);
  if (!slug.test(name))
    throw invalid(
      'name',
      'must be words of a-z and 0-9, joined by single hyphens, such as `my-skill`.',
      node,
    );
  return name;
}

function required(field: PackageField, value: string | null): string {
  if (value === null) throw new FieldFault(field, `\`${field}\` is required. Add a line \`${field}: …\`.`);
  return value;
}

function isMissing(node: unknown): boolean {
  return node === undefined || node === null || (isScalar(node) && node.value === null);
}

function readText(field: PackageField, node: unknown, max: number): string | null {
  if (isMissing(node)) return null;
  if (!isScalar(node) || typeof node.value !== 'string') throw wrongType(field, field, node);
  const text = trimLineBreaks(node.value);
  const problem = findProblem(text, 1, max) ?? findUntrimmed(text) ?? findControl(text);
  if (problem !== undefined) throw invalid(field, problem, node);
  return text;
}

/** The fault of a value that is no text. A value on one line becomes one by quotes. */
function wrongType(field: PackageField, key: string, node: unknown): FieldFault {
  if (isScalar(node)) {
    const kind =
      typeof node.value === 'boolean'
        ? 'a truth value'
        : node.value === null
          ? 'empty'
          : `a ${typeof node.value}`;
    const source = node.source ?? '';
    const mend =
      source === ''
        ? 'Write a text, or take the line out.'
        : `To have it as text, quote \`${shorten(source)}\`.`;
    return new FieldFault(field, `\`${shorten(key)}\` is ${kind}. ${mend}`, node, source !== '');
  }
  const kind = isSeq(node) ? 'a list' : 'a mapping';
  const isFlow = isNode(node) && 'flow' in node && node.flow === true;
  return new FieldFault(
    field,
    `\`${shorten(key)}\` is ${kind}. Write a text on one line, in double quotes.`,
    node,
    isFlow,
  );
}

/** Removes line breaks at the end. A loop, because a regular expression backtracks quadratically over inner runs. */
function trimLineBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && lineBreak.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function readMetadata(map: unknown): Record<string, string> {
  if (isMissing(map)) return {};
  if (!isMap(map))
    throw invalid(
      'metadata',
      'must be a mapping. Write `key: value` lines below it, indented by two blanks.',
      map,
    );
  if (map.items.length > maxMetadataKeys)
    throw invalid(
      'metadata',
      `has ${map.items.length} entries, at most ${maxMetadataKeys}. Take some out.`,
      map,
    );
  return Object.fromEntries(map.items.map(({ key, value }) => readEntry(key, value)));
}

function readEntry(key: unknown, value: unknown): [string, string] {
  const name = isScalar(key) ? key.value : undefined;
  if (typeof name !== 'string')
    throw invalid('metadata', 'must map texts to texts. Put the key in double quotes.', key);
  const keyProblem = findProblem(name, 1, maxMetadataKey) ?? findUntrimmed(name);
  if (keyProblem !== undefined) throw invalid('metadata', `has a key that ${keyProblem}`, key);
  if (!isScalar(value) || typeof value.value !== 'string') {
    throw wrongType('metadata', name, isNode(value) ? value : key);
  }
  const problem = findProblem(value.value, 0, maxMetadataValue) ?? findControl(value.value);
  if (problem !== undefined) throw invalid('metadata', `has an entry that ${problem}`, value);
  return [name, value.value];
}

function findProblem(text: string, min: number, max: number): string | undefined {
  // An escape of YAML can make both, and neither can be stored.
  if (text.includes('\0') || !text.isWellFormed())
    return 'holds a NUL character or a lone surrogate. Take it out.';
  const length = codePointLength(text);
  if (length < min) return 'is empty. Write a text, or take the line out.';
  return length > max ? `has ${counted(length)} characters, at most ${counted(max)}. Shorten it.` : undefined;
}

function counted(number: number): string {
  return number.toLocaleString('en-US');
}

function findUntrimmed(text: string): string | undefined {
  return trimWhite(text) === text ? undefined : 'has white space at its start or end. Take it out.';
}

function findControl(text: string): string | undefined {
  return control.test(text)
    ? 'has a control character other than a line break, such as a tab. Take it out.'
    : undefined;
}

function invalid(field: PackageField, problem: string, node: unknown): FieldFault {
  return new FieldFault(field, `\`${field}\` ${problem}`, node);
}
