import { type Issue, maxIssues } from '@continuity/contract';
import { shownKey } from './shown.ts';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Deepest nesting that a body may have; the body itself is level 1 (spec 00 §2). */
export const maxJsonDepth = 64;

/**
 * Finds what no stored value may hold: NUL characters, lone surrogates, numbers outside the IEEE double range, and
 * nesting deeper than 64 levels (spec 00 §2). It goes no deeper itself, so that hostile nesting cannot exhaust the stack,
 * and spells out a path only for an issue: a body may hold millions of values.
 */
export function findJsonIssues(body: unknown): Issue[] {
  const issues: Issue[] = [];
  visit(body, [], issues);
  return issues;
}

/** `at` holds the keys that lead to the value, and is as before when the visit returns. */
function visit(value: unknown, at: PropertyKey[], issues: Issue[]): void {
  if (issues.length >= maxIssues) return;
  const message = problemOf(value, at.length + 1);
  if (message !== undefined) issues.push({ path: at.reduce<string>(joinPath, ''), message });
  else if (Array.isArray(value)) visitItems(value, at, issues);
  else if (typeof value === 'object' && value !== null) visitFields(value, at, issues);
}

function visitItems(items: unknown[], at: PropertyKey[], issues: Issue[]): void {
  for (let index = 0; index < items.length; index += 1) {
    at.push(index);
    visit(items[index], at, issues);
    at.pop();
  }
}

function visitFields(fields: object, at: PropertyKey[], issues: Issue[]): void {
  // `Object.entries` takes twice as long, which is half a second where a body is all fields of one object.
  for (const key of Object.keys(fields)) {
    if (issues.length >= maxIssues) return;
    const problem = textProblem(key);
    if (problem !== undefined) {
      issues.push({ path: at.reduce<string>(joinPath, ''), message: `has a field name that ${problem}` });
    }
    at.push(key);
    visit((fields as Record<string, unknown>)[key], at, issues);
    at.pop();
  }
}

function problemOf(value: unknown, depth: number): string | undefined {
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

/** `content` + `entries` → `content.entries`; `entries` + 0 → `entries[0]`. A long name is cut. */
export function joinPath(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  const name = String(shownKey(key));
  return path === '' ? name : `${path}.${name}`;
}
