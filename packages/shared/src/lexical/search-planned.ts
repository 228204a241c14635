import type { ReadingPlan } from './plan-reading.ts';
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

const [ofWhole, ofDeep] = [2, 4];

/** The smallest shape that has room for a plan. */
export function shapeFor({ whole, deep }: Pick<ReadingPlan, 'whole' | 'deep'>): ReadingShape {
  return { whole: roomFor(whole.length), deep: roomFor(deep.length) };
}

function roomFor(count: number): number {
  const room = rooms.find((size) => size >= count);
  if (room === undefined) throw new Error(`A search has no room for ${count} lookups.`);
  return room;
}

/**
 * As `scoringOfFew`, for corpora of more than `maxWhole`: reads what `planReading` has planned. Where a key is much more
 * frequent than it was planned for, nothing is read. What lookups of whole pairs find comes once, because each only adds to the
 * bits of one map; together they find `maxOfPairs` texts at most, any of them: where they did, a search is made otherwise.
 */
export function scoringOfPlanned(tables: LexicalTables, { whole, deep }: ReadingShape): string {
  const areAsPlanned =
    '(SELECT $7::bigint IS NOT NULL AND NOT EXISTS (SELECT FROM known WHERE holders > most))';
  const textsOf = (condition: string) => textsWith(tables, condition, areAsPlanned);
  const wholes = Array.from({ length: whole }, (_, n) => `(${pairAt(ofWhole * n)})`);
  const deeps = Array.from({ length: deep }, (_, n) => {
    const place = ofWhole * whole + ofDeep * n;
    const batches = newestBatches(tables, `${parameterAt(place + 2)}::float8`);
    return `(${textsOf(`${pairAt(place)} AND terms && (${batches})`)}
      ORDER BY s.${tables.age} DESC LIMIT ${parameterAt(place + 3)}::int)`;
  });
  const texts = [`(${textsOf(wholes.join(' OR ') || 'false')} LIMIT ${maxOfPairs})`, ...deeps].join(
    ' UNION ALL ',
  );
  return `${knownKeys(tables, `$${firstOwn}`)}, ${scoredTexts(tables, deep === 0 ? texts : eachOnce(tables, texts))}`;
}

const parameterAt = (place: number): string => `$${firstOwn + 1 + place}`;

const pairAt = (place: number): string =>
  `terms && ${parameterAt(place)}::bigint[] AND terms && ${parameterAt(place + 1)}::bigint[]`;

/** Holders of a key up to which a reading that was planned for so many is made. */
export function mostHolders(planned: number): number {
  return Math.max(2 * planned, maxRare);
}

/** The values from $10 on. `holders` are those that each key was planned for. */
export function plannedParameters(plan: ReadingPlan, holders: readonly number[]): unknown[] {
  const room = shapeFor(plan);
  const none: number[] = [];
  const whole = plan.whole.flatMap(({ one, other }) => [one, other]);
  const deep = plan.deep.flatMap(({ one, other, depth, most }) => [one, other, depth, most]);
  while (whole.length < ofWhole * room.whole) whole.push(none, none);
  while (deep.length < ofDeep * room.deep) deep.push(none, none, 0, 0);
  // Written here: the driver would look at each element.
  return [holders.map(mostHolders), ...whole, ...deep].map((value) =>
    typeof value === 'number' ? value : `{${value.join(',')}}`,
  );
}
