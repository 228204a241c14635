import { isUtf8 } from 'node:buffer';
import type { Issue } from '@continuity/contract';
import {
  maxSkillFileBytes,
  maxStandardDescription,
  maxStandardName,
  slugPattern,
} from '@continuity/contract/skill-format';
import { codePointLength, isBlank, trimWhiteEnd } from '@continuity/contract/text';
import { isNode, isScalar, type YAMLMap } from 'yaml';
import { compareBytes } from '../files.ts';
import {
  FieldFault,
  instructionsOf,
  readFields,
  readSummary,
  type SkillFields,
  type SkillSummary,
} from './fields.ts';
import { type FilePlace, invalidEntrypoint, invalidValue, parseFrontMatter } from './front-matter.ts';

/** Where a front matter begins. */
const firstPlace = { line: 1, column: 1 };

const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

const fence = /^---[ \t]*\r?$/;

/** Reads a `SKILL.md` (spec 40 §5.3). Throws `invalid_entrypoint`. */
export function readSkillFile(bytes: Buffer): SkillFields {
  const { front, body } = splitSkillFile(bytes);
  return { ...readMapping(front, readFields), instructions: instructionsOf(body) };
}

/** Reads what names and describes an External Skill (spec 40 §7): less strict than `readSkillFile`. Throws `invalid_entrypoint`. */
export function readSkillSummary(bytes: Buffer): SkillSummary {
  return readMapping(splitSkillFile(bytes).front, readSummary);
}

/** Reads a front matter, and adds the place of its field to a fault of a field (spec 70 §1.4). */
function readMapping<Fields>(front: string, read: (map: YAMLMap) => Fields): Fields {
  const map = parseFrontMatter(front);
  try {
    return read(map);
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    const { message, field, isQuotable } = error;
    const pair = map.items.find(({ key }) => isScalar(key) && key.value === field);
    const node = [error.node, pair?.value, pair?.key].find((one) => isNode(one) && one.range != null);
    const [start, end] = (isNode(node) ? node.range : undefined) ?? [];
    if (start === undefined || end === undefined) throw invalidEntrypoint(message, { field });
    const isOneLine = !front.slice(start, end).includes('\n');
    throw invalidValue(message, { front, range: { start, end }, field, isQuotable: isQuotable && isOneLine });
  }
}

/** Splits a `SKILL.md` into its front matter and what follows. Throws `invalid_entrypoint`. */
export function splitSkillFile(bytes: Buffer): { front: string; body: string } {
  if (bytes.length === 0 || bytes.length > maxSkillFileBytes) {
    throw invalidEntrypoint(`must have 1 to ${maxSkillFileBytes} bytes, and has ${bytes.length}.`);
  }
  const text = bytes.toString('utf8');
  if (text.startsWith('\uFEFF'))
    throw invalidEntrypoint(
      'the file begins with a byte-order mark. Save it as UTF-8 without one.',
      firstPlace,
    );
  if (utf16Marks.some((mark) => bytes.subarray(0, 2).equals(mark)))
    throw invalidEntrypoint('the file is UTF-16. Save it as UTF-8.', firstPlace);
  if (!isUtf8(bytes))
    throw invalidEntrypoint('bytes that are not UTF-8. Save the file as UTF-8.', placeOf(text, '\uFFFD'));
  if (text.includes('\0')) throw invalidEntrypoint('a NUL character. Take it out.', placeOf(text, '\0'));
  return splitAtFences(text);
}

/** The place of a character in a file. */
function placeOf(text: string, character: string): FilePlace {
  const [before = ''] = text.split(character, 1);
  return {
    line: before.split('\n').length,
    column: 1 + [...before.slice(before.lastIndexOf('\n') + 1)].length,
  };
}

/** Splits a text into its front matter and what follows. Throws `invalid_entrypoint` without front matter. */
export function splitAtFences(text: string): { front: string; body: string } {
  const start = endOfLine(text, 0);
  if (!fence.test(lineAt(text, 0)))
    throw invalidEntrypoint(
      'the first line is not `---`. Put `---` above and below the front matter.',
      firstPlace,
    );
  for (let at = start; at < text.length; at = endOfLine(text, at)) {
    if (fence.test(lineAt(text, at))) {
      return { front: text.slice(start, at), body: text.slice(endOfLine(text, at)) };
    }
  }
  throw invalidEntrypoint('the front matter has no line `---` at its end. Add one.', firstPlace);
}

