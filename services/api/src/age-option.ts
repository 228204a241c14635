import { z } from 'zod';

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Schema of the option `--older-than`: an age such as 7d, which it turns into milliseconds.
 *
 * @param format the numbers and units that the command takes
 * @param error what a wrong value must be, for a message that begins with the name of the option
 */
export function ageOption(format: RegExp, error: string) {
  return z
    .string()
    .regex(format, { error })
    .transform((text) => Number(text.slice(0, -1)) * unitMs[text.slice(-1) as keyof typeof unitMs]);
}
