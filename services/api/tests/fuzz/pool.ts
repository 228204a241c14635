import { signatureOf } from './values/schema.ts';
import { Fields, Ref, type Tree, type Twist, treeOf } from './values/tree.ts';

/** Limit of the values that the pool holds for one field. The oldest are dropped. */
const maxKept = 100;

/** Limit of the items that the pool reads from a list: the first and the last ones. */
const maxItems = 6;

/** The tenant, operation and Scope of an exchange. */
export interface Place {
  tenant: number;
  operation: string | undefined;
  scope: unknown;
}

interface Seen extends Place {
  value: unknown;
}

/**
 * Values of earlier answers and of requests that succeeded, by field name. Objects are found by their set of fields, so
 * that a `memory_ref` can be filled with an object that was answered as `current`.
 */
export class Pool {
  readonly #seen = new Map<string, Seen[]>();

  /** Adds a value and everything inside it. */
  harvest(value: unknown, place: Place, field?: string): void {
    if (field !== undefined) this.#keep(field, { ...place, value });
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      const items = value.length <= maxItems ? value : [...value.slice(0, 3), ...value.slice(-3)];
      for (const item of items) this.harvest(item, place);
      return;
    }
    this.#keep(signatureOf(Object.keys(value)), { ...place, value });
    for (const [key, inner] of Object.entries(value)) this.harvest(inner, place, key);
  }

  /** Fills the placeholders of a tree for a request of `place`. A `scope_id` in the tree sets the Scope of the fields after it. */
  resolve(tree: Tree, place: Place): Tree {
    if (tree instanceof Ref) return this.#fill(tree, place);
    if (Array.isArray(tree)) return tree.map((item) => this.resolve(item, place));
    if (!(tree instanceof Fields)) return tree;
    const entries = tree.entries.map(([key, value]): [string, Tree] => {
      const resolved = this.resolve(value, place);
      if (key === 'scope_id') place.scope = resolved;
      return [key, resolved];
    });
    return new Fields(entries);
  }

  #keep(field: string, seen: Seen): void {
    if (seen.value === null || Array.isArray(seen.value)) return;
    for (const name of namesOf(field)) {
      const list = this.#seen.get(name) ?? [];
      this.#seen.set(name, [seen, ...list.slice(0, maxKept - 1)]);
    }
  }

  #fill(ref: Ref, place: Place): Tree {
    const lists = namesOf(ref.field).map((name) => this.#seen.get(name) ?? []);
    const typed = lists.map((list) => list.filter(({ value }) => isOf(ref.type, value)));
    const wanted = typed.map((list) =>
      list.filter((seen) => isAtHome(seen, place, ref.field) === !ref.foreign),
    );
    // Better one of another place than an invented one.
    const fitting = [...wanted, ...typed].find((list) => list.length > 0) ?? [];
    const chosen = fitting[ref.index % fitting.length];
    if (chosen === undefined) return this.resolve(ref.fallback, place);
    return twisted(treeOf(chosen.value), ref.twist, ref.index);
  }
}

function isAtHome(seen: Seen, place: Place, field: string): boolean {
  const isSameScope = place.scope === undefined || seen.scope === undefined || seen.scope === place.scope;
  const isSameList = field !== 'cursor' || seen.operation === place.operation;
  return seen.tenant === place.tenant && isSameScope && isSameList;
}

/** `next_cursor` is also a `cursor`, and `expected_revision` a `revision`; but an `entry_id` is not any `id`. */
function namesOf(field: string): string[] {
  if (field.startsWith('{')) return [field];
  const words = field.split('_');
  return words.map((_word, index) => words.slice(index).join('_')).filter((name) => name !== 'id');
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === typeof value;
}

function twisted(tree: Tree, twist: Twist, index: number): Tree {
  if (twist === 'exact') return tree;
  if (typeof tree === 'number') return tree + (twist === 'grow' ? 1_000_000 : index % 2 === 0 ? 1 : -1);
  if (typeof tree === 'string') return twistedText(tree, twist, index);
  if (!(tree instanceof Fields)) return tree;
  const place = index % Math.max(1, tree.entries.length);
  return new Fields(
    tree.entries.map(([key, value], at) => [key, at === place ? twisted(value, twist, index >> 1) : value]),
  );
}

function twistedText(text: string, twist: Twist, index: number): string {
  const place = index % Math.max(1, text.length);
  switch (twist) {
    case 'case':
      return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
    case 'cut':
      return text.slice(0, -1) || text;
    case 'grow':
      return `${text}0`;
    default:
      return text.slice(0, place) + (text[place] === '0' ? '1' : '0') + text.slice(place + 1);
  }
}
