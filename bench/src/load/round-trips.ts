import type { Statement } from '@continuity/kernel/database';

/** A statement with its values; a plain string for a command such as BEGIN. */
export interface SentStatement {
  statement: Statement | string;
  values: unknown[];
}

/** Statements that are pipelined. The next round trip waits for their answers. */
type RoundTrip = SentStatement[];

/** The statements of one request. */
export type RoundTrips = RoundTrip[];
