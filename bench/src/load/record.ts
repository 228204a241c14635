import { setImmediate as tick } from 'node:timers/promises';
import type { Database, Statement, Transaction } from '@continuity/shared/kernel';
import type { Sent, Trips } from './transaction.ts';

/** Answers a statement in place of the database. */
export type StandIn = (statement: Statement, values: unknown[]) => object[];

/**
 * What `work` sends to a database: the very statements and values, and which of them share a round trip. The service's own
 * code runs, so that what is recorded cannot differ from what it does.
 */
export async function recordTrips(
  standIn: StandIn,
  work: (database: Pick<Database, 'sql' | 'transaction'>) => Promise<unknown>,
): Promise<Trips> {
  const recorder = new Recorder(standIn);
  await work({ sql: recorder.transaction(), transaction: (inner) => recorder.inTransaction(inner) });
  return recorder.trips;
}

class Recorder {
  readonly trips: Trips = [];
  readonly #standIn: StandIn;
  #isOpen = false;
  #isCommitted = false;

  constructor(standIn: StandIn) {
    this.#standIn = standIn;
  }

  transaction(): Transaction {
    const rows = async (statement: Statement, values: unknown[]) => {
      this.#send({ statement, values });
      await tick();
      this.#isOpen = false;
      return this.#standIn(statement, values) as never[];
    };
    return {
      rows,
      first: async (statement, values) => (await rows(statement, values))[0],
      commitWith: async (statement, values) => {
        const answer = rows(statement, values);
        this.#send({ statement: 'COMMIT', values: [] });
        this.#isCommitted = true;
        return await answer;
      },
    };
  }

  async inTransaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    this.#send({ statement: 'BEGIN', values: [] });
    const answer = await work(this.transaction());
    if (!this.#isCommitted) this.#send({ statement: 'COMMIT', values: [] });
    return answer;
  }

  /** What is sent before an answer has come shares the trip. */
  #send(sent: Sent): void {
    const last = this.trips.at(-1);
    if (this.#isOpen && last !== undefined) last.push(sent);
    else this.trips.push([sent]);
    this.#isOpen = true;
  }
}
