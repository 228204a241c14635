import { type Item, type ResumePoint, type Session, toMs } from './items.ts';

/** An item with the session that it is of, or the end of a session: with an error if it could not be read to its end. */
export type SessionItem = { session: Session; item: Item } | { session: Session; item: null; error: unknown };

/** Most sessions that are read at the same time. */
const maxOpen = 64;

interface Reading {
  session: Session;
  items: AsyncIterator<Item>;
  /** The next item, and its time: that of the text before, where it has none. */
  item: Item;
  at: number;
}

/**
 * The items of sessions in the order of their times, so that newer statements are extracted later (spec 70 §3.3). The items of one
 * session keep their order. Opens a session when its time has come.
 */
export async function* mergeSessions(
  sessions: readonly Session[],
  resumeAt: (session: Session) => ResumePoint | null,
): AsyncGenerator<SessionItem> {
  const waiting = [...sessions].sort((left, right) => left.start - right.start);
  const open: Reading[] = [];
  for (;;) {
    let next = earliest(open);
    while (
      waiting.length > 0 &&
      open.length < maxOpen &&
      (next === undefined || (waiting[0]?.start ?? 0) <= next.at)
    ) {
      const session = waiting.shift() as Session;
      const items = session.read(resumeAt(session))[Symbol.asyncIterator]();
      const { item, error } = await advance(items);
      if (item === null) yield { session, item, error };
      else open.push({ session, items, item, at: timeOf(item, session.start) });
      next = earliest(open);
    }
    if (next === undefined) return;
    yield { session: next.session, item: next.item };
    const { item, error } = await advance(next.items);
    if (item === null) {
      open.splice(open.indexOf(next), 1);
      yield { session: next.session, item, error };
    } else {
      next.item = item;
      next.at = timeOf(item, next.at);
    }
  }
}

/** The next item; null at the end, or with an error. */
async function advance(items: AsyncIterator<Item>): Promise<{ item: Item | null; error: unknown }> {
  try {
    const { value, done } = await items.next();
    return { item: done === true ? null : value, error: undefined };
  } catch (error) {
    return { item: null, error };
  }
}

function earliest(open: readonly Reading[]): Reading | undefined {
  return open.reduce<Reading | undefined>(
    (best, reading) => (best === undefined || reading.at < best.at ? reading : best),
    undefined,
  );
}

function timeOf(item: Item, before: number): number {
  const time = item.type === 'turn' || item.type === 'document' ? toMs(item.time) : 0;
  return Math.max(time, before);
}
