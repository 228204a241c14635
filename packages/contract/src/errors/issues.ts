import { z } from 'zod';

/** Limit of issues in one answer (spec 00 §3). */
export const maxIssues = 32;

/** One entry of `details.issues` of a 422. `path` reads like `content.entries[0].text` and is empty for the body itself. */
export const issue = z
  .strictObject({ path: z.string(), message: z.string().min(1) })
  .meta({ id: 'Issue', description: 'One problem of a request. `path` is empty for the body itself.' });

export type Issue = z.infer<typeof issue>;

export const issues = z.array(issue).max(maxIssues);
