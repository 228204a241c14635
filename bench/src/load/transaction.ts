import type { Statement } from '@continuity/shared/kernel';

/** One statement with its values; without a name it is plain text, such as BEGIN. */
export interface Sent {
  statement: Statement | string;
  values: unknown[];
}

/** Statements that travel together: each trip waits for the answers of the one before. */
export type Trip = Sent[];

/** What one request sends to the database. */
export type Trips = Trip[];