/** The line that begins at an index, without its line feed. */
function lineAt(text: string, start: number): string {
  const feed = text.indexOf('\n', start);
  return text.slice(start, feed < 0 ? text.length : feed);
}

/** Index of the next line. */
function endOfLine(text: string, start: number): number {
  const feed = text.indexOf('\n', start);
  return feed < 0 ? text.length : feed + 1;
}

/** Writes a `SKILL.md`. Returns its text and its fields, whose instructions include the checks (spec 40 §5.5). */
export function writeSkillFile(
  fields: SkillFields,
  validation: readonly string[],
): { text: string; fields: SkillFields } {
  const checks = validation.map((item) => `- ${item}\n`).join('');
  const body = `${trimWhiteEnd(fields.instructions)}${checks && `\n\n## Validation\n\n${checks.slice(0, -1)}`}\n`;
  const text = `---\n${frontMatter(fields)}---\n\n${body}`;
  return { text, fields: { ...fields, instructions: instructionsOf(body) } };
}

function frontMatter({
  name,
  description,
  license,
  compatibility,
  metadata,
  allowed_tools,
}: SkillFields): string {
  const line = (key: string, value: string | null): string =>
    value === null ? '' : `${key}: ${jsonString(value)}\n`;
  return [
    line('name', name),
    line('description', description),
    line('license', license),
    line('compatibility', compatibility),
    metadataBlock(metadata),
    line('allowed-tools', allowed_tools),
  ].join('');
}

function metadataBlock(metadata: Record<string, string>): string {
  const entries = Object.entries(metadata).sort(([left], [right]) => compareBytes(left, right));
  if (entries.length === 0) return '';
  const lines = entries.map(([key, value]) => `  ${jsonString(key)}: ${jsonString(value)}\n`);
  return `metadata:\n${lines.join('')}`;
}

/** Writes a YAML string. A JSON string without raw control characters is one. */
export function jsonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Replaces the value of `name` in a valid `SKILL.md`, quotes or block included, by a plain scalar (spec 40 §7.4). All other bytes stay.
 * `name` is a slug.
 */
export function renameSkillFile(text: string, name: string): string {
  const { front } = splitAtFences(text);
  const pair = parseFrontMatter(front).items.find(({ key }) => isScalar(key) && key.value === 'name');
  const range = isScalar(pair?.value) ? pair.value.range : undefined;
  if (range == null) throw new Error('A SKILL.md without a name is not valid.');
  const [start, end] = range.map((index) => index + text.indexOf('\n') + 1) as [number, number];
  // The range of a block scalar holds the line break that ends it.
  const lineEnd = /\r?\n$/.exec(text.slice(start, end))?.[0] ?? '';
  return text.slice(0, start) + name + lineEnd + text.slice(end);
}

const slug = new RegExp(slugPattern);

/** Checks fields against the Agent Skills format (spec 40 §1, §5.5). Paths are those of fields, such as `name`. */
export function findFieldIssues(fields: SkillFields, validation: readonly string[]): Issue[] {
  const issues: Issue[] = [];
  const { name, description, instructions } = fields;
  if (!slug.test(name) || name.length > maxStandardName) {
    const message = `must have 1 to ${maxStandardName} characters: words of a-z and 0-9, joined by single hyphens`;
    issues.push({ path: 'name', message });
  }
  const length = codePointLength(description);
  if (length > maxStandardDescription) {
    const message = `must have at most ${maxStandardDescription} characters, and has ${length}`;
    issues.push({ path: 'description', message });
  }
  if (isBlank(instructions) && validation.length === 0) {
    issues.push({ path: 'instructions', message: 'must not be blank if validation is empty' });
    return issues;
  }
  const bytes = Buffer.byteLength(writeSkillFile(fields, validation).text);
  if (bytes > maxSkillFileBytes) {
    const message = `must fit into a SKILL.md of at most ${maxSkillFileBytes} bytes, and makes one of ${bytes}`;
    issues.push({ path: 'instructions', message });
  }
  return issues;
}
