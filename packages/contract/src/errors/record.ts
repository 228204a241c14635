import { z } from 'zod';

/** Everything that the contract says about one error code. Behavior, documents and client types derive from it. */
export interface ErrorRecord<Details extends z.ZodType = z.ZodType> {
  /** HTTP status. */
  status: number;
  /** Default message. A throw may pass a more specific one. */
  message: string;
  /** Closed schema of `details`. */
  details: Details;
  /** When the service answers with this code. */
  when: string;
  /** Advice for the caller. */
  advice: string;
  /** True if the same request can succeed later: send it again after `Retry-After`. */
  retryable?: true;
  /** Example for the documents. Required if `details` has required fields. */
  example?: { message?: string; details: z.input<Details> };
}

/** Declares an error, keeping the exact type of its details. */
export function defineError<Details extends z.ZodType>(record: ErrorRecord<Details>): ErrorRecord<Details> {
  return record;
}

/** `details` of an error that has nothing to add. */
export const noDetails = z.strictObject({});
