/** Bounds of one batch, so that no statement grows with the backlog. */

/** Answers fetched by one statement. */
export const deliveryBatch = 500;

/** Lost or missing jobs handled by one sweep step. */
export const sweepBatch = 500;

/** Old rows deleted by one sweep. */
export const deleteBatch = 2_000;

/** A job that has cost this many workers their life is not given to another one. */
export const maxAttempts = 10;
