import { z } from 'zod';

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A schema of the option `--older-than` of commands of operators: an age such as 7d, in milliseconds. `format` has the numbers and units that the
 * command takes, and `error` says so after the name of the option.
 */
export function ageOption(format: RegExp, error: string) {
  return z
    .string()
    .regex(format, { error })
    .transform((text) => Number(text.slice(0, -1)) * unitMs[text.slice(-1) as keyof typeof unitMs]);
}
