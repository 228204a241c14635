import type { PackageField } from '@continuity/contract/skill-format';
import {
  CST,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  parseDocument,
  Scalar,
  type YAMLMap,
} from 'yaml';
import { entrypoint } from '../files.ts';
import { InvalidPackageError } from '../invalid-package-error.ts';
import { explainValue, isIndentedByTab, shorten, type TextRange } from './explain-value.ts';

/** Deepest nesting of mappings and lists; the front matter itself is level 1. */
const maxDepth = 8;

/** Control characters that YAML does not allow unescaped. */
const forbiddenControl = /(?![\t\n\r\u0085])\p{Cc}/u;

/** A place in a `SKILL.md`, counted from 1. */
export interface FilePlace {
  line: number;
  column: number;
}

/** What a refusal of a `SKILL.md` tells besides its message. */
type EntrypointFault = Partial<FilePlace & Pick<InvalidPackageError, 'field' | 'quotable'>>;

/** The refusal of a `SKILL.md`. `message` says what is wrong and what to do; it comes behind the place of the fault, if it has one. */
export function invalidEntrypoint(message: string, fault: EntrypointFault = {}): InvalidPackageError {
  const { line, column } = fault;
  const place = line === undefined || column === undefined ? '' : `Line ${line}, column ${column}: `;
  return new InvalidPackageError('invalid_entrypoint', `${entrypoint}: ${place}${message}`, {
    entry: entrypoint,
    ...fault,
  });
}

/** The refusal of a value of a front matter by its range there; `isQuotable` if double quotes mend it. */
export function invalidValue(
  message: string,
  {
    front,
    range,
    field,
    isQuotable,
  }: { front: string; range: TextRange; field: PackageField | null; isQuotable: boolean },
): InvalidPackageError {
  return invalidEntrypoint(message, {
    ...placeInFile(front, range.start),
    field,
    quotable: isQuotable ? range : null,
  });
}

/** The place of an index of the front matter, which begins in the second line of its file. The column counts code points. */
export function placeInFile(front: string, index: number): FilePlace {
  const before = front.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: 1 + before.split('\n').length, column: 1 + [...before.slice(lineStart)].length };
}

/**
 * Parses the front matter of a `SKILL.md`: one YAML 1.2 mapping of the core schema, whose keys are strings, without anchors, aliases,
 * tags and merge keys (spec 40 §5.3). Throws `invalid_entrypoint`.
 */
export function parseFrontMatter(text: string): YAMLMap {
  const fault = (problem: string, index: number | undefined): InvalidPackageError =>
    invalidEntrypoint(problem, index === undefined ? {} : placeInFile(text, index));
  const unquoted = (problem: string, index: number | undefined): InvalidPackageError => {
    const value = index === undefined ? undefined : explainValue(text, index);
    if (value === undefined) return fault(problem, index);
    return invalidValue(value.message, {
      front: text,
      range: value.value,
      field: value.field,
      isQuotable: true,
    });
  };
  const control = text.search(forbiddenControl);
  if (control >= 0) throw fault('the front matter has a control character. Take it out.', control);
  // The parser would look for a duplicate by comparing each key with all others.
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (error !== undefined) {
    if (isIndentedByTab(text, error.pos[0]))
      throw fault('a tab indents this line. Indent it with blanks.', error.pos[0]);
    throw unquoted(
      'the front matter is not YAML. Write each value on one line, in double quotes.',
      error.pos[0],
    );
  }
  if (!isMap(document.contents))
    throw fault('the front matter is not a mapping. Write one `key: value` a line.', 0);
  checkNode(document.contents, 1, (problem, node, isSign = false) =>
    isSign ? unquoted(problem, node.range?.[0]) : fault(problem, node.range?.[0]),
  );
  return document.contents;
}

/** Makes the refusal of a node. `isSign`: its first character has a meaning in YAML, so a text that begins with it needs quotes. */
type NodeFault = (problem: string, node: Node, isSign?: boolean) => InvalidPackageError;

function checkNode(node: unknown, depth: number, fault: NodeFault): void {
  if (!isNode(node)) return;
  if (isAlias(node)) throw fault('the front matter has an alias. Write the value out.', node, true);
  if (node.anchor !== undefined) throw fault('the front matter has an anchor. Take it out.', node, true);
  if (node.tag !== undefined) throw fault('the front matter has a tag. Take it out.', node, true);
  if (isScalar(node)) return;
  if (depth > maxDepth)
    throw fault(`the front matter is deeper than ${maxDepth} levels. Make it flatter.`, node);
  if (isSeq(node)) for (const item of node.items) checkNode(item, depth + 1, fault);
  if (isMap(node)) checkPairs(node, depth, fault);
}

function checkPairs(map: YAMLMap, depth: number, fault: NodeFault): void {
  const keys = new Set<string>();
  for (const { key, value } of map.items) {
    checkNode(key, depth + 1, fault);
    if (!isScalar(key) || typeof key.value !== 'string') {
      throw fault('a key is not a text. Put it in double quotes.', isNode(key) ? key : map);
    }
    if (key.value === '<<' && key.type === Scalar.PLAIN) {
      throw fault('the front matter has a merge key `<<`. Write the values out.', key);
    }
    if (keys.has(key.value))
      throw fault(`the key \`${shorten(key.value)}\` is there twice. Take one out.`, key);
    keys.add(key.value);
    checkNode(value, depth + 1, fault);
  }
}

/** A front matter as a reviewer reads it. */
export interface FrontMatter {
  /** In order. A value is a string without its quotes and escapes, or JSON. */
  pairs: { key: string; value: string }[];
  /** Without the `#` and the white space around them. */
  comments: string[];
}

/** Reads all keys and comments of a front matter, known or not. Throws `invalid_entrypoint`. */
export function readFrontMatter(front: string): FrontMatter {
  const pairs = parseFrontMatter(front).items.map(({ key, value }) => ({
    key: isScalar(key) ? String(key.value) : '',
    value: valueText(value),
  }));
  return { pairs, comments: [...commentsOf(front)] };
}

function valueText(value: unknown): string {
  if (isScalar(value)) {
    // A number is shown as it is written: JavaScript may not hold it.
    return typeof value.value === 'string' ? value.value : (value.source ?? String(value.value));
  }
  return value === null ? '' : JSON.stringify(value);
}

/** A comment is a token that begins with `#`; the text of a scalar, which can begin with one too, comes behind a mark. */
function* commentsOf(front: string): Generator<string> {
  let isScalarText = false;
  for (const token of new Lexer().lex(front)) {
    if (!isScalarText && CST.tokenType(token) === 'comment') yield token.slice(1).trim();
    isScalarText = token === CST.SCALAR;
  }
}
