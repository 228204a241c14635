import { type Issue, maxIssues, messageOf } from '@continuity/contract';
import { invalidRequest } from '@continuity/kernel/errors';
import { joinPath } from '@continuity/kernel/json';
import type { z } from 'zod';

/** Parses a value. Throws 422 with all issues. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, { error: messageOf });
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues.flatMap(toIssues));
}

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.reduce<string>(joinPath, '');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, maxIssues).map((key) => ({
      path: joinPath(path, key),
      message: 'is not a field of this request',
    }));
  }
  return [{ path, message: issue.message }];
}
