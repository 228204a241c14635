/** What a request will hold: JSON, places that earlier answers fill, and JSON text that no value has. */
export type Tree = null | boolean | number | string | Tree[] | Fields | Ref | Raw;

/** A JSON object in the order it is written, so that `__proto__` and a key given twice can be sent. */
export class Fields {
  readonly entries: [string, Tree][];

  constructor(entries: [string, Tree][]) {
    this.entries = entries;
  }
}

/** JSON text that goes out as it stands: `1e999`, `"\ud800"`. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** How a value of an earlier answer is used: as it was, or a little off. */
export const twists = ['exact', 'case', 'nudge', 'cut', 'grow'] as const;
export type Twist = (typeof twists)[number];

/** A value of an earlier answer or request, chosen when the request is sent. */
export class Ref {
  /** Names under which it may have been seen. */
  readonly field: string;
  readonly type: string;
  /** 0 is the newest. */
  readonly index: number;
  /** True: a value that only the other tenant has seen. */
  readonly foreign: boolean;
  readonly twist: Twist;
  /** What stands here while nothing was seen. */
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

/** A tree of a JSON value. */
export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return value.map(treeOf);
  if (typeof value === 'object' && value !== null) {
    return new Fields(Object.entries(value).map(([key, inner]) => [key, treeOf(inner)]));
  }
  return value as Tree;
}

/** The same tree in other objects. */
export function copyOf(tree: Tree): Tree {
  if (Array.isArray(tree)) return tree.map(copyOf);
  if (!(tree instanceof Fields)) return tree;
  return new Fields(tree.entries.map(([key, value]) => [key, copyOf(value)]));
}

/** The JSON text of a tree without places to fill. */
export function textOf(tree: Tree): string {
  if (tree instanceof Raw) return tree.text;
  if (tree instanceof Ref) throw new TypeError('A place was not filled before it was written.');
  if (Array.isArray(tree)) return `[${tree.map(textOf).join(',')}]`;
  if (!(tree instanceof Fields)) return JSON.stringify(tree);
  return `{${tree.entries.map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)}`).join(',')}}`;
}

/** A scalar as text, for a path segment, a query value or a header; of anything else its JSON. */
export function plainOf(tree: Tree): string {
  return typeof tree === 'string' ? tree : textOf(tree);
}
