import { ReadyBody, type Sql } from '@continuity/shared/kernel';
import { type Horizon, type LookedFor, type Newer, readNewer } from './newer.ts';
import { type KeptPart, lastFirst } from './part.ts';
import type { ScopeBlocks } from './scope-blocks.ts';
import { bytesOfTexts, type Text } from './text-store.ts';
import { asOfText, requireFitting } from './write-answer.ts';

/** What a reading is of. */
export interface ReadOf {
  tenantId: number;
  /** Of all Scopes of the selection, in their order. The first of them are told one by one. */
  scopeKeys: readonly number[];
  /** The first day of the period. */
  startDate: string;
}

/** What stays the same in a reading and those that follow from it. */
interface Same {
  scopeKeys: readonly number[];
  lookedFor: LookedFor;
  opening: Buffer;
}

/** What was read. */
interface Reading {
  horizon: Horizon;
  parts: readonly KeptPart[];
  scopes: ScopeBlocks;
}

/** Memory for the key of a Scope and for its place, about. */
const bytesOfScope = 100;

/**
 * A reading of statistics, with what is needed to read them again by what has changed since. Never changes itself: what it
 * answers may still be on its way while others are made from it.
 */
export class KeptReading {
  readonly #same: Same;
  readonly #reading: Reading;

  private constructor(same: Same, reading: Reading) {
    this.#same = same;
    this.#reading = reading;
  }

  /** @param opening the answer up to its time */
  static of({ tenantId, scopeKeys, startDate }: ReadOf, opening: Text, reading: Reading): KeptReading {
    const ascending = scopeKeys.toSorted((left, right) => left - right);
    const lookedFor = { tenantId, scopeKeys: `{${ascending.join(',')}}`, startDate };
    return new KeptReading({ scopeKeys, lookedFor, opening: bytesOfTexts([opening]) }, reading);
  }

  /** About how much memory it takes. */
  get bytes(): number {
    const { opening, scopeKeys } = this.#same;
    const { parts, scopes } = this.#reading;
    const ofParts = parts.reduce((sum, { bytes }) => sum + bytes, 0);
    const ofBlocks = scopes.blocks.reduce((sum, { length }) => sum + length, 0);
    return ofBlocks + ofParts + opening.length + scopeKeys.length * bytesOfScope;
  }

  /** Whether these are its Scopes. */
  isOf(scopeKeys: readonly number[]): boolean {
    const known = this.#same.scopeKeys;
    return known.length === scopeKeys.length && known.every((key, place) => key === scopeKeys[place]);
  }

  /** What has changed since, up to the snapshot of `sql`, which must be a later one than that of this reading. */
  newer(sql: Sql): Promise<Newer> {
    return readNewer(sql, this.#reading.horizon, this.#same.lookedFor);
  }

  /** The reading on the same snapshot of `sql`. */
  async again(sql: Sql, { horizon, scopeKeys }: Newer): Promise<KeptReading> {
    const { parts, scopes } = this.#reading;
    const reads = await lastFirst(parts, (part) => part.again(sql, this.#same.lookedFor.tenantId, scopeKeys));
    return new KeptReading(this.#same, {
      horizon,
      parts: reads.map(({ part }) => part),
      scopes: await scopes.with(reads.map(({ changed }) => changed)),
    });
  }

  /** Throws 422 for an answer of too many bytes. */
  answer(asOf: Date): ReadyBody {
    const { parts, scopes } = this.#reading;
    const head = [this.#same.opening, asOfText(asOf), ...parts.map(({ whole }) => whole)];
    const answer = new ReadyBody([Buffer.concat(head), ...scopes.blocks]);
    requireFitting(answer.length);
    return answer;
  }
}
