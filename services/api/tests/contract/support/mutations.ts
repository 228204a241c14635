import fc from 'fast-check';

/** The path to a value inside another one, outermost key first. */
type Path = (string | number)[];

/** Lengths at which bounds of the contract sit. */
const lengths = [1, 128, 129, 256, 257, 512, 513, 1001, 4096, 4097, 8192, 8193];

/** White space of Unicode, some that is not, and the byte order mark. */
const blanks = ['', ' ', '\t\n', '\u0085', '\u00a0', '\u2003\u3000', '\ufeff', '\u200b', '\u180e', '\u0001'];

/** Values that shapes tend to differ about. Lengths count code points, so that some are of two UTF-16 units each. */
const replacement: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, [], {}, [null], 'null', '1'),
  fc.constantFrom(0, -0, 1, -1, 0.5, 1.5, 50, 51, 1000, 1001, 2 ** 53 - 1, 2 ** 53, 1e300),
  fc.constantFrom(...blanks),
  fc.tuple(fc.constantFrom(...lengths), fc.constantFrom('a', '\u{1f600}', ' ')).map(([n, c]) => c.repeat(n)),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.jsonValue() as fc.Arbitrary<unknown>,
);

/** The value with one to three of its parts exchanged, removed, repeated or added. */
export function mutations(value: unknown): fc.Arbitrary<unknown> {
  return fc.array(fc.tuple(fc.nat(), mutation), { minLength: 1, maxLength: 3 }).map((steps) =>
    steps.reduce((current, [index, change]) => {
      const paths = pathsIn(current);
      return changeAt(current, paths[index % paths.length] ?? [], change);
    }, value),
  );
}

type Change = (part: unknown) => unknown;

/** Stands for a part that is to be left out. */
const removed = Symbol('removed');

const mutation: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: replacement.map(
      (next): Change =>
        () =>
          next,
    ),
  },
  { weight: 1, arbitrary: fc.constant<Change>(() => removed) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(2, 40, 300).map(
      (times): Change =>
        (part) =>
          repeatItems(part, times),
    ),
  },
  {
    weight: 1,
    arbitrary: replacement.map(
      (extra): Change =>
        (part) =>
          addField(part, extra),
    ),
  },
);

function repeatItems(part: unknown, times: number): unknown {
  return Array.isArray(part) ? Array.from({ length: times }, () => part).flat() : [part];
}

function addField(part: unknown, extra: unknown): unknown {
  return isRecord(part) ? { ...part, another_field: extra } : extra;
}

function pathsIn(value: unknown, path: Path = []): Path[] {
  const inside = Array.isArray(value)
    ? value.flatMap((item, index) => pathsIn(item, [...path, index]))
    : isRecord(value)
      ? Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...path, key]))
      : [];
  return [path, ...inside];
}

function changeAt(value: unknown, path: Path, change: Change): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return withoutRemoved(change(value));
  if (Array.isArray(value)) {
    return value
      .map((item, index) => (index === step ? changeInside(item, rest, change) : item))
      .filter((item) => item !== removed);
  }
  const entries = Object.entries(value as object).map(([key, item]) => [
    key,
    key === step ? changeInside(item, rest, change) : item,
  ]);
  return Object.fromEntries(entries.filter(([, item]) => item !== removed));
}

function changeInside(item: unknown, rest: Path, change: Change): unknown {
  return rest.length === 0 ? change(item) : changeAt(item, rest, change);
}

/** The root value cannot be removed, so null replaces it. */
function withoutRemoved(value: unknown): unknown {
  return value === removed ? null : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
