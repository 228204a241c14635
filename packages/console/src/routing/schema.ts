import { addressOf, go, usePlace } from './place.ts';

/** A parameter of a page: how its text is read, and its value without one. */
interface Field<T> {
  read(text: string): T | undefined;
  fallback: T;
}

/** One of some words, the first one by default. */
export function choice<const T extends string>(first: T, ...others: T[]): Field<T> {
  const all: readonly string[] = [first, ...others];
  return { read: (text) => (all.includes(text) ? (text as T) : undefined), fallback: first };
}

/** An id, or null. */
export function id(maxCharacters: number): Field<string | null> {
  return { read: (text) => (text !== '' && text.length <= maxCharacters ? text : undefined), fallback: null };
}

/** A whole number from 1, or a default. */
export function whole<T extends number | null>(max: number, fallback: T): Field<number | T> {
  return {
    read: (text) => (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= max ? Number(text) : undefined),
    fallback,
  };
}

type Schema = Record<string, Field<unknown>>;
type Values<S extends Schema> = {
  [Name in keyof S]: S[Name]['fallback'] extends infer F ? ReadOf<S[Name]> | F : never;
};
type ReadOf<F> = F extends Field<infer T> ? T : never;

export interface PageParameters<S extends Schema> {
  values: Values<S>;
  /** Names of parameters that the page does not know or cannot read. */
  ignored: string[];
  /** The address of the same page with some values changed. Words typed stay. */
  address(changes: Partial<Values<S>>): string;
  set(changes: Partial<Values<S>>, options?: { replace?: boolean }): void;
}

/** The parameters of the current page by its schema. Unknown and malformed ones fall back, and are named. */
export function useParameters<S extends Schema>(schema: S): PageParameters<S> {
  const { segment, query, typed } = usePlace();
  const ignored = [...query.keys()].filter((name) => !(name in schema));
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema)) {
    const text = query.get(name);
    const value = text === null ? undefined : field.read(text);
    if (text !== null && value === undefined) ignored.push(name);
    values[name] = value === undefined ? field.fallback : value;
  }
  const address = (changes: Partial<Values<S>>) => {
    const changed = { ...values, ...changes };
    const written = Object.entries(changed).filter(([name, value]) => value !== schema[name]?.fallback);
    return addressOf(
      segment,
      Object.fromEntries(written) as Record<string, string>,
      Object.fromEntries(typed),
    );
  };
  return {
    values: values as Values<S>,
    ignored,
    address,
    set: (changes, options = {}) => go(address(changes), options),
  };
}

/** Words typed on the page, from the address behind `#`, and a way to set them. */
export function useTyped(name: string): [string, (text: string) => void] {
  const { segment, query, typed } = usePlace();
  const set = (text: string) =>
    go(addressOf(segment, Object.fromEntries(query), { ...Object.fromEntries(typed), [name]: text }), {
      replace: true,
    });
  return [typed.get(name) ?? '', set];
}
