import {
  CST,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Pair,
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

/** The refusal of a `SKILL.md`. */
export function invalidEntrypoint(message: string): InvalidPackageError {
  return new InvalidPackageError('invalid_entrypoint', `${entrypoint} ${message}`, { entry: entrypoint });
}

/**
 * Parses the front matter of a `SKILL.md`: one YAML 1.2 mapping of the core schema, whose keys are strings, without anchors, aliases,
 * tags and merge keys (spec 40 §5.3). Throws `invalid_entrypoint`.
 */
export function parseFrontMatter(text: string): YAMLMap {
  if (forbiddenControl.test(text)) throw invalidEntrypoint('has a control character in its front matter');
  // The parser would look for a duplicate by comparing each key with all others.
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  if (document.errors.length > 0) throw invalidEntrypoint('has front matter that is not YAML');
  if (!isMap(document.contents)) throw invalidEntrypoint('has front matter that is not a mapping');
  checkNode(document.contents, 1);
  return document.contents;
}

function checkNode(node: unknown, depth: number): void {
  if (!isNode(node)) return;
  if (isAlias(node)) throw invalidEntrypoint('has an alias in its front matter');
  if (node.anchor !== undefined) throw invalidEntrypoint('has an anchor in its front matter');
  if (node.tag !== undefined) throw invalidEntrypoint('has a tag in its front matter');
  if (isScalar(node)) return;
  if (depth > maxDepth) throw invalidEntrypoint(`has front matter deeper than ${maxDepth} levels`);
  if (isSeq(node)) for (const item of node.items) checkNode(item, depth + 1);
  if (isMap(node)) checkPairs(node.items, depth);
}

function checkPairs(pairs: readonly Pair[], depth: number): void {
  const keys = new Set<string>();
  for (const { key, value } of pairs) {
    checkNode(key, depth + 1);
    if (!isScalar(key) || typeof key.value !== 'string') {
      throw invalidEntrypoint('has a key in its front matter that is not a string');
    }
    if (key.value === '<<' && key.type === Scalar.PLAIN) {
      throw invalidEntrypoint('has a merge key in its front matter');
    }
    if (keys.has(key.value)) throw invalidEntrypoint('has a key twice in its front matter');
    keys.add(key.value);
    checkNode(value, depth + 1);
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
