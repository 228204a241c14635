import type { Issue } from './errors/service-error.ts';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Deepest nesting that a body may have; the body itself is level 1 (spec 00 §2). */
export const maxJsonDepth = 64;

/** More issues than this help nobody, and an answer has a bound too. */
const maxIssues = 100;

interface Visit {
  value: unknown;
  path: string;
  depth: number;
}

/**
 * Finds what no stored value may hold: NUL characters, lone surrogates, numbers outside the IEEE double range, and
 * nesting deeper than 64 levels (spec 00 §2). Iterative, so that hostile nesting cannot exhaust the stack.
 */
export function findJsonIssues(body: unknown): Issue[] {
  const issues: Issue[] = [];
  const open: Visit[] = [{ value: body, path: '', depth: 1 }];
  for (let visit = open.pop(); visit !== undefined && issues.length < maxIssues; visit = open.pop()) {
    const message = problemOf(visit);
    if (message !== undefined) issues.push({ path: visit.path, message });
    else if (typeof visit.value === 'object' && visit.value !== null) openChildren(visit, open, issues);
  }
  return issues;
}

function problemOf({ value, depth }: Visit): string | undefined {
  if (typeof value === 'string') return textProblem(value);
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : 'is a number outside the IEEE double range';
  }
  if (typeof value === 'object' && value !== null && depth > maxJsonDepth) {
    return `is nested deeper than ${maxJsonDepth} levels`;
  }
  return undefined;
}

/** What makes a string unstorable, or undefined. Also used for path and query values. */
export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character';
  if (!text.isWellFormed()) return 'holds a lone surrogate';
  return undefined;
}

function openChildren(visit: Visit, open: Visit[], issues: Issue[]): void {
  const depth = visit.depth + 1;
  if (Array.isArray(visit.value)) {
    for (let index = visit.value.length - 1; index >= 0; index -= 1) {
      open.push({ value: visit.value[index], path: `${visit.path}[${index}]`, depth });
    }
    return;
  }
  for (const [key, value] of Object.entries(visit.value as object).reverse()) {
    const problem = textProblem(key);
    if (problem !== undefined) issues.push({ path: visit.path, message: `has a field name that ${problem}` });
    open.push({ value, path: joinPath(visit.path, key), depth });
  }
}

/** `content` + `entries` → `content.entries`; `entries` + 0 → `entries[0]`. */
export function joinPath(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? String(key) : `${path}.${String(key)}`;
}
