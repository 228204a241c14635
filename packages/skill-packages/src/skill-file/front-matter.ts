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

/** Deepest nesting of mappings and lists; the front matter itself is level 1. */
const maxDepth = 8;

/** Control characters that YAML does not allow unescaped. */
const forbiddenControl = /(?![\t\n\r\u0085])\p{Cc}/u;

/** A place in a `SKILL.md`, counted from 1. */
export interface FilePlace {
  line: number;
  column: number;
}

/** The refusal of a `SKILL.md`, with the place of the fault if it has one. */
export function invalidEntrypoint(message: string, place: Partial<FilePlace> = {}): InvalidPackageError {
  return new InvalidPackageError('invalid_entrypoint', `${entrypoint} ${message}`, {
    entry: entrypoint,
    ...place,
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
  const control = text.search(forbiddenControl);
  if (control >= 0) throw fault('has a control character in its front matter', control);
  // The parser would look for a duplicate by comparing each key with all others.
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (error !== undefined) throw fault('has front matter that is not YAML', error.pos[0]);
  if (!isMap(document.contents)) throw fault('has front matter that is not a mapping', 0);
  checkNode(document.contents, 1, (problem, node) => fault(problem, node.range?.[0]));
  return document.contents;
}

/** Makes the refusal of a node. */
type NodeFault = (problem: string, node: Node) => InvalidPackageError;

function checkNode(node: unknown, depth: number, fault: NodeFault): void {
  if (!isNode(node)) return;
  if (isAlias(node)) throw fault('has an alias in its front matter', node);
  if (node.anchor !== undefined) throw fault('has an anchor in its front matter', node);
  if (node.tag !== undefined) throw fault('has a tag in its front matter', node);
  if (isScalar(node)) return;
  if (depth > maxDepth) throw fault(`has front matter deeper than ${maxDepth} levels`, node);
  if (isSeq(node)) for (const item of node.items) checkNode(item, depth + 1, fault);
  if (isMap(node)) checkPairs(node, depth, fault);
}

function checkPairs(map: YAMLMap, depth: number, fault: NodeFault): void {
  const keys = new Set<string>();
  for (const { key, value } of map.items) {
    checkNode(key, depth + 1, fault);
    if (!isScalar(key) || typeof key.value !== 'string') {
      throw fault('has a key in its front matter that is not a string', isNode(key) ? key : map);
    }
    if (key.value === '<<' && key.type === Scalar.PLAIN) {
      throw fault('has a merge key in its front matter', key);
    }
    if (keys.has(key.value)) throw fault('has a key twice in its front matter', key);
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
