import type { Logger } from './logger.ts';

/** Shortest time between two lines of one warning, in milliseconds. */
const intervalMs = 1_000;

/**
 * Returns a function that logs a warning at most once a second. It logs the first one at once. Those of the next second become one
 * line, with the fields of the latest and their number as `count`.
 */
export function repeatedWarning(
  logger: Logger,
  message: string,
): (fields: { err: unknown; [field: string]: unknown }) => void {
  let waiting: { fields: object; count: number } | undefined;
  let isPaused = false;
  const log = (fields: object) => {
    logger.warn(fields, message);
    isPaused = true;
    // A process that ends does not wait for the count.
    setTimeout(resume, intervalMs).unref();
  };
  const resume = () => {
    isPaused = false;
    if (waiting === undefined) return;
    const { fields, count } = waiting;
    waiting = undefined;
    log({ ...fields, count });
  };
  return (fields) => {
    if (isPaused) waiting = { fields, count: (waiting?.count ?? 0) + 1 };
    else log(fields);
  };
}
