import type { Database, Sql, Statement } from '@continuity/kernel/database';
import type { RoundTrips, SentStatement } from './round-trips.ts';

/** Runs `work` on a snapshot and records its statements, and which of them share a round trip. */
export async function recordSnapshot(
  database: Database,
  work: (sql: Sql) => Promise<unknown>,
): Promise<RoundTrips> {
  const trips: RoundTrips = [];
  let isOpen = false;
  const record = (sent: SentStatement) => {
    const last = trips.at(-1);
    if (isOpen && last !== undefined) last.push(sent);
    else trips.push([sent]);
    isOpen = true;
  };
  await database.snapshot((sql) => {
    const rows: Sql['rows'] = async (statement, values) => {
      record({ statement, values });
      const answer = await sql.rows(statement, values);
      isOpen = false;
      return answer;
    };
    return work({ rows, first: async (statement, values) => (await rows(statement, values))[0] });
  });
  return trips;
}

/** Sends recorded statements again on a snapshot, and does nothing with their rows. */
export function replaySnapshot(database: Database, trips: RoundTrips): Promise<void> {
  return database.snapshot(async (sql) => {
    for (const trip of trips) {
      await Promise.all(
        trip.map(({ statement, values }) =>
          sql.rows(statement as Statement<Record<string, unknown>>, values),
        ),
      );
    }
  });
}
