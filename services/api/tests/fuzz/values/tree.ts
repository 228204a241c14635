/** Content of a request: JSON, placeholders for values of earlier answers, and raw JSON text. */
export type Tree = null | boolean | number | string | Tree[] | Fields | Ref | Raw;

/** A JSON object as a list of entries, so that it can hold `__proto__` and duplicate keys. */
export class Fields {
  readonly entries: [string, Tree][];

  constructor(entries: [string, Tree][]) {
    this.entries = entries;
  }
}

/** JSON text that is sent unchanged: `1e999`, `"\ud800"`. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** How a value of an earlier answer is used: unchanged or slightly changed. */
export const twists = ['exact', 'case', 'nudge', 'cut', 'grow'] as const;
export type Twist = (typeof twists)[number];

/** A placeholder for a value of an earlier answer or request, chosen when the request is sent. */
export class Ref {
  /** Field names under which the value may have occurred. */
  readonly field: string;
  readonly type: string;
  /** 0 is the newest. */
  readonly index: number;
  /** True: a value that only the other tenant has received. */
  readonly foreign: boolean;
  readonly twist: Twist;
  /** Used if no value is known. */
  readonly fallback: Tree;

  constructor(parts: Omit<Ref, never>) {
    this.field = parts.field;
    this.type = parts.type;
    this.index = parts.index;
    this.foreign = parts.foreign;
    this.twist = parts.twist;
    this.fallback = parts.fallback;
  }
}

/** Converts a JSON value to a tree. */
export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return value.map(treeOf);
  if (typeof value === 'object' && value !== null) {
    return new Fields(Object.entries(value).map(([key, inner]) => [key, treeOf(inner)]));
  }
  return value as Tree;
}

/** Copies a tree. */
export function copyOf(tree: Tree): Tree {
  if (Array.isArray(tree)) return tree.map(copyOf);
  if (!(tree instanceof Fields)) return tree;
  return new Fields(tree.entries.map(([key, value]) => [key, copyOf(value)]));
}

/** The JSON text of a tree without placeholders. */
export function textOf(tree: Tree): string {
  if (tree instanceof Raw) return tree.text;
  if (tree instanceof Ref) throw new TypeError('A placeholder has no value.');
  if (Array.isArray(tree)) return `[${tree.map(textOf).join(',')}]`;
  if (!(tree instanceof Fields)) return JSON.stringify(tree);
  return `{${tree.entries.map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)}`).join(',')}}`;
}

/** A string unchanged, and any other value as JSON: for a path segment, a query value or a header. */
export function plainOf(tree: Tree): string {
  return typeof tree === 'string' ? tree : textOf(tree);
}
