import fc from 'fast-check';
import { type Schema, type Shape, typesOf } from './schema.ts';
import { fit } from './strings.ts';
import { copyOf, Fields, Raw, type Tree, textOf } from './tree.ts';

/** A change of an input. `at` selects the value, `pick` the change; both wrap around. */
export interface Mutation {
  kind: keyof typeof changes;
  at: number;
  pick: number;
}

/** A value inside an input, with functions that change it in place. */
interface Spot {
  tree: Tree;
  shape: Shape;
  /** Undefined below a field that the contract does not declare or declares as any JSON. */
  schema: Schema | undefined;
  set(tree: Tree): void;
  /** Undefined for the input itself. */
  drop: (() => void) | undefined;
  /** Repeats the field after itself. */
  repeat: ((tree: Tree) => void) | undefined;
}

const oddNames = [
  'extra',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'scope_id ',
  'SCOPE_ID',
  '0',
];

const oddValues: Tree[] = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  ' ',
  '1',
  'true',
  'null',
  [],
  [null],
  new Fields([]),
  new Fields([['__proto__', new Fields([['admin', true]])]]),
  new Fields([['toString', 1]]),
];

/** Texts that no JavaScript value serializes to. The first of them are not JSON. */
const rawTexts = [
  'NaN',
  '01',
  '0x10',
  "'x'",
  '1.',
  '',
  '1e999',
  '-1e999',
  '-0',
  '1e-999',
  '1.0',
  '9007199254740992',
  '9007199254740993',
  '123456789012345678901234567890',
  '1e2',
  '2147483648',
  '"\\u0000"',
  '"\\ud800"',
  '"a\\udc00b"',
  '"\\udc00\\ud800"',
  '"\\ud83d\\ude00"',
  '{"\\u0000":1}',
  '{"\\ud800":1}',
  '"\\u0041\\/\\b"',
];

const depths = [61, 62, 63, 64, 65, 66, 1_000, 100_000];

const changes = {
  drop: (spot: Spot) => spot.drop?.(),
  add: ({ tree }: Spot, pick: number) => {
    if (tree instanceof Fields) tree.entries.push([at(oddNames, pick), oddValue(pick)]);
  },
  replace: (spot: Spot, pick: number) => spot.set(oddValue(pick)),
  raw: (spot: Spot, pick: number) => spot.set(new Raw(at(rawTexts, pick))),
  edge: (spot: Spot, pick: number) => {
    const edges = edgesOf(spot);
    if (edges.length > 0) spot.set(at(edges, pick));
  },
  huge: (spot: Spot, pick: number) => {
    const unit = at(['a', 'é', '\u0344', 'a ', ' ', '\u0301', '\ufdfa'], pick);
    spot.set(unit.repeat(at([8_193, 66_000, 200_001, 1_048_577], pick)));
  },
  swap: (spot: Spot, pick: number, spots: Spot[]) => {
    const other = at(spots, pick);
    const isInside =
      textOf(other.tree).includes(textOf(spot.tree)) || textOf(spot.tree).includes(textOf(other.tree));
    if (isInside) return;
    const kept = spot.tree;
    spot.set(other.tree);
    other.set(kept);
  },
  repeat: (spot: Spot, pick: number) => spot.repeat?.(pick % 2 === 0 ? copyOf(spot.tree) : oddValue(pick)),
  box: (spot: Spot, pick: number) =>
    spot.set(pick % 2 === 0 ? [spot.tree] : new Fields([['value', spot.tree]])),
  deep: (spot: Spot, pick: number) => {
    const depth = at(depths, pick);
    const [open, close] = pick % 2 === 0 ? ['[', ']'] : ['{"a":', '}'];
    spot.set(new Raw(open.repeat(depth) + textOf(spot.tree) + close.repeat(depth)));
  },
  pad: (spot: Spot, pick: number) => {
    if (typeof spot.tree === 'string')
      spot.set(at([' ', '\u0085', '\ufeff', '\n', '\u200b', '\u0001'], pick) + spot.tree);
  },
} as const;

