import type { z } from 'zod';
import type { Issue } from '../errors/index.ts';

/** Hands what a rule over several fields found to the parser. Paths are those of the value that is parsed. */
export function addIssues(context: z.RefinementCtx, issues: Issue[]): void {
  for (const { path, message } of issues) {
    context.addIssue({ code: 'custom', path: path === '' ? [] : keysOf(path), message });
  }
}

/** `state[2].evidence` → `state`, 2, `evidence`. */
function keysOf(path: string): PropertyKey[] {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}
