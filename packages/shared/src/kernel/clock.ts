/** Source of the current time; tests replace it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The UTC date of a moment, `YYYY-MM-DD`. */
export function utcDate(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
