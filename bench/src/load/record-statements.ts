import { setImmediate as tick } from 'node:timers/promises';
import type { Database, Statement, Transaction } from '@continuity/kernel/database';
import type { RoundTrips, SentStatement } from './round-trips.ts';

/** Returns the rows of a statement in place of the database. */
type StubDatabase = (statement: Statement, values: unknown[]) => object[];

/**
 * Records the statements and values that `work` sends to a database, and which of them share a round trip. The code of the
 * service itself runs, so the recording cannot differ from what the service sends.
 */
export async function recordRoundTrips(
  stubDatabase: StubDatabase,
  work: (database: Pick<Database, 'lockingSql' | 'transaction'>) => Promise<unknown>,
): Promise<RoundTrips> {
  const recorder = new Recorder(stubDatabase);
  await work({ lockingSql: recorder.transaction(), transaction: (inner) => recorder.inTransaction(inner) });
  return recorder.roundTrips;
}

class Recorder {
  readonly roundTrips: RoundTrips = [];
  readonly #stubDatabase: StubDatabase;
  #isOpen = false;
  #isCommitted = false;

  constructor(stubDatabase: StubDatabase) {
    this.#stubDatabase = stubDatabase;
  }

  transaction(): Transaction {
    const rows = async (statement: Statement, values: unknown[]) => {
      this.#send({ statement, values });
      await tick();
      this.#isOpen = false;
      return this.#stubDatabase(statement, values) as never[];
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

  /** Statements that are sent before an answer has arrived share a round trip. */
  #send(sent: SentStatement): void {
    const last = this.roundTrips.at(-1);
    if (this.#isOpen && last !== undefined) last.push(sent);
    else this.roundTrips.push([sent]);
    this.#isOpen = true;
  }
}
