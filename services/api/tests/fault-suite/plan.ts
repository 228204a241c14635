import { type Fault, faults, nameOf } from './faults.ts';

export interface PlannedFault {
  number: number;
  name: string;
  fault: Fault;
}

/** Number of faults of a long run. */
const longCount = 200;

/**
 * The faults of this run. FAULTS=long repeats all of them in random order, at least 200; FAULTS_SEED repeats an order. FAULTS_ONLY
 * keeps those whose name contains it.
 */
export function chooseFaults(): { faults: PlannedFault[]; seed: number; length: number } {
  const { FAULTS: extent, FAULTS_SEED: given, FAULTS_ONLY: part = '' } = process.env;
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  const rounds = extent === 'long' ? Math.ceil(longCount / faults.length) : 1;
  const random = randomOf(seed);
  const all = Array.from({ length: rounds }, () => shuffle(faults, random)).flat();
  const chosen = (extent === 'long' ? all : faults).filter((fault) => nameOf(fault).includes(part));
  const planned = chosen.map((fault, index) => ({ number: index + 1, name: nameOf(fault), fault }));
  return { faults: planned, seed, length: planned.length };
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((left, right) => left.order - right.order)
    .map(({ item }) => item);
}

/** The generator mulberry32: numbers from 0 to 1 that a seed repeats. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