export const mutations: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
  at: fc.nat(30),
  pick: fc.nat(60),
});

/** Applies one change to an input. May modify the given input. */
export function mutate(tree: Tree, shape: Shape, { kind, at: index, pick }: Mutation): Tree {
  const root = [tree];
  const spots = spotsOf(root, shape);
  changes[kind](at(spots, index), pick, spots);
  return root[0] ?? null;
}

/** A copy that no other call modifies. */
function oddValue(pick: number): Tree {
  return copyOf(at(oddValues, pick));
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError('Nothing to choose from.');
  return item;
}

function spotsOf(root: Tree[], shape: Shape): Spot[] {
  const spots: Spot[] = [];
  const visit = (spot: Spot): void => {
    spots.push(spot);
    const { tree } = spot;
    if (Array.isArray(tree))
      for (const [index, item] of tree.entries()) visit(itemSpot(spot, tree, item, index));
    if (tree instanceof Fields) for (const entry of [...tree.entries]) visit(fieldSpot(spot, tree, entry));
  };
  const set = (tree: Tree) => {
    root[0] = tree;
  };
  visit({ tree: root[0] ?? null, shape, schema: shape.schema, set, drop: undefined, repeat: undefined });
  return spots;
}

function itemSpot({ shape, schema }: Spot, list: Tree[], tree: Tree, index: number): Spot {
  const set = (value: Tree) => {
    list[index] = value;
  };
  const items = typeof schema?.items === 'object' ? chosen(shape, schema.items, tree) : undefined;
  const repeat = (value: Tree) => list.splice(index, 0, value);
  return { tree, shape, schema: items, set, drop: () => list.splice(index, 1), repeat };
}

function fieldSpot({ shape, schema }: Spot, { entries }: Fields, entry: [string, Tree]): Spot {
  const [name, tree] = entry;
  const own = schema?.properties?.[name];
  const place = () => Math.max(0, entries.indexOf(entry));
  return {
    tree,
    shape,
    schema: own === undefined ? undefined : chosen(shape, own, tree),
    set: (value) => {
      entry[1] = value;
    },
    drop: () => entries.splice(place(), 1),
    repeat: (value) => entries.splice(place() + 1, 0, [name, value]),
  };
}

/** The alternative of a union that matches the type of a value. */
function chosen(shape: Shape, given: Schema, tree: Tree): Schema {
  const schema = shape.open(given);
  const type =
    tree === null ? 'null' : Array.isArray(tree) ? 'array' : tree instanceof Fields ? 'object' : typeof tree;
  const choices = (schema.anyOf ?? schema.oneOf ?? []).map(shape.open);
  const fits = (choice: Schema) =>
    typesOf(choice).some((one) => one === type || (one === 'integer' && type === 'number'));
  return choices.find(fits) ?? schema;
}

/** Values at the declared limits of a schema, and one step beyond. */
function edgesOf({ schema, tree }: Spot): Tree[] {
  if (schema === undefined) return [];
  const { minLength, maxLength, minimum, maximum, maxItems, minItems } = schema;
  const around = (limit: number | undefined) => (limit === undefined ? [] : [limit - 1, limit, limit + 1]);
  const numbers = [...around(minimum), ...around(maximum)];
  const lengths = [...around(minLength), ...around(maxLength)].filter((length) => length >= 0);
  const texts = lengths.flatMap((length) =>
    ['x', '😀', ' '].map((unit) => fit(unit.repeat(length), 0, length)),
  );
  const counts = [...around(minItems), ...around(maxItems)].filter((count) => count >= 0);
  const lists =
    Array.isArray(tree) && tree.length > 0
      ? counts.map((count) => Array<Tree>(count).fill(tree[0] ?? null))
      : [];
  return [...numbers, ...texts, ...lists];
}
