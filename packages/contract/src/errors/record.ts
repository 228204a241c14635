import { z } from 'zod';

/**
 * When a client may send the same request again:
 *
 * - `always`: the service did nothing.
 * - `if_repeatable`: only if a repeat of the operation after a lost answer is safe.
 * - `unless_stored`: only if `details` has no `job_id`. Else the job runs later, and the client waits for its result.
 */
export type RetryRule = 'always' | 'if_repeatable' | 'unless_stored';

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
  /** When a client may send the same request again after `Retry-After`. Absent: a repeat gets the same answer. */
  retry?: RetryRule;
  /** Example for the documents. Required if `details` has required fields. */
  example?: { message?: string; details: z.input<Details> };
}

/** Declares an error, keeping the exact type of its details. */
export function defineError<Details extends z.ZodType>(record: ErrorRecord<Details>): ErrorRecord<Details> {
  return record;
}

/** `details` of an error that has nothing to add. */
export const noDetails = z.strictObject({});

/** Limit of issues in one answer (spec 00 §3). */
export const maxIssues = 32;

/** One entry of `details.issues` of a 422. `path` reads like `content.entries[0].text` and is empty for the body itself. */
export const issue = z
  .strictObject({ path: z.string(), message: z.string().min(1) })
  .meta({ id: 'Issue', description: 'One problem of a request. `path` is empty for the body itself.' });

export type Issue = z.infer<typeof issue>;

export const issues = z.array(issue).max(maxIssues);
