import { requireNoIssues } from '@continuity/kernel/errors';
import { findTextProblem } from '@continuity/kernel/json';

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
