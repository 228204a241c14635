import pg from 'pg';

/** Round trips to the database while `work` runs: statements that are sent without waiting for one another share one. */
export async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype;
  let trips = 0;
  let unanswered = 0;
  const end = () => {
    unanswered -= 1;
  };
  pg.Client.prototype.query = function count(this: pg.Client, ...args: unknown[]) {
    if (unanswered === 0) trips += 1;
    unanswered += 1;
    const callback = args.at(-1);
    if (typeof callback !== 'function') {
      const answer = Reflect.apply(query, this, args) as unknown as Promise<unknown>;
      answer.then(end, end);
      return answer;
    }
    // A pool passes a callback.
    const counted = (...results: unknown[]) => {
      end();
      callback(...results);
    };
    return Reflect.apply(query, this, [...args.slice(0, -1), counted]) as unknown;
  } as typeof query;
  try {
    await work();
    return trips;
  } finally {
    pg.Client.prototype.query = query;
  }
}
