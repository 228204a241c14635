import type { Lookup } from './plan-reading.ts';
import { maxOfPairs, maxRare } from './reading-limits.ts';
import { newestBatches } from './search-pairs.ts';
import { eachOnce, knownKeys, type LexicalTables, scoredTexts, textsWith } from './search-parts.ts';

/** How many lookups of each sort a statement has room for. */
export interface ReadingShape {
  whole: number;
  deep: number;
}

/**
 * A server prepares each statement by itself: there are a few, and lookups that are not needed find nothing. Eight terms, each
 * with rare keys and common ones, are 112 pairs.
 */
const rooms = [0, 1, 2, 4, 8, 16, 32, 64, 128];

/** The first parameter that is not one of `lexicalParameters`. */
const firstOwn = 10;

/** The smallest shape that has room for some lookups. */
export function shapeFor(lookups: readonly Lookup[]): ReadingShape {
  const deep = lookups.filter(({ depth }) => depth !== null).length;
  return { whole: roomFor(lookups.length - deep), deep: roomFor(deep) };
}

function roomFor(count: number): number {
  const room = rooms.find((size) => size >= count);
  if (room === undefined) throw new Error(`A search has no room for ${count} lookups.`);
  return room;
}

/**
 * As `scoringOfFew`, for corpora of more than `maxWhole`: reads what `planReading` has planned. Where a key is much more
 * frequent than it was planned for, nothing is read. What several lookups of a sort find comes once, because each only adds to
 * the bits of one map.
 */
export function scoringOfPlanned(tables: LexicalTables, { whole, deep }: ReadingShape): string {
  const areAsPlanned = `(
    SELECT $7::bigint IS NOT NULL AND NOT EXISTS (
      SELECT FROM known AS k JOIN unnest($4::bigint[], $${firstOwn}::int[]) AS planned(key, most) USING (key)
      WHERE k.holders > planned.most
    ))`;
  const newest = (lookups: string[], most: number) =>
    `(${textsWith(tables, lookups.join(' OR ') || 'false', areAsPlanned)} ORDER BY s.${tables.age} DESC LIMIT ${most})`;
  const ofWhole = newest(
    Array.from({ length: whole }, (_, n) => `(${pairAt(2 * n)})`),
    maxOfPairs,
  );
  const ofDeep = newest(
    Array.from({ length: deep }, (_, n) => {
      const place = 2 * whole + 3 * n;
      return `(${pairAt(place)} AND terms && (${newestBatches(tables, `${parameterAt(place + 2)}::float8`)}))`;
    }),
    maxRare,
  );
  const candidates = deep === 0 ? ofWhole : eachOnce(tables, `${ofWhole} UNION ALL ${ofDeep}`);
  return `${knownKeys(tables)}, ${scoredTexts(tables, candidates)}`;
}

const parameterAt = (place: number): string => `$${firstOwn + 1 + place}`;

const pairAt = (place: number): string =>
  `terms && ${parameterAt(place)}::bigint[] AND terms && ${parameterAt(place + 1)}::bigint[]`;

/** Holders of a key up to which a reading that was planned for so many is made. */
export function mostHolders(planned: number): number {
  return Math.max(2 * planned, maxRare);
}

/** The values from $10 on. `holders` are those that each key was planned for. */
export function plannedParameters(lookups: readonly Lookup[], holders: readonly number[]): unknown[] {
  const { whole, deep } = shapeFor(lookups);
  const ofWhole = lookups.filter(({ depth }) => depth === null).flatMap(({ one, other }) => [one, other]);
  const ofDeep = lookups.flatMap(({ one, other, depth }) => (depth === null ? [] : [one, other, depth]));
  const none: number[] = [];
  while (ofWhole.length < 2 * whole) ofWhole.push(none, none);
  while (ofDeep.length < 3 * deep) ofDeep.push(none, none, 0);
  // Written here: the driver would look at each element.
  return [holders.map(mostHolders), ...ofWhole, ...ofDeep].map((value) =>
    typeof value === 'number' ? value : `{${value.join(',')}}`,
  );
}
