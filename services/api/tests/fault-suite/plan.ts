import { workerQueues } from './deployment.ts';
import { type Fault, faults, nameOf } from './faults.ts';

/** Faults that begin together. A long run has one at a time. */
export interface PlannedFault {
  number: number;
  name: string;
  faults: readonly Fault[];
}

/** Number of faults of a long run. */
const longCount = 200;

/**
 * The faults of this run. Without FAULTS, the workers freeze together, because each one alone takes the time of a lease. FAULTS=long
 * repeats all faults one by one in random order, at least 200; FAULTS_SEED repeats an order. FAULTS_ONLY keeps the faults whose name
 * contains it.
 */
export function chooseFaults(): { faults: PlannedFault[]; seed: number; length: number } {
  const { FAULTS: extent, FAULTS_SEED: given, FAULTS_ONLY: part = '' } = process.env;
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  const isKept = (fault: Fault) => nameOf(fault).includes(part);
  const groups =
    extent === 'long'
      ? repeatShuffled(randomOf(seed))
          .filter(isKept)
          .map((fault) => [fault])
      : groupFrozenWorkers(faults.filter(isKept));
  const planned = groups.map((group, index) => ({
    number: index + 1,
    name: group.map(nameOf).join(', '),
    faults: group,
  }));
  return { faults: planned, seed, length: planned.length };
}

function repeatShuffled(random: () => number): Fault[] {
  const rounds = Math.ceil(longCount / faults.length);
  return Array.from({ length: rounds }, () => shuffle(faults, random)).flat();
}

function groupFrozenWorkers(kept: readonly Fault[]): Fault[][] {
  const isFrozenWorker = ({ what, part }: Fault) => what === 'frozen' && part in workerQueues;
  const frozenWorkers = kept.filter(isFrozenWorker);
  const others = kept.filter((fault) => !isFrozenWorker(fault)).map((fault) => [fault]);
  return frozenWorkers.length === 0 ? others : [...others, frozenWorkers];
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
