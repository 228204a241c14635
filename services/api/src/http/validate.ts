import { type Issue, maxIssues, messageOf } from '@continuity/contract';
import { invalidRequest, requireNoIssues } from '@continuity/kernel/errors';
import { findTextProblem, joinPath } from '@continuity/kernel/json';
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

/**
 * Query parameters as strings. Unknown ones are dropped, a repeated known one is 422 (spec 10 §1.9).
 */
export function readQuery(url: string, known: readonly string[]): Record<string, string> {
  const start = url.indexOf('?');
  const search = new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
  const issues = known
    .filter((name) => search.getAll(name).length > 1)
    .map((path) => ({ path, message: 'is repeated' }));
  const values = known.flatMap((name) =>
    search
      .getAll(name)
      .slice(0, 1)
      .map((value) => [name, value] as const),
  );
  for (const [path, value] of values) {
    const problem = findTextProblem(value);
    if (problem !== undefined) issues.push({ path, message: problem });
  }
  requireNoIssues(issues);
  return Object.fromEntries(values);
}
