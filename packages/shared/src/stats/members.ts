import type { TextStore } from './text-store.ts';

/** Punctuation of JSON as bytes. */
export const marks = { comma: Buffer.from(','), end: Buffer.from('}'), endList: Buffer.from(']') };

/** Writes figures, as many as there are names. */
export type FigureWriter = (out: TextStore, ...figures: (number | null)[]) => void;

/** Writes figures as members of a JSON object that have these names, with what stands before the first and after the last. */
export function figureWriter(before: string, names: readonly string[], after = ''): FigureWriter {
  const keys = names.map((name, place) => Buffer.from(`${place === 0 ? before : ','}"${name}":`));
  const ending = Buffer.from(after);
  return (out, ...figures) => {
    for (let place = 0; place < figures.length; place += 1) {
      const [key, figure] = [keys[place], figures[place]];
      if (key === undefined || figure === undefined) continue;
      out.bytes(key);
      out.number(figure);
    }
    if (ending.length > 0) out.bytes(ending);
  };
}

/** What a named member of a list begins with, `{"<key>":"<name>",`: made once for each name. */
export function openingsOf(key: string): (name: string) => Buffer {
  const openings = new Map<string, Buffer>();
  return (name) => {
    const known = openings.get(name);
    if (known !== undefined) return known;
    const opening = Buffer.from(`{"${key}":${JSON.stringify(name)},`);
    openings.set(name, opening);
    return opening;
  };
}
